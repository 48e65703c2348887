import { configuredKey } from "../../../access/configured-key.ts";
import { keyFileIn } from "../../../access/key-file.ts";
import {
	announceGateway,
	type FoundGateway,
	findGateway,
	type GatewayDiscovery,
	ownUrl,
} from "../../../app/discovery.ts";
import { type Gateway, startGateway } from "../../../app/gateway.ts";
import type { GatewayOptions } from "../../../app/gateway-options.ts";
import { SettingError, type Settings } from "../../../config/settings.ts";
import { toGatewayError } from "../../../turn/error.ts";
import { packageVersion } from "../../../version.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import type { ServeFlags } from "../../options/gateway/serve.ts";
import { EXIT_CODES } from "../../process/exit-codes.ts";
import { drainBeforeFatal } from "../../process/fatal.ts";
import { runCommand } from "../../process/run-command.ts";

const DRAIN_MS = 30_000;
const ANNOUNCED_EVERY_MS = 5_000;

const KEY_IN_ARGUMENTS =
	'--key: every user of this machine can read a key on the command line; use --key-file, CURSORWIRE_KEY or "key" in config.json';

/** `cursorwire serve`. The first signal lets open responses end, the second one ends the process. */
export function serve(flags: ServeFlags): Promise<void> {
	return runCommand(async () => {
		const { json, auth, page, key, ...rest } = flags;
		if (key !== undefined) throw new SettingError(KEY_IN_ARGUMENTS);
		const { settings, notices } = loadHomeSettings({
			...rest,
			...(auth === false && { noAuth: true }),
			...(page === false && { page }),
		});
		for (const notice of notices) console.error(notice);
		const gateway = await open(settings);
		const discovery = { mode: "serve", ...authOf(settings, gateway) } as const;
		// Before it reports that it is ready: from then on a signal may come.
		const ended = stopped(gateway, announce(settings.dataDir, gateway, discovery));
		if (json)
			console.log(
				JSON.stringify({ url: gateway.url, key: gateway.key?.key ?? configuredKey(settings), pid: process.pid }),
			);
		else {
			console.log(welcome(gateway, settings));
			void tellLogin(gateway, settings);
		}
		await ended;
		// Log lines that are not read would keep the process alive.
		process.exit();
	});
}

/** Said at the start, and not only to the first client: nothing works without a login. */
async function tellLogin(gateway: Gateway, { acceptCursorCredentials }: Settings): Promise<void> {
	// Each request may bring a login of its own.
	if (acceptCursorCredentials) return;
	const problem = await gateway.loginProblem().catch(toGatewayError);
	if (problem) console.error(`${problem.fullMessage} The gateway notices within seconds, and need not be restarted.`);
}

export function authOf(settings: Settings, { key }: Gateway): Pick<GatewayDiscovery, "auth" | "keyFile"> {
	if (settings.noAuth) return { auth: "none" };
	// A key that could not be saved is in no file.
	if (!key || key.problem !== undefined) return { auth: "configured" };
	return { auth: "key-file", keyFile: keyFileIn(settings.dataDir) };
}

/** Writes the discovery file. If that fails, the gateway serves anyway, and clients need its address. */
export function announce(
	dataDir: string,
	{ url }: Gateway,
	rest: Pick<GatewayDiscovery, "mode" | "auth" | "keyFile">,
): () => void {
	const discovery = {
		url: ownUrl(url),
		pid: process.pid,
		version: packageVersion(),
		startedAt: new Date().toISOString(),
		...rest,
	};
	try {
		const withdraw = announceGateway(dataDir, discovery);
		const stopWatching = keepAnnounced(dataDir, discovery);
		return () => {
			stopWatching();
			withdraw();
		};
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		console.error(`${dataDir} cannot be written (${code}): \`cursorwire connect\` will need --url and --key.`);
		return () => {};
	}
}

/** A later gateway on the same folder takes the file over. When that one has gone, nobody would find this one. */
function keepAnnounced(dataDir: string, discovery: GatewayDiscovery): () => void {
	const watch = setInterval(() => {
		try {
			if (!findGateway(dataDir)) announceGateway(dataDir, discovery);
		} catch {
			// The folder cannot be used at the moment; the next attempt may succeed.
		}
	}, ANNOUNCED_EVERY_MS);
	watch.unref();
	return () => clearInterval(watch);
}

export async function open(
	settings: Settings,
	options: Pick<GatewayOptions, "keys" | "passingKeys" | "isDemo"> = {},
	announcedIn = settings.dataDir,
): Promise<Gateway> {
	try {
		return await startGateway(settings, { version: packageVersion(), env: process.env, ...options });
	} catch (error) {
		const explain = CANNOT_LISTEN[(error as NodeJS.ErrnoException).code ?? ""];
		throw explain ? new SettingError(explain(settings, findGateway(announcedIn))) : error;
	}
}

const CANNOT_LISTEN: Readonly<Record<string, (settings: Settings, running?: FoundGateway) => string>> = {
	EADDRINUSE: ({ port }, running) =>
		running && Number(new URL(running.url).port) === port
			? `port ${port} is in use by a gateway that runs already (process ${running.pid}); use that one, stop it, or choose another port with --port`
			: `port ${port} is in use; choose another with --port, or --port 0 for any free one`,
	EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine; leave out --host, or choose another`,
	EACCES: ({ port }) => `port ${port} needs rights this user does not have; choose one above 1023 with --port`,
	ENOTFOUND: ({ host }) => `${host} is not an address of this machine; leave out --host, or choose another`,
};

/** Resolves when the gateway has been told to stop and has stopped. */
export async function stopped(gateway: Gateway, withdraw: () => void): Promise<void> {
	const release = drainBeforeFatal(() => {
		withdraw();
		return gateway.close(DRAIN_MS);
	});
	await new Promise<void>((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
	});
	release();
	// It accepts no new conversations from here on, so nobody should find it.
	withdraw();
	const open = gateway.openTurns();
	if (open > 0)
		console.error(
			`Stopping: ${underWay(open)}, and may take ${DRAIN_MS / 1000} seconds to end. Ctrl-C again stops at once.`,
		);
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(EXIT_CODES.failed.code));
	await gateway.close(DRAIN_MS);
}

const underWay = (turns: number): string => (turns === 1 ? "one turn is under way" : `${turns} turns are under way`);

/** A request that works when it is pasted. */
export function curlLine(url: string, key: string | undefined, prompt = "Say hello"): string {
	const body = JSON.stringify({ model: "auto", messages: [{ role: "user", content: prompt }] });
	const auth = key ? ` -H "authorization: Bearer ${key}"` : "";
	return `curl ${url}/v1/chat/completions${auth} -H "content-type: application/json" -d '${body}'`;
}

/** The address of the page, which works at once, and what opens it later. Empty if there is no page. */
export function pageLines(gateway: Gateway): string[] {
	const address = gateway.pageUrl();
	return address === undefined ? [] : [`  page       ${address}  (for a minute; later: \`cursorwire open\`)`];
}

function welcome(gateway: Gateway, settings: Settings): string {
	const { url, key } = gateway;
	const shown = key?.key ?? (configuredKey(settings) ? "(the one you set)" : "(none)");
	return [
		`Cursorwire at ${url}`,
		`  base URL   ${url}/v1`,
		`  key        ${shown}${key?.isNew && !key.problem ? "  (new; `cursorwire keys` shows it again)" : ""}`,
		...(key?.problem ? [`  note       the key is valid until the gateway stops: ${key.problem}`] : []),
		`  upstream   ${settings.upstream}`,
		...pageLines(gateway),
		"",
		`  ${curlLine(url, key?.key)}`,
		"",
		"  Ctrl-C stops it",
	].join("\n");
}
