import type { Settings } from "../../config/settings.ts";
import { createConnector } from "../../wire/connect/connector.ts";
import { readTrust } from "../../wire/connect/trust.ts";
import { H1Client } from "../../wire/h1/h1.ts";

/** A client for the few calls of a command, with the proxy and the certificates from the settings. */
export async function openHttpClient(settings: Settings): Promise<H1Client> {
	const { httpsProxy, httpProxy, noProxy, caFile } = settings;
	const ca = caFile === "" ? undefined : await readTrust(caFile);
	return new H1Client({ connect: createConnector({ proxy: { httpsProxy, httpProxy, noProxy }, ca }) });
}
