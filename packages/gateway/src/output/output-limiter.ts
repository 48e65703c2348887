import { inSlices, type Sliced, stretches } from "../time/slices.ts";
import { COUNTED_AT_ONCE } from "../tokens/token-estimate.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import type { OutputLimits } from "../turn/request.ts";
import { StopCutter } from "./stop-sequences.ts";
import { TokenCap } from "./token-cap.ts";

/**
 * Ends a reply at a stop sequence or after a number of tokens. Cursor supports neither, so the text is cut here, at the
 * exact place, and the run is cancelled so that output nobody will read is not paid for.
 */
export class OutputLimiter implements TurnListener {
	readonly #target: TurnListener;
	readonly #cutter: StopCutter;
	readonly #tokens: TokenCap | undefined;
	/** Batches whose tokens cannot be counted yet or are being counted. Undefined while batches are judged at once. */
	#waiting: (readonly TurnEvent[])[] | undefined;
	#handle: TurnHandle | undefined;
	#ended = false;
	#failure: GatewayError | undefined;

	private constructor(target: TurnListener, cutter: StopCutter, tokens: TokenCap | undefined) {
		this.#target = target;
		this.#cutter = cutter;
		this.#tokens = tokens;
	}

	/** Undefined if the request sets no limits. */
	static for(limits: OutputLimits, target: TurnListener): OutputLimiter | undefined {
		if (limits.stop.length === 0 && limits.maxOutputTokens === undefined) return undefined;
		const tokens = limits.maxOutputTokens === undefined ? undefined : new TokenCap(limits.maxOutputTokens);
		return new OutputLimiter(target, new StopCutter(limits.stop), tokens);
	}

	attach(handle: TurnHandle): void {
		this.#handle = handle;
		if (this.#ended) handle.cancel();
	}

	events(batch: readonly TurnEvent[]): void {
		if (this.#waiting) this.#waiting.push(batch);
		else if (this.#tokens && !this.#tokens.isReadyFor(spokenLength(batch))) void this.#judgeLater(this.#tokens, batch);
		else this.#judge(batch);
	}

	/** Pauses Cursor and holds all events back until the token tables are loaded and everything is counted. */
	async #judgeLater(tokens: TokenCap, batch: readonly TurnEvent[]): Promise<void> {
		this.#waiting = [batch];
		this.#handle?.pause();
		await tokens.prepare();
		await inSlices(this.#judgeWaiting(this.#waiting));
		if (this.#failure && !this.#ended) this.#target.failed(this.#failure);
		this.#handle?.resume();
	}

	*#judgeWaiting(waiting: (readonly TurnEvent[])[]): Sliced<void> {
		for (let batch = waiting.shift(); batch && !this.#ended; batch = waiting.shift()) {
			for (const group of shortBatches(batch)) {
				this.#judge(group);
				yield;
			}
		}
		this.#waiting = undefined;
	}

	#judge(batch: readonly TurnEvent[]): void {
		if (this.#ended) return;
		const passed: TurnEvent[] = [];
		for (const event of batch) {
			this.#pass(event, passed);
			if (this.#ended) break;
		}
		if (passed.length > 0) this.#target.events(passed);
		if (this.#ended && passed.at(-1)?.type === "turn-end") this.#handle?.cancel();
	}

	failed(error: GatewayError): void {
		if (this.#waiting) this.#failure = error;
		else if (!this.#ended) this.#target.failed(error);
	}

	#pass(event: TurnEvent, passed: TurnEvent[]): void {
		switch (event.type) {
			case "text-delta":
				return this.#text(this.#cutter.push(event.text), "text", passed);
			case "text-end":
				this.#text(this.#cutter.end(), "text", passed);
				this.#rest("text", passed);
				if (!this.#ended) passed.push(event);
				return;
			case "thinking-delta":
				return this.#text(event.text, "thinking", passed);
			case "thinking-end":
				this.#rest("thinking", passed);
				if (!this.#ended) passed.push(event);
				return;
			default:
				break;
		}
		passed.push(event);
	}

	#text(text: string, block: "text" | "thinking", passed: TurnEvent[]): void {
		const allowed = this.#tokens && text !== "" ? this.#tokens.push(text) : text;
		if (allowed !== "") passed.push({ type: `${block}-delta`, text: allowed });
		if (this.#tokens?.reached) return this.#cut(block, "length", passed);
		if (block === "text" && this.#cutter.stoppedBy !== undefined) this.#cut(block, "stop", passed);
	}

	/** Passes on what was held back because of the limit. */
	#rest(block: "text" | "thinking", passed: TurnEvent[]): void {
		if (this.#ended || !this.#tokens) return;
		const rest = this.#tokens.end();
		if (rest !== "") passed.push({ type: `${block}-delta`, text: rest });
		if (this.#tokens.reached) this.#cut(block, "length", passed);
	}

	#cut(block: "text" | "thinking", reason: "length" | "stop", passed: TurnEvent[]): void {
		if (this.#ended) return;
		this.#ended = true;
		const stopSequence = reason === "stop" ? this.#cutter.stoppedBy : undefined;
		passed.push({ type: `${block}-end` }, { type: "turn-end", reason, ...(stopSequence && { stopSequence }) });
	}
}

/** How many characters of a batch count as output. */
function spokenLength(batch: readonly TurnEvent[]): number {
	let length = 0;
	for (const event of batch) length += isSpoken(event) ? event.text.length : 0;
	return length;
}

const isSpoken = (event: TurnEvent) => event.type === "text-delta" || event.type === "thinking-delta";

/** Splits a batch into short ones, so that counting the tokens of each takes only a moment. */
function* shortBatches(batch: readonly TurnEvent[]): Generator<TurnEvent[], void, undefined> {
	let group: TurnEvent[] = [];
	let length = 0;
	for (const event of batch) {
		for (const short of isSpoken(event) ? shortDeltas(event) : [event]) {
			group.push(short);
			length += isSpoken(short) ? short.text.length : 0;
			if (length < COUNTED_AT_ONCE) continue;
			yield group;
			group = [];
			length = 0;
		}
	}
	yield group;
}

function shortDeltas(delta: Extract<TurnEvent, { type: "text-delta" | "thinking-delta" }>): TurnEvent[] {
	return [...stretches(delta.text, COUNTED_AT_ONCE)].map((text) => ({ ...delta, text }));
}
