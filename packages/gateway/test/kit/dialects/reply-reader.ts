import { TurnCollector } from "../../../src/turn/collect.ts";
import { GatewayError } from "../../../src/turn/error.ts";
import type { ErrorKind } from "../../../src/turn/error-kinds.ts";
import type { EndReason, TurnEvent } from "../../../src/turn/event.ts";
import { Grammar } from "../../../src/turn/grammar.ts";
import type { TokenUsage } from "../../../src/turn/usage.ts";

/** What an answer says, told in neutral events whatever the API it came in. */
export class ReplyReader {
	readonly #grammar = new Grammar();
	readonly #collector = new TurnCollector();
	readonly #events: TurnEvent[] = [];
	readonly #onEvent: (event: TurnEvent) => void;
	readonly #calls = new Map<string | number, { id: string; name: string; text: string }>();
	#block: "text" | "thinking" | undefined;
	#error: GatewayError | undefined;
	#done = false;

	constructor(onEvent: (event: TurnEvent) => void) {
		this.#onEvent = onEvent;
		this.#emit({ type: "turn-start", runId: "", model: "", path: "new" });
	}

	say(block: "text" | "thinking", text: string): void {
		if (this.#block !== block) {
			this.closeBlock();
			this.#block = block;
			this.#emit({ type: `${block}-start` });
		}
		this.#emit({ type: `${block}-delta`, text });
	}

	closeBlock(): void {
		if (this.#block) this.#emit({ type: `${this.#block}-end` });
		this.#block = undefined;
	}

	/** Calls are told apart by whatever the API tells them apart by. */
	startCall(key: string | number, id: string, name: string): void {
		this.closeBlock();
		this.#calls.set(key, { id, name, text: "" });
		this.#emit({ type: "tool-input-start", id, name });
	}

	callInput(key: string | number, text: string): void {
		const call = this.#calls.get(key)!;
		call.text += text;
		this.#emit({ type: "tool-input-delta", id: call.id, text });
	}

	closeCalls(): void {
		for (const { id, name, text } of this.#calls.values()) {
			this.#emit({ type: "tool-input-end", id });
			this.#emit({ type: "tool-call", id, name, arguments: text || "{}" });
		}
		this.#calls.clear();
	}

	usage(usage: Omit<TokenUsage, "cacheWriteTokens">): void {
		this.#emit({ type: "usage", usage: { cacheWriteTokens: 0, ...usage } });
	}

	end(reason: EndReason): void {
		this.#done = true;
		this.#emit({ type: "turn-end", reason });
	}

	fail(kind: ErrorKind, message: string): void {
		this.#error = new GatewayError(kind, message, { nextStep: "" });
	}

	/** The body has ended: without an end and without an error something is wrong. */
	close(): void {
		if (!this.#done && !this.#error) throw new Error("the stream ended without an end");
		if (this.#done && this.#error) throw new Error("the stream had an error and an end");
	}

	result() {
		const { turn } = this.#collector;
		const joined = (type: "text" | "thinking") =>
			turn.content.map((part) => (part.type === type ? part.text : "")).join("");
		return {
			events: this.#events.filter(({ type }) => type !== "turn-start"),
			turn,
			text: joined("text"),
			thinking: joined("thinking"),
			calls: turn.content.flatMap((part) => (part.type === "tool-call" ? [part] : [])),
			error: this.#error,
			done: this.#done,
		};
	}

	#emit(event: TurnEvent): void {
		this.#grammar.accept(event);
		this.#collector.add(event);
		this.#events.push(event);
		this.#onEvent(event);
	}
}
