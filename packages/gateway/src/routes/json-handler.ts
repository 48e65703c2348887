import type { AdmittedCaller } from "../access/caller.ts";
import type { Handler } from "../server/exchange.ts";
import { sendLargeJson } from "../server/send-json.ts";
import type { ApiRequest } from "./api-parts.ts";

/** A handler that responds with a JSON value. */
export function json(
	bodyOf: (requested: ApiRequest) => object | Promise<object>,
	headers: Record<string, string> = {},
): Handler<AdmittedCaller> {
	return async (requested) => sendLargeJson(requested.response, headers, await bodyOf(requested));
}

/** A part of the path that the route leaves open. */
export function pathParam({ params }: ApiRequest, name: string): string {
	return params[name] ?? "";
}

/** The query as texts; if a name is given twice, the last one counts. */
export function queryOf({ request }: ApiRequest): Record<string, string | undefined> {
	return Object.fromEntries(new URLSearchParams(request.url?.split("?")[1] ?? ""));
}
