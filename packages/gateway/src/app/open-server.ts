import type { AdmittedCaller } from "../access/caller.ts";
import type { Settings } from "../config/settings.ts";
import { jsonBodyParser } from "../dialects/json/json-body.ts";
import { isPagePath, pageForm } from "../page/page-form.ts";
import { dialectOf } from "../routes/dialects.ts";
import { openFilesLimit } from "../server/descriptors.ts";
import type { Route } from "../server/exchange.ts";
import { GatewayServer } from "../server/server.ts";
import { newId } from "../text/new-id.ts";
import { serverLimits } from "./limits.ts";
import { openDoor, remoteNames } from "./open-door.ts";
import type { GatewayParts } from "./open-parts.ts";

/** Listens where the settings say, with a door before the routes. */
export async function openServer(
	{ keys, late, page, facts, reportBug }: GatewayParts,
	settings: Settings,
	routes: readonly Route<AdmittedCaller>[],
): Promise<{ server: GatewayServer<AdmittedCaller>; port: number }> {
	const door = openDoor(settings, keys, late, page?.sessions);
	const server = new GatewayServer<AdmittedCaller>(
		{
			limits: serverLimits(settings, openFilesLimit()),
			door,
			formOf: (request) => (isPagePath(request?.url) ? pageForm : dialectOf(request)),
			parseBody: jsonBodyParser(),
			newId,
			reportBug,
			refused: (refusal) => facts.tell(refusal),
		},
		routes,
	);
	const port = await server.listen(settings.host, settings.port);
	door.listensOn(port, remoteNames(settings));
	return { server, port };
}
