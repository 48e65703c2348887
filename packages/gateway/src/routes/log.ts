import { sendLargeJson } from "../server/send-json.ts";
import type { ApiParts, ApiRequest } from "./api-parts.ts";
import { queryOf } from "./json-handler.ts";
import { requireOwner } from "./owner.ts";

/** The last lines of the log, for its owner; with `?follow=true` as a stream that goes on with every new line. */
export function ownersLog(parts: ApiParts) {
	return async (requested: ApiRequest): Promise<void> => {
		requireOwner(requested, parts);
		const { logReaders } = parts;
		const { response } = requested;
		if (queryOf(requested).follow === "true") return logReaders.add(response);
		const entries = logReaders.entries();
		await sendLargeJson(response, { "cache-control": "no-store" }, { entries });
	};
}
