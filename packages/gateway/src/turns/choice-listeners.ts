import type { DialectTurn } from "../dialects/dialect.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { StreamResponse } from "./stream-response.ts";

/** Several replies in one stream. Each is encoded separately, and the last one to end ends the stream. */
export function choiceListeners(call: DialectTurn, stream: StreamResponse): TurnListener[] {
	let open = call.choices;
	return Array.from({ length: call.choices }, (_, choice) => {
		const encoder = call.encoder(choice);
		return {
			events(batch: readonly TurnEvent[]) {
				const text = stream.encoded(encoder, batch);
				if (text === undefined) return;
				const ended = batch[batch.length - 1]!.type === "turn-end";
				if (ended && --open === 0) stream.end(text);
				else stream.say(text);
			},
			failed: (error: GatewayError) => stream.failed(error),
		};
	});
}
