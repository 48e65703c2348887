import { inSlices } from "../../time/slices.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { Dialect, DialectContext, DialectTurn, StoredReplies } from "../dialect.ts";
import { responsesRequest } from "./decode.ts";
import { earlierIdsOf, type ResolveEarlier, resolverOf } from "./earlier.ts";
import { encodeResponse, type ResponseObject } from "./encode.ts";
import { encodeResponsesError } from "./errors.ts";
import { type StoredResponse, toStored } from "./stored-response.ts";
import { ResponsesStreamEncoder } from "./stream.ts";

/** OpenAI's Responses. */
export const responsesDialect: Dialect = {
	name: "responses",
	path: "/responses",
	requestIdHeader: "x-request-id",
	read: readResponses,
	encodeError: encodeResponsesError,
};

async function readResponses(body: unknown, { newId, now, stored }: DialectContext): Promise<DialectTurn> {
	const resolve = await loadEarlier(body, stored);
	const { turn, stream, store, input, echo, callForms, encryptedReasoning } = await inSlices(
		responsesRequest(body, resolve),
	);
	const seconds = () => Math.floor(now() / 1000);
	const shared = { baseId: newId(), created: seconds(), now: seconds, echo, callForms, encryptedReasoning };
	// Called before the client can know the end of the response, so that its next request may name it.
	const ended = (response: ResponseObject) => {
		if (store) stored.keep(response.id, toStored(response, input));
	};
	return {
		dialect: responsesDialect.name,
		turn,
		stream,
		choices: 1,
		encoder: () => new ResponsesStreamEncoder({ ...shared, ended }),
		whole: ([only]) => {
			const response = encodeResponse(only as CollectedTurn, shared);
			ended(response);
			return response;
		},
		error: encodeResponsesError,
	};
}

/** Loads what a body names of earlier responses. */
async function loadEarlier(body: unknown, stored: StoredReplies): Promise<ResolveEarlier> {
	const records = await Promise.all(earlierIdsOf(body).map((id) => stored.load(id)));
	return resolverOf(records.filter((record) => record !== undefined) as StoredResponse[]);
}
