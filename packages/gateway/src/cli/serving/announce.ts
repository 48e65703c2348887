import { keyFileIn } from "../../access/key-file.ts";
import { announceGateway, findGateway, type GatewayDiscovery, ownUrl } from "../../app/discovery.ts";
import type { Gateway } from "../../app/gateway.ts";
import type { Settings } from "../../config/settings.ts";
import { packageVersion } from "../../version.ts";

const ANNOUNCED_EVERY_MS = 5_000;

/** Which key a gateway takes, as the discovery file tells it. */
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
