import type { ToolCallPart, TurnMessage, TurnRequest } from "../turn/request.ts";
import { trailingOf } from "../turn/trailing.ts";
import { callsWithResult } from "./output-rule.ts";

const MOST_KEPT = 1_000;
const CALL_AGAIN = "Too early: this answer was given before the results of other calls were known. Call it again last.";

/**
 * Final answers that a model gave together with calls of the client's tools, and so without their results. They are not
 * taken; the run is told so together with the results, which the client, who knows nothing of this, brings later.
 */
export class PrematureCalls {
	/** By the call of a client's tool that they came with. */
	readonly #beside = new Map<string, readonly ToolCallPart[]>();
	/** Whether a call was premature, decided when it is first seen: a retry sees the same calls again. */
	readonly #seen = new Map<string, boolean>();

	/** These came together with calls of the client's tools. */
	add(caller: string, clientCalls: readonly string[], ownCalls: readonly ToolCallPart[]): void {
		if (ownCalls.length === 0) return;
		for (const id of clientCalls) keep(this.#beside, `${caller}\n${id}`, ownCalls);
	}

	/** Whether a call was made without the results that the request brought. `precedesResults`: it was there before them. */
	isPremature(caller: string, callId: string, precedesResults: boolean): boolean {
		const key = `${caller}\n${callId}`;
		const known = this.#seen.get(key);
		if (known === undefined) keep(this.#seen, key, precedesResults);
		return known ?? precedesResults;
	}

	/** Tells the run that calls were premature. */
	rejectionOf(calls: readonly ToolCallPart[]): TurnMessage[] {
		return callsWithResult(calls, CALL_AGAIN);
	}

	/** The request, with a reply to the premature calls that its run waits for beside the client's. */
	complete(caller: string, request: TurnRequest): TurnRequest {
		const [answered] = trailingOf(request.messages).results;
		const calls = answered && this.#beside.get(`${caller}\n${answered.callId}`);
		const at = request.messages.findLastIndex(({ role }) => role === "assistant");
		if (!calls || at < 0) return request;
		const own = this.rejectionOf(calls);
		const messages = request.messages.flatMap((message, index) => {
			if (index === at) return [joined(message, own[0]!)];
			// In front: what the user said travels in the last result, which has to be the client's.
			return index === at + 1 ? [own[1]!, message] : [message];
		});
		return { ...request, messages };
	}
}

function joined(message: TurnMessage, more: TurnMessage): TurnMessage {
	return { ...message, content: [...message.content, ...more.content] } as TurnMessage;
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest);
}
