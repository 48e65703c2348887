import type { AdmittedCaller } from "../access/caller.ts";
import type { Handler } from "../server/exchange.ts";
import { sendJson } from "../server/send-json.ts";
import type { ApiParts } from "./api-parts.ts";
import { json } from "./json-handler.ts";

/**
 * Whether the gateway is well. Anyone may ask, so the reasons, which may hold a path, are only in the log. A load balancer
 * must not choose a gateway that is about to stop.
 */
export function health({ version, storeKind, problems, isLeaving }: ApiParts): Handler<AdmittedCaller> {
	return ({ response }) => {
		const degraded = [...new Set(problems().map(({ name }) => name))];
		const status = isLeaving() ? "stopping" : degraded.length > 0 ? "degraded" : "ok";
		const code = isLeaving() ? 503 : 200;
		sendJson(response, code, {}, { status, version, store: storeKind(), ...(degraded.length > 0 && { degraded }) });
	};
}

/** For `doctor`. Callers learn about the account that their own requests run on. */
export function status({ version, accountOf }: ApiParts) {
	return json(async ({ caller }) => ({ version, upstream: (await accountOf(caller)).health() }));
}

/** Claude Code asks this when it starts, to see whether its server can be reached. */
export const hello = json(() => ({}));
