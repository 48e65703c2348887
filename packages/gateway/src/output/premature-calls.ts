import type { ToolCallPart, TurnMessage, TurnRequest } from "../turn/request.ts";
import { trailingOf } from "../turn/trailing.ts";
import { callsWithResult } from "./output-rule.ts";

const MOST_KEPT = 1_000;
const CALL_AGAIN = "Too early: this answer was given before the results of other calls were known. Call it again last.";

/**
 * Calls of the rule's own tool that a model made together with calls of the client's tools, and so without knowing
 * their results. Such calls are rejected. The client knows nothing of them, so the rejection is added when it sends the
 * results of its own calls.
 */
export class PrematureCalls {
	/** Premature calls, by the call of a client's tool that they came with. */
	readonly #beside = new Map<string, readonly ToolCallPart[]>();
	/** Whether a call was premature. This is decided when it is first seen, because a retry sees the same calls again. */
	readonly #seen = new Map<string, boolean>();

	/** Remembers calls of the rule's own tool that came together with calls of the client's tools. */
	add(caller: string, clientCalls: readonly string[], ownCalls: readonly ToolCallPart[]): void {
		if (ownCalls.length === 0) return;
		for (const id of clientCalls) keep(this.#beside, `${caller}\n${id}`, ownCalls);
	}

	/** Whether a call was made without knowing the results in the request. `precedesResults`: it was made before them. */
	isPremature(caller: string, callId: string, precedesResults: boolean): boolean {
		const key = `${caller}\n${callId}`;
		const known = this.#seen.get(key);
		if (known === undefined) keep(this.#seen, key, precedesResults);
		return known ?? precedesResults;
	}

	/** The messages that tell the model that its calls were premature. */
	rejectionOf(calls: readonly ToolCallPart[]): TurnMessage[] {
		return callsWithResult(calls, CALL_AGAIN);
	}

	/** The request, with results added for the premature calls that its run also waits for. */
	complete(caller: string, request: TurnRequest): TurnRequest {
		const [result] = trailingOf(request.messages).results;
		const calls = result && this.#beside.get(`${caller}\n${result.callId}`);
		const at = request.messages.findLastIndex(({ role }) => role === "assistant");
		if (!calls || at < 0) return request;
		const own = this.rejectionOf(calls);
		const messages = request.messages.flatMap((message, index) => {
			if (index === at) return [joined(message, own[0]!)];
			// Placed first, because what the user said is added to the last result, which has to be the client's.
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
