import { inSlices } from "../../time/slices.ts";
import { type Soon, soon } from "../../time/soon.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { Dialect, DialectContext, DialectTurn, Sealer, StoredReplies, StreamEncoder } from "../dialect.ts";
import { SummaryEncoder, summaryTurn } from "./compaction.ts";
import { needsSealer } from "./compaction-input.ts";
import { type ResponsesRequest, responsesRequest } from "./decode.ts";
import { earlierIdsOf, type ResolveEarlier, resolverOf } from "./earlier.ts";
import { encodeResponse, type ResponseObject } from "./encode.ts";
import { encodeErrorForCodex, encodeResponsesError } from "./errors.ts";
import { responsesSocket } from "./socket.ts";
import { type StoredResponse, toStored } from "./stored-response.ts";
import { ResponsesStreamEncoder, type ResponsesStreamOptions } from "./stream.ts";

/** OpenAI's Responses. */
export const responsesDialect: Dialect = {
	name: "responses",
	path: "/responses",
	requestIdHeader: "x-request-id",
	socket: responsesSocket,
	read: (body, context) =>
		soon(readRequest(body, context), ({ request, sealer }) => responsesTurn(request, context, sealer)),
	encodeError: encodeResponsesError,
};

/** The reply to who only wants to be known, before the first turn. */
const NOTHING_SAID: readonly TurnEvent[] = [{ type: "turn-end", reason: "stop" }];

interface ReadRequest {
	request: ResponsesRequest;
	/** Seals the reply, if that is a summary. */
	sealer: Sealer | undefined;
}

export function readRequest(body: unknown, { stored, sealer: sealerOf }: DialectContext): Soon<ReadRequest> {
	return soon(loadEarlier(body, stored), (resolve) =>
		soon(needsSealer(body) ? sealerOf() : undefined, (sealer) =>
			soon(inSlices(responsesRequest(body, resolve, sealer)), (request) => ({
				request,
				sealer: request.isCompaction ? sealer : undefined,
			})),
		),
	);
}

function responsesTurn(
	{ turn, stream, store, input, echo, callForms, encryptedReasoning, searchSources, isPrewarm }: ResponsesRequest,
	{ newId, now, stored, header }: DialectContext,
	sealer: Sealer | undefined,
): DialectTurn {
	const seconds = () => Math.floor(now() / 1000);
	const shared = {
		baseId: newId(),
		created: seconds(),
		now: seconds,
		echo,
		callForms,
		encryptedReasoning,
		searchSources,
		sealer,
	};
	// Called before the client can know the end of the response, so that its next request may name it.
	const ended = (response: ResponseObject) => {
		if (!store && !stored.remember) return;
		const record = toStored(response, input);
		if (store) stored.keep(response.id, record);
		stored.remember?.(response.id, record);
	};
	// Elsewhere the client could not go on from a reply that was never given.
	if (isPrewarm && !stored.remember) turn.warnings.push("generate has no effect outside a WebSocket");
	return {
		dialect: responsesDialect.name,
		turn,
		stream,
		...(isPrewarm && stored.remember && { prepared: encoderOf({ ...shared, ended }).encode(NOTHING_SAID) }),
		choices: 1,
		encoder: () => encoderOf({ ...shared, ended }),
		whole: ([only]) => {
			const reply = only as CollectedTurn;
			const response = encodeResponse(sealer ? summaryTurn(reply) : reply, shared);
			ended(response);
			return response;
		},
		error: isCodex(header("originator") ?? header("user-agent")) ? encodeErrorForCodex : encodeResponsesError,
	};
}

function encoderOf(options: ResponsesStreamOptions): StreamEncoder {
	const encoder = new ResponsesStreamEncoder(options);
	return options.sealer ? new SummaryEncoder(encoder) : encoder;
}

/** Loads what a body names of earlier responses. */
function loadEarlier(body: unknown, stored: StoredReplies): Soon<ResolveEarlier> {
	const ids = earlierIdsOf(body);
	if (ids.length === 0) return resolverOf([]);
	return Promise.all(ids.map((id) => stored.load(id))).then((records) =>
		resolverOf(records.filter((record) => record !== undefined) as StoredResponse[]),
	);
}

const isCodex = (name: string | undefined): boolean => name?.toLowerCase().startsWith("codex") ?? false;
