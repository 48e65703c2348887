import { TurnCollector } from "../../turn/collect.ts";
import type { GatewayError } from "../../turn/error.ts";
import type { EndReason, Rung, TurnEvent } from "../../turn/event.ts";
import type { TurnListener } from "../../turn/listener.ts";
import type { AssistantMessage } from "../../turn/request.ts";
import type { MachineOutput } from "../protocols/machine.ts";

/** What `turn-start` says: how the request reached Cursor, and which model replies. */
interface ReplyStart {
	runId: string;
	model: string;
	path: Rung;
}

/**
 * A reply of more characters is not remembered. It then has no checkpoint, and the next request is rebuilt from the
 * history that the client sends: a shortcut must not cost the memory of the longest reply.
 */
export const MOST_REMEMBERED = 1 << 18;

/** One reply on its way to its listener. It opens with `turn-start`, and what it says is remembered. */
class Reply {
	readonly #listener: TurnListener;
	readonly #start: ReplyStart;
	#collector: TurnCollector | undefined = new TurnCollector();
	#hasBegun = false;

	constructor(listener: TurnListener, start: ReplyStart) {
		this.#listener = listener;
		this.#start = start;
	}

	/** Something was said. */
	get hasBegun(): boolean {
		return this.#hasBegun;
	}

	/** The whole reply; undefined where it is not complete, ends in tool calls or was too long to remember. */
	get message(): AssistantMessage | undefined {
		const turn = this.#collector?.turn;
		if (!turn?.end || turn.end.reason === "tool-calls") return undefined;
		return { role: "assistant", content: turn.content };
	}

	events(batch: readonly TurnEvent[]): void {
		this.#remember(batch);
		this.#listener.events(this.#hasBegun ? batch : this.#withStart(batch));
	}

	failed(error: GatewayError): void {
		this.#listener.failed(error);
	}

	#remember(batch: readonly TurnEvent[]): void {
		const collector = this.#collector;
		if (!collector) return;
		for (const event of batch) collector.add(event);
		if (collector.characters > MOST_REMEMBERED) this.#collector = undefined;
	}

	#withStart(batch: readonly TurnEvent[]): readonly TurnEvent[] {
		if (!batch.some(isContent)) return batch;
		this.#hasBegun = true;
		const { runId, model, path } = this.#start;
		return [{ type: "turn-start", runId, model, path }, ...(batch.every(isContent) ? batch : batch.filter(isContent))];
	}
}

/** A heartbeat says nothing. */
const isContent = ({ type }: TurnEvent) => type !== "activity";

const isEnd = ({ type }: TurnEvent) => type === "turn-end";

/** The replies of a run, one per turn: hands what the machine says to the listener of the reply under way. */
export class Replies {
	/** What the machine has put out and nobody has taken yet. */
	readonly output: MachineOutput = { events: [], messages: [] };
	#current: Reply | undefined;
	/** Came while no reply was under way: it belongs to the next one. */
	#held: TurnEvent[] = [];

	/** Something of the reply under way has reached the client. */
	get hasBegun(): boolean {
		return this.#current?.hasBegun ?? false;
	}

	/** The machine has put out more than signs of life. */
	get hasContent(): boolean {
		return this.output.events.some(isContent);
	}

	/** The machine has put out the end of a reply. */
	get hasEnd(): boolean {
		return this.output.events.some(isEnd);
	}

	begin(listener: TurnListener, start: ReplyStart): void {
		this.#current = new Reply(listener, start);
		this.output.events.push(...this.#held.splice(0));
	}

	/** Events so far go to the listener. At the end of a reply `ended` is called first; the whole reply is returned. */
	deliver(ended: (reason: EndReason) => void): AssistantMessage | undefined {
		const { events } = this.output;
		const reply = this.#current;
		if (events.length === 0) return undefined;
		this.output.events = [];
		if (!reply) return this.#hold(events);
		const index = events.findIndex(isEnd);
		if (index < 0) {
			reply.events(events);
			return undefined;
		}
		// What the same read brought behind the end does not belong to this reply.
		const later = events.splice(index + 1);
		const end = events[index] as Extract<TurnEvent, { type: "turn-end" }>;
		this.#current = undefined;
		ended(end.reason);
		this.#hold(later);
		reply.events(events);
		return reply.message;
	}

	/** The reply under way gets no further event. Returns what tells its listener of a failure. */
	abandon(): ((error: GatewayError) => void) | undefined {
		const reply = this.#current;
		this.#current = undefined;
		return reply && ((error) => reply.failed(error));
	}

	/** A new machine begins: what the last one said is void. */
	clear(): void {
		this.output.events = [];
		this.output.messages = [];
	}

	#hold(events: readonly TurnEvent[]): undefined {
		for (const event of events) if (isContent(event)) this.#held.push(event);
	}
}
