import type { TurnEvent } from "../../turn/event.ts";

/** A call that began while another one was open, with what has arrived of it. */
interface WaitingCall {
	name: string;
	input: string;
	isClosed: boolean;
}

const NONE = new Map<string, WaitingCall>();

const isInput = ({ type }: TurnEvent) =>
	type === "tool-input-start" || type === "tool-input-delta" || type === "tool-input-end";

/**
 * Puts calls one after another, although the upstream may send the inputs of several at the same time. Clients keep one
 * current block, item or call, and would add the input of one to the other. A call that begins within another one
 * waits, and follows with everything that has arrived of it once the other is closed. Calls keep the order in which
 * they began. None waits for ever: the grammar of events ends every input before a block begins or the turn ends.
 */
export class CallsInOrder {
	#open: string | undefined;
	/** Made when the first call has to wait. */
	#waiting: Map<string, WaitingCall> | undefined;

	/** The batch in the order in which it may be written; what has to wait is left out. */
	take(batch: readonly TurnEvent[]): readonly TurnEvent[] {
		return batch.some(isInput) ? batch.flatMap((event) => this.#step(event)) : batch;
	}

	#step(event: TurnEvent): TurnEvent | TurnEvent[] {
		switch (event.type) {
			case "tool-input-start":
				if (this.#open === undefined) {
					this.#open = event.id;
					return event;
				}
				this.#waiting ??= new Map();
				this.#waiting.set(event.id, { name: event.name, input: "", isClosed: false });
				return [];
			case "tool-input-delta": {
				const call = this.#waiting?.get(event.id);
				if (!call) return event;
				call.input += event.text;
				return [];
			}
			case "tool-input-end": {
				const call = this.#waiting?.get(event.id);
				if (!call) return [event, ...this.#next()];
				call.isClosed = true;
				return [];
			}
			default:
				return event;
		}
	}

	/** The calls that have waited, up to and including the first whose input still arrives. */
	#next(): TurnEvent[] {
		const events: TurnEvent[] = [];
		const waiting = this.#waiting ?? NONE;
		this.#open = undefined;
		for (const [id, { name, input, isClosed }] of waiting) {
			waiting.delete(id);
			events.push({ type: "tool-input-start", id, name });
			if (input !== "") events.push({ type: "tool-input-delta", id, text: input });
			if (!isClosed) {
				this.#open = id;
				break;
			}
			events.push({ type: "tool-input-end", id });
		}
		return events;
	}
}
