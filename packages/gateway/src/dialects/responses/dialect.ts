import { inSlices } from "../../time/slices.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { TurnCall } from "../../turns/turn-service.ts";
import { responsesRequest } from "./decode.ts";
import type { ResolveEarlier } from "./earlier.ts";
import { encodeResponse, type ResponseObject } from "./encode.ts";
import { encodeResponsesError } from "./errors.ts";
import { type StoredResponse, toStored } from "./stored-response.ts";
import { ResponsesStreamEncoder } from "./stream.ts";

export interface ResponsesCallOptions {
	newId(): string;
	/** Milliseconds of the epoch. */
	now(): number;
	/** Knows what was loaded for the ids that `recordIdsOf` names. */
	resolve: ResolveEarlier;
	/**
	 * Takes the record of a finished response, unless the client wants none kept. It is called before the client can
	 * know the end of the response, so that its next request may name it.
	 */
	keep(record: StoredResponse): void;
}

/** A body of `POST /v1/responses`, read. Rejects with a `GatewayError` where it is not one. */
export async function responsesCall(
	body: unknown,
	{ newId, now, resolve, keep }: ResponsesCallOptions,
): Promise<TurnCall> {
	const { turn, stream, store, input, echo, callForms, encryptedReasoning } = await inSlices(
		responsesRequest(body, resolve),
	);
	const seconds = () => Math.floor(now() / 1000);
	const shared = { baseId: newId(), created: seconds(), now: seconds, echo, callForms, encryptedReasoning };
	const ended = (response: ResponseObject) => {
		if (store) keep(toStored(response, input));
	};
	return {
		dialect: "responses",
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
