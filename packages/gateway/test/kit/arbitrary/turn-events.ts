import fc from "fast-check";
import type { EndReason, Rung, TurnEvent } from "../../../src/turn/event.ts";
import type { TokenUsage } from "../../../src/turn/usage.ts";

// For tests only: what every encoder and every machine is held to.

/**
 * Text as a model may write it and as nobody should have to read it: line breaks, NUL, separators of lines that only
 * some readers know, what looks like our own framing, lone surrogates. Deltas hold whole characters, so none ends
 * with the first half of a pair.
 */
export const hostileText: fc.Arbitrary<string> = fc
	.oneof(
		fc.string({ unit: "grapheme", maxLength: 12 }),
		fc.string({ unit: "binary", maxLength: 6 }),
		fc.constantFrom("\r\n\r\n", "\n", "\0", "\u2028", "\u2029", "\u0085", "\\", '"', "\udc00", "\ud800.", "\ufeff"),
		fc.constantFrom("data: [DONE]\n\n", "event: error\ndata: {}\n\n", ": comment\n", '"}}]}\n\n', "</script>"),
	)
	.map((text) => (/[\ud800-\udbff]$/.test(text) ? `${text}.` : text));

const count = fc.nat({ max: 100_000 });
const usageArbitrary: fc.Arbitrary<TokenUsage> = fc
	.tuple(count, count, count, count)
	.map(([fresh, cached, written, spoken]) => ({
		inputTokens: fresh + cached + written,
		outputTokens: spoken * 2,
		cachedInputTokens: cached,
		cacheWriteTokens: written,
		reasoningTokens: spoken,
	}));

/** One decision on the way: which of the legal moves to make, and what to put into it. */
interface Step {
	move: number;
	text: string;
	usage: TokenUsage;
}

/** Every legal order of events, by grammar.ts: a walk over the moves that are legal after each event. */
export const turnEventsArbitrary: fc.Arbitrary<TurnEvent[]> = fc
	.record({
		runId: fc.uuid(),
		path: fc.constantFrom<Rung>("new", "parked", "checkpoint", "rebuild"),
		steps: fc.array(fc.record({ move: fc.nat(), text: hostileText, usage: usageArbitrary }), { maxLength: 40 }),
		end: fc.constantFrom<EndReason>("stop", "length", "tool-calls", "refusal", "filtered"),
	})
	.map(({ runId, path, steps, end }) => {
		const walk = new Walk();
		walk.events.push({ type: "turn-start", runId, model: "model", path });
		for (const step of steps) walk.take(step);
		walk.close(end);
		return walk.events;
	});

/** The same events as they may come from a socket: in batches, some of them empty. */
export const turnBatchesArbitrary: fc.Arbitrary<TurnEvent[][]> = fc
	.tuple(turnEventsArbitrary, fc.array(fc.nat({ max: 5 })))
	.map(([events, sizes]) => {
		const batches: TurnEvent[][] = [];
		for (let start = 0; start < events.length; ) {
			const size = sizes[batches.length] ?? 1;
			batches.push(events.slice(start, start + size));
			start += size;
		}
		return batches;
	});

class Walk {
	readonly events: TurnEvent[] = [];
	#block: "text" | "thinking" | undefined;
	#calls = 0;
	/** Calls that are not complete, by the arguments so far. */
	readonly #inputs = new Map<string, { name: string; text: string; closed: boolean }>();

	take({ move, text, usage }: Step): void {
		const moves = this.#moves(text, usage);
		const chosen = moves[move % moves.length] as () => void;
		chosen();
	}

	/** Completes what is open, so that the turn may end. */
	close(end: EndReason): void {
		if (this.#block) this.#endBlock(this.#block);
		for (const id of [...this.#inputs.keys()]) {
			if (!this.#inputs.get(id)?.closed) this.#closeInput(id);
			this.#complete(id);
		}
		const reason = end === "tool-calls" && this.#calls === 0 ? "stop" : end;
		this.events.push({ type: "turn-end", reason });
	}

	#moves(text: string, usage: TokenUsage): (() => void)[] {
		const block = this.#block;
		const anywhere = [
			() => this.events.push({ type: "activity" }),
			() => this.events.push({ type: "usage", usage }),
			() => this.events.push({ type: "told-usage", told: { outputTokens: usage.outputTokens } }),
		];
		if (block) {
			const delta = () => this.events.push({ type: `${block}-delta`, text });
			return [...anywhere, delta, delta, delta, () => this.#endBlock(block, text)];
		}
		const open = [...this.#inputs].filter(([, { closed }]) => !closed).map(([id]) => id);
		const closed = [...this.#inputs].filter((entry) => entry[1].closed).map(([id]) => id);
		return [
			...anywhere,
			() => this.#startInput(),
			...open.flatMap((id) => [() => this.#addInput(id, text), () => this.#closeInput(id)]),
			...closed.map((id) => () => this.#complete(id)),
			...(open.length > 0 ? [] : [() => this.#startBlock("text"), () => this.#startBlock("thinking")]),
		];
	}

	#startBlock(block: "text" | "thinking"): void {
		this.#block = block;
		this.events.push({ type: `${block}-start` });
	}

	#endBlock(block: "text" | "thinking", signature = ""): void {
		this.#block = undefined;
		if (block === "text") this.events.push({ type: "text-end" });
		else this.events.push({ type: "thinking-end", ...(signature && { signature }) });
	}

	#startInput(): void {
		const id = `call_${++this.#calls}`;
		const name = `tool_${this.#calls % 3}`;
		this.#inputs.set(id, { name, text: "", closed: false });
		this.events.push({ type: "tool-input-start", id, name });
	}

	#addInput(id: string, text: string): void {
		const input = this.#inputs.get(id);
		if (input) input.text += text;
		this.events.push({ type: "tool-input-delta", id, text });
	}

	#closeInput(id: string): void {
		const input = this.#inputs.get(id);
		if (input) input.closed = true;
		this.events.push({ type: "tool-input-end", id });
	}

	#complete(id: string): void {
		const input = this.#inputs.get(id);
		this.#inputs.delete(id);
		if (input) this.events.push({ type: "tool-call", id, name: input.name, arguments: input.text });
	}
}
