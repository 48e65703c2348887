import type { ChosenGateway } from "../../gateway/find-gateway.ts";
import { gatewayOf, postToGateway } from "../../gateway/gateway-command.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import type { OpenFlags } from "../../options/gateway/open.ts";
import { runCommand } from "../../process/run-command.ts";
import { openBrowser } from "../../terminal/open-browser.ts";

const ASK_LIMIT_MS = 10_000;

/** `cursorwire open`. */
export function open({ print, ...flags }: OpenFlags): Promise<void> {
	return runCommand(async (signal) => {
		const { url: _, ...settingFlags } = flags;
		const { openBrowser: mayOpen } = loadHomeSettings(settingFlags).settings;
		const address = await pageAddress(gatewayOf(flags), signal);
		const isOpened = !print && mayOpen && (await openBrowser(address));
		console.log(address);
		if (!print)
			console.error(isOpened ? "It opens in your browser." : "Open this address in a browser within a minute.");
	});
}

async function pageAddress(gateway: ChosenGateway, signal: AbortSignal): Promise<string> {
	const limited = AbortSignal.any([signal, AbortSignal.timeout(ASK_LIMIT_MS)]);
	const response = await postToGateway(gateway, "/v1/cursorwire/page-code", limited);
	const { code } = (await response.json()) as { code: string };
	return `${gateway.url}/#${code}`;
}
