import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type Gateway, startGateway } from "../app/gateway.ts";
import { loadSettings, SettingError, type Settings } from "../config/settings.ts";
import { runCommand } from "./run-command.ts";

export interface ServeFlags {
	port?: string;
	host?: string;
	upstream?: string;
	dataDir?: string;
	key?: string;
	/** False with `--no-auth`. */
	auth?: boolean;
	allowRemote?: boolean;
	allowHosts?: string;
	http1?: boolean;
	logLevel?: string;
	json?: boolean;
}

const DRAIN_MS = 30_000;

export function addServeOptions(command: Command): Command {
	return command
		.description("run the gateway")
		.option("--port <number>", "port to listen on, 0 for any free one")
		.option("--host <address>", "address to listen on")
		.option("--upstream <url>", "base URL of Cursor's backend")
		.option("--data-dir <folder>", "folder for credentials, conversations and the model list")
		.option("--key <key>", "gateway key to use in place of a made one")
		.option("--no-auth", "take requests without a key, from this machine only")
		.option("--allow-remote", "listen on an address that other machines can reach")
		.option("--allow-hosts <names>", "names under which other machines call it, separated by commas")
		.option("--http1", "use HTTP/1.1 for runs without trying HTTP/2")
		.option("--log-level <level>", "silent, error, warn, info, debug or trace")
		.option("--json", "print one JSON line when ready");
}

/** `cursorwire serve`. The first signal lets open answers end, the second one ends the process. */
export function serve(flags: ServeFlags): Promise<void> {
	return runCommand(async () => {
		const { json, auth, ...rest } = flags;
		const { settings } = loadSettings({ ...rest, ...(auth === false && { noAuth: true }) });
		const gateway = await open(settings);
		if (json)
			console.log(JSON.stringify({ url: gateway.url, key: gateway.key?.key ?? settings.key, pid: process.pid }));
		else console.log(welcome(gateway, settings));
		await stopped(gateway);
	});
}

export async function open(settings: Settings): Promise<Gateway> {
	try {
		return await startGateway(settings, { version: packageVersion() });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
		throw new SettingError(`port ${settings.port} is in use; choose another with --port, or --port 0 for any free one`);
	}
}

/** Resolves when the gateway was told to stop and has stopped. */
export async function stopped(gateway: Gateway): Promise<void> {
	await new Promise<void>((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
	});
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
	await gateway.close(DRAIN_MS);
}

/** A request that works when it is pasted. */
export function curlLine(url: string, key: string | undefined, prompt = "Say hello"): string {
	const body = JSON.stringify({ model: "auto", messages: [{ role: "user", content: prompt }] });
	const auth = key ? ` -H "authorization: Bearer ${key}"` : "";
	return `curl ${url}/v1/chat/completions${auth} -H "content-type: application/json" -d '${body}'`;
}

function welcome({ url, key }: Gateway, settings: Settings): string {
	const shown = key?.key ?? (settings.key ? "(the one you set)" : "(none)");
	return [
		`Cursorwire at ${url}`,
		`  base URL   ${url}/v1`,
		`  key        ${shown}${key?.isNew ? "  (made just now; `cursorwire keys` shows it again)" : ""}`,
		...(key?.problem ? [`  note       ${key.problem}`] : []),
		`  upstream   ${settings.upstream}`,
		"",
		`  ${curlLine(url, key?.key)}`,
		"",
		"  Ctrl-C stops it",
	].join("\n");
}

export function packageVersion(): string {
	return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
