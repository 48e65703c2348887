import type { ApiParts } from "./api-parts.ts";
import { json, pathParam, queryOf } from "./json-handler.ts";

// What clients can do with a stored response of theirs.

export function getResponse({ responses }: ApiParts) {
	return json((requested) => responses.get(requested.caller.id, pathParam(requested, "id")));
}

export function deleteResponse({ responses }: ApiParts) {
	return json((requested) => responses.delete(requested.caller.id, pathParam(requested, "id")));
}

export function cancelResponse({ responses }: ApiParts) {
	return json((requested) => responses.cancel(requested.caller.id, pathParam(requested, "id")));
}

export function inputItems({ responses }: ApiParts) {
	return json((requested) => responses.inputItems(requested.caller.id, pathParam(requested, "id"), queryOf(requested)));
}
