import { inSlices } from "../../time/slices.ts";
import { type Soon, soon } from "../../time/soon.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { Dialect, DialectContext, DialectTurn, StoredReplies } from "../dialect.ts";
import { type ResponsesRequest, responsesRequest } from "./decode.ts";
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

function readResponses(body: unknown, context: DialectContext): Soon<DialectTurn> {
	return soon(loadEarlier(body, context.stored), (resolve) =>
		soon(inSlices(responsesRequest(body, resolve)), (request) => responsesTurn(request, context)),
	);
}

function responsesTurn(request: ResponsesRequest, { newId, now, stored }: DialectContext): DialectTurn {
	const { turn, stream, store, input, echo, callForms, encryptedReasoning, searchSources } = request;
	const seconds = () => Math.floor(now() / 1000);
	const shared = {
		baseId: newId(),
		created: seconds(),
		now: seconds,
		echo,
		callForms,
		encryptedReasoning,
		searchSources,
	};
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
function loadEarlier(body: unknown, stored: StoredReplies): Soon<ResolveEarlier> {
	const ids = earlierIdsOf(body);
	if (ids.length === 0) return resolverOf([]);
	return Promise.all(ids.map((id) => stored.load(id))).then((records) =>
		resolverOf(records.filter((record) => record !== undefined) as StoredResponse[]),
	);
}
