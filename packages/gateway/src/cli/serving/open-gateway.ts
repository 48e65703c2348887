import { type FoundGateway, findGateway } from "../../app/discovery.ts";
import { type Gateway, startGateway } from "../../app/gateway.ts";
import type { GatewayOptions } from "../../app/gateway-options.ts";
import { SettingError, type Settings } from "../../config/settings.ts";
import { packageVersion } from "../../version.ts";
import { makeObjectsYoung } from "./young-objects.ts";

/** Starts a gateway in this process. `announcedIn`: where one that runs already would be found. */
export async function openGateway(
	settings: Settings,
	options: Pick<GatewayOptions, "keys" | "passingKeys" | "isDemo"> = {},
	announcedIn = settings.dataDir,
): Promise<Gateway> {
	try {
		const gateway = await startGateway(settings, { version: packageVersion(), env: process.env, ...options });
		makeObjectsYoung();
		return gateway;
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
