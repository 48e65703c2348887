import { configuredKey } from "../../../access/configured-key.ts";
import type { Gateway } from "../../../app/gateway.ts";
import { SettingError, type Settings } from "../../../config/settings.ts";
import { toGatewayError } from "../../../turn/error.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import type { ServeFlags } from "../../options/gateway/serve.ts";
import { runCommand } from "../../process/run-command.ts";
import { announce, authOf } from "../../serving/announce.ts";
import { curlLine, pageLines } from "../../serving/banner.ts";
import { openGateway } from "../../serving/open-gateway.ts";
import { untilStopped } from "../../serving/until-stopped.ts";

const KEY_IN_ARGUMENTS =
	'--key: every user of this machine can read a key on the command line; use --key-file, CURSORWIRE_KEY or "key" in config.json';

/** `cursorwire serve`. The first signal lets open responses end, the second one ends the process. */
export function serve(flags: ServeFlags): Promise<void> {
	return runCommand(async (interrupt) => {
		const { json, auth, page, key, ...rest } = flags;
		if (key !== undefined) throw new SettingError(KEY_IN_ARGUMENTS);
		const { settings, notices } = loadHomeSettings({
			...rest,
			...(auth === false && { noAuth: true }),
			...(page === false && { page }),
		});
		for (const notice of notices) console.error(notice);
		const gateway = await openGateway(settings);
		const discovery = { mode: "serve", ...authOf(settings, gateway) } as const;
		// Before it reports that it is ready: from then on a signal may come.
		const ended = untilStopped(gateway, interrupt, announce(settings.dataDir, gateway, discovery));
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
