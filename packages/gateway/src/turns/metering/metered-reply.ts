import type { TurnSpend } from "../../guard/turn-spend.ts";
import { inSlices } from "../../time/slices.ts";
import { orElse, type Soon, soon } from "../../time/soon.ts";
import { promptLength } from "../../tokens/prompt-length.ts";
import { MESSAGE_TOKENS } from "../../tokens/prompt-tokens.ts";
import { SaidText, type SaidTokens } from "../../tokens/said-text.ts";
import {
	NOTHING_SPENT,
	type SpentOutput,
	settleCache,
	settleInput,
	settleOutput,
	toldInput,
} from "../../tokens/settle-usage.ts";
import { loadTokenEstimator } from "../../tokens/token-estimate.ts";
import { type GatewayError, toGatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { TurnHandle, TurnListener } from "../../turn/listener.ts";
import type { ToldUsage } from "../../turn/told-usage.ts";
import { NO_TOKENS, type TokenUsage } from "../../turn/usage.ts";
import { endTurn, type TurnEnding } from "../turn-ends.ts";
import type { OutcomeWatch } from "../turn-outcome.ts";
import type { ContextMemory } from "./context-memory.ts";
import type { PromptCount } from "./prompt-count.ts";
import type { RunNotes } from "./run-notes.ts";

type TurnEndEvent = Extract<TurnEvent, { type: "turn-end" }>;

export interface MeteredReplyOptions {
	target: TurnListener;
	prompt: PromptCount;
	/** Sees everything that goes to the client, for the ledger. */
	watch: OutcomeWatch;
	/** The dialect reports the length of the prompt at the beginning of a reply. */
	tellsPromptFirst: boolean;
	caller: string;
	/** Keeps what the figures of the next reply depend on. */
	memory: ContextMemory;
	/** The same for other gateways, which may get the next request. */
	notes: RunNotes | undefined;
	/** Told of the length of what was said; its error ends the reply. */
	spend?: Pick<TurnSpend, "spoke"> | undefined;
}

/** Adds token figures to a reply. Exactly what the client gets to see passes through here. */
export class MeteredReply implements TurnListener, TurnEnding {
	readonly #options: MeteredReplyOptions;
	readonly #said = new SaidText();
	#saidTokens: SaidTokens | undefined;
	#told: ToldUsage = {};
	#isParked = false;
	#runId = "";
	/** What another gateway knows of the previous reply is on its way. */
	#learning: Promise<void> | undefined;
	/** A limit has ended it. */
	#isCut = false;
	#begun = false;
	#handle: TurnHandle | undefined;
	/** The events that it ends with, until it has ended. */
	#last: { batch: readonly TurnEvent[]; end: TurnEndEvent } | undefined;
	/** Events that wait until something has been counted. */
	#waiting: (() => void)[] | undefined;

	constructor(options: MeteredReplyOptions) {
		this.#options = options;
	}

	/** Characters so far, thinking included. */
	get length(): number {
		return this.#said.spokenLength;
	}

	/** What identifies the reply in the history of the next request. */
	get name(): string | undefined {
		return this.#said.name;
	}

	attach(handle: TurnHandle): void {
		this.#handle = handle;
		// Counting starts while Cursor is still thinking, so that the first word does not have to wait for it.
		if (this.#options.tellsPromptFirst) {
			void orElse(
				() => this.#options.prompt.count(),
				() => {},
			);
		}
		if (this.#waiting) handle.pause();
	}

	events(batch: readonly TurnEvent[]): void {
		if (this.#isCut) return;
		if (this.#waiting) this.#waiting.push(() => this.events(batch));
		else {
			const before = this.#said.spokenLength;
			for (const event of batch) this.#see(event);
			const isLast = batch[batch.length - 1]?.type === "turn-end";
			const error = this.#options.spend?.spoke(this.#said.spokenLength - before, isLast);
			if (error) this.#cut(error);
			else this.#pass(batch);
		}
	}

	#cut(error: GatewayError): void {
		if (this.#isCut) return;
		this.#isCut = true;
		this.#options.target.failed(error);
		this.#handle?.cancel();
	}

	failed(error: GatewayError): void {
		if (this.#waiting) this.#waiting.push(() => this.failed(error));
		else if (error.kind === "context-too-long") this.#tooLong(error);
		else this.#options.target.failed(error);
	}

	/** Clients want to know by how much. */
	#tooLong(error: GatewayError): void {
		const { prompt, target } = this.#options;
		const counting = orElse(
			() => prompt.count(),
			() => {},
		);
		void soon(counting, () => {
			if (prompt.tokens !== undefined) error.overflow.promptTokens = prompt.tokens;
			target.failed(error);
		});
	}

	#see(event: TurnEvent): void {
		if (event.type === "turn-start") this.#start(event.runId, event.path === "parked");
		else if (event.type === "told-usage") this.#told = event.told;
		else this.#said.add(event);
	}

	#start(runId: string, isParked: boolean): void {
		const { notes, prompt } = this.#options;
		this.#runId = runId;
		this.#isParked = isParked;
		if (!isParked || prompt.earlier || !notes) return;
		this.#learning = notes.noteOf(runId).then((text) => {
			if (text !== undefined) prompt.learn(JSON.parse(text));
		});
	}

	#pass(batch: readonly TurnEvent[]): void {
		const { tellsPromptFirst } = this.#options;
		if (tellsPromptFirst && !this.#begun && batch[0]?.type === "turn-start") return this.#begin(batch);
		const last = batch[batch.length - 1];
		if (last?.type === "turn-end") this.#endSoon(batch, last);
		else this.#deliver(batch);
	}

	#endSoon(batch: readonly TurnEvent[], end: TurnEndEvent): void {
		this.#last = { batch, end };
		endTurn(this);
	}

	endNow(): void {
		const last = this.#last;
		this.#last = undefined;
		if (last) this.#orFail(() => this.#end(last.batch, last.end));
	}

	/** Others end before it, and its last words need not wait for them. */
	postponed(): void {
		if (!this.#last) return;
		const { batch, end } = this.#last;
		this.#last = { batch: [end], end };
		this.#orFail(() => this.#deliver(batch.filter((event) => event !== end && event.type !== "told-usage")));
	}

	/** A mistake fails this reply alone: the ends of all turns come from one callback. */
	#orFail(work: () => void): void {
		try {
			work();
		} catch (error) {
			this.#options.target.failed(toGatewayError(error));
		}
	}

	#deliver(batch: readonly TurnEvent[]): void {
		this.#options.watch.see(batch);
		this.#options.target.events(batch);
	}

	#begin(batch: readonly TurnEvent[]): void {
		const { prompt } = this.#options;
		if (prompt.tokens === undefined) {
			const counting = prompt.count();
			if (counting instanceof Promise) return this.#wait(counting, () => this.#begin(batch));
			return this.#begin(batch);
		}
		this.#begun = true;
		const [start, ...rest] = batch as [TurnEvent, ...TurnEvent[]];
		this.#pass([start, { type: "usage", usage: { ...NO_TOKENS, inputTokens: prompt.tokens } }, ...rest]);
	}

	#end(batch: readonly TurnEvent[], end: TurnEndEvent): void {
		const { prompt } = this.#options;
		const learning = this.#learning;
		this.#learning = undefined;
		if (learning) return this.#endAfter(learning, batch, end);
		const told = this.#told;
		const output = settleOutput(told, this.#spent, this.#saidTokens);
		if (!output) return this.#endAfter(this.#countSaid(), batch, end);
		const figure = toldInput(told, output.outputTokens);
		const inputTokens = figure === undefined ? prompt.tokens : settleInput(figure, prompt.earlier);
		if (inputTokens === undefined) return this.#endAfter(prompt.count(), batch, end);
		const usage = { inputTokens, ...output, ...settleCache(told.run, inputTokens) };
		this.#remember(usage, figure, end.reason === "tool-calls");
		const events: TurnEvent[] = [];
		for (const event of batch) if (event.type !== "told-usage" && event.type !== "turn-end") events.push(event);
		events.push({ type: "usage", usage }, end);
		this.#deliver(events);
	}

	#endAfter(counting: Soon<void>, batch: readonly TurnEvent[], end: TurnEndEvent): void {
		if (counting instanceof Promise) this.#wait(counting, () => this.#end(batch, end));
		else this.#end(batch, end);
	}

	get #spent(): SpentOutput {
		return (this.#isParked && this.#options.prompt.earlier?.spent) || NOTHING_SPENT;
	}

	#countSaid(): Soon<void> {
		const { unseen } = this.#told;
		return soon(loadTokenEstimator(), (estimator) => {
			this.#saidTokens = this.#said.countShort(estimator, unseen);
			if (this.#saidTokens) return;
			return soon(inSlices(this.#said.count(estimator, unseen)), (tokens) => {
				this.#saidTokens = tokens;
			});
		});
	}

	#remember(
		{ inputTokens, outputTokens, reasoningTokens }: TokenUsage,
		figure: number | undefined,
		isParked: boolean,
	): void {
		const { prompt, caller, memory, notes } = this.#options;
		const left = {
			inputTokens,
			toldInputTokens: figure ?? prompt.earlier?.toldInputTokens,
			spent: {
				outputTokens: this.#spent.outputTokens + outputTokens,
				reasoningTokens: this.#spent.reasoningTokens + reasoningTokens,
			},
			contextTokens: inputTokens + outputTokens - reasoningTokens + MESSAGE_TOKENS,
			characters: promptLength(prompt.lengths) + this.#said.length,
		};
		memory.add(caller, this.#said.name, left);
		if (isParked) notes?.note(this.#runId, JSON.stringify(left));
	}

	/** Holds back all events and pauses the run until something has been counted. */
	#wait(counting: Promise<void>, then: () => void): void {
		this.#waiting = [then];
		this.#handle?.pause();
		counting.then(
			() => this.#goOn(),
			(error) => this.#options.target.failed(toGatewayError(error)),
		);
	}

	#goOn(): void {
		const waiting = this.#waiting ?? [];
		this.#waiting = undefined;
		// Each of them may have to wait again, and then the ones behind it wait too.
		while (waiting.length > 0 && !this.#waiting) waiting.shift()!();
		if (this.#waiting) (this.#waiting as (() => void)[]).push(...waiting);
		else this.#handle?.resume();
	}
}
