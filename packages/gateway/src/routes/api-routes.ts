import type { AdmittedCaller } from "../access/caller.ts";
import type { Dialect, SocketForm } from "../dialects/dialect.ts";
import { countTokens } from "../dialects/messages/count-tokens.ts";
import { compactDialect } from "../dialects/responses/compact.ts";
import { METRICS_PATH } from "../observe/metrics/fact-metrics.ts";
import type { Route } from "../server/exchange.ts";
import { turnSockets } from "../turns/socket/turn-socket.ts";
import { type TurnEndpointParts, turnEndpoint } from "../turns/turn-endpoint.ts";
import type { ApiParts } from "./api-parts.ts";
import { DIALECTS } from "./dialects.ts";
import { health, hello, status } from "./health.ts";
import { json } from "./json-handler.ts";
import { ownersLog } from "./log.ts";
import { metrics } from "./metrics.ts";
import { model, models } from "./models.ts";
import { now } from "./now.ts";
import { noEmbeddings, noWebSocket } from "./refusals.ts";
import { cancelResponse, deleteResponse, getResponse, inputItems } from "./response-routes.ts";
import { spent } from "./spent.ts";
import { usage } from "./usage.ts";

type Routes = Route<AdmittedCaller>[];

/** Where it is switched off, or not asked for, the path says so. */
function socketRoute(
	dialect: Dialect,
	form: SocketForm,
	{ webSockets }: ApiParts,
	turnParts: TurnEndpointParts,
): Route<AdmittedCaller> {
	const route = { method: "GET" as const, path: dialect.path, handler: noWebSocket };
	return webSockets ? { ...route, socket: turnSockets(dialect, form, turnParts) } : route;
}

/** Some clients add /v1 to the base URL that they are given, and some do not, whether it ends in /v1 or not. */
const BASES = ["/v1", "", "/v1/v1"] as const;

/** Everything that the gateway serves. */
export function apiRoutes(parts: ApiParts): Routes {
	const turnParts = { ...parts, storedOf: (caller: string) => parts.responses.of(caller) };
	const api: Routes = [
		...DIALECTS.map((dialect) => ({
			method: "POST" as const,
			path: dialect.path,
			...turnEndpoint(dialect, turnParts),
		})),
		{ method: "POST", path: compactDialect.path, ...turnEndpoint(compactDialect, turnParts) },
		{ method: "POST", path: "/messages/count_tokens", handler: json(({ body }) => countTokens(body)) },
		{ method: "GET", path: "/responses/:id", handler: getResponse(parts) },
		{ method: "DELETE", path: "/responses/:id", handler: deleteResponse(parts) },
		{ method: "POST", path: "/responses/:id/cancel", handler: cancelResponse(parts) },
		{ method: "GET", path: "/responses/:id/input_items", handler: inputItems(parts) },
		{ method: "GET", path: "/models", handler: models(parts) },
		{ method: "GET", path: "/models/*", handler: model(parts) },
		{ method: "GET", path: "/usage", handler: usage(parts) },
		...DIALECTS.flatMap((dialect) => (dialect.socket ? [socketRoute(dialect, dialect.socket, parts, turnParts)] : [])),
		{ method: "POST", path: "/embeddings", handler: noEmbeddings },
	];
	return [
		{ method: "GET", path: "/healthz", handler: health(parts) },
		{ method: "GET", path: "/v1/cursorwire/status", handler: status(parts) },
		{ method: "GET", path: "/v1/cursorwire/log", handler: ownersLog(parts) },
		{ method: "GET", path: "/v1/cursorwire/now", handler: now(parts) },
		{ method: "GET", path: "/v1/cursorwire/spent", handler: spent(parts) },
		{ method: "GET", path: METRICS_PATH, handler: metrics(parts) },
		{ method: "HEAD", path: "/api/hello", handler: hello },
		...BASES.flatMap((base) => api.map((route) => ({ ...route, path: `${base}${route.path}` }))),
	];
}
