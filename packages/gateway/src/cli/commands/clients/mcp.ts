import { configuredKey } from "../../../access/configured-key.ts";
import { chooseGateway } from "../../gateway/find-gateway.ts";
import { askGateway } from "../../gateway/gateway-command.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import { serveTools } from "../../mcp/serve-tools.ts";
import type { GatewayCommandFlags } from "../../options/gateway/gateway.ts";
import { runCommand } from "../../process/run-command.ts";

const ASK_LIMIT_MS = 30_000;

/** `cursorwire mcp`. The gateway is looked for at each question, because it may come and go while the agent works. */
export function mcp({ url, ...settingFlags }: GatewayCommandFlags): Promise<void> {
	return runCommand(async (signal) => {
		const read = async (path: string): Promise<unknown> => {
			const { settings } = loadHomeSettings(settingFlags);
			// A key that was given counts for more than the owner's: whoever gives one wants its view.
			const key = configuredKey(settings);
			const gateway = chooseGateway(settings, { ...(url !== undefined && { url }), ...(key !== "" && { key }) });
			const limited = AbortSignal.any([signal, AbortSignal.timeout(ASK_LIMIT_MS)]);
			return (await askGateway(gateway, path, limited)).json();
		};
		await serveTools(read, signal);
	});
}
