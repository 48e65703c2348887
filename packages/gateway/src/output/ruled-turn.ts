import type { StartedTurn } from "../sessions/ladder.ts";
import { TextBuffer } from "../text/text-buffer.ts";
import { type GatewayError, toGatewayError } from "../turn/error.ts";
import type { EndReason, TurnEvent } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import type { ToolCallPart, TurnMessage, TurnRequest } from "../turn/request.ts";
import { type ToldUsage, withEarlierAttempt } from "../turn/told-usage.ts";
import type { OutputRule, RuleOutcome } from "./output-rule.ts";

/** What a ruled turn needs of the sessions. */
export interface RuledTurnOptions {
	rule: OutputRule;
	target: TurnListener;
	start(request: TurnRequest, listener: TurnListener): Promise<StartedTurn>;
	/** The run that waits for this call is not needed any more. */
	giveUp(callId: string): void;
	premature: {
		add(clientCalls: readonly string[], ownCalls: readonly ToolCallPart[]): void;
		isPremature(callId: string, precedesResults: boolean): boolean;
		reply(calls: readonly ToolCallPart[]): TurnMessage[];
	};
}

/** What one response of the model brought so far, as far as it is not for the client at once. */
interface Attempt {
	texts: TextBuffer[];
	ownCalls: ToolCallPart[];
	clientCalls: string[];
	told: ToldUsage;
}

/**
 * Holds a response to a rule. Thinking and calls of the client's tools pass as they come. Text waits until it is known
 * whether it keeps the rule, because nothing that was said can be taken back: a rule costs the streaming of text. A
 * response that breaks the rule is repaired once, in the same run where one waits, and then fails.
 */
export class RuledTurn implements TurnListener, TurnHandle {
	readonly #options: RuledTurnOptions;
	#request: TurnRequest;
	#attempt = newAttempt();
	/** What the attempt brings was said before the results of its request were known. */
	#precedesResults = false;
	readonly #ownIds = new Set<string>();
	#handle: TurnHandle | undefined;
	/** What was told of the attempts before. */
	#before: ToldUsage = {};
	#begun = false;
	#repaired = false;
	#cancelled = false;

	constructor(options: RuledTurnOptions, request: TurnRequest) {
		this.#options = options;
		this.#request = request;
	}

	/** Rejects where the turn cannot even be started. */
	async start(): Promise<StartedTurn> {
		const started = await this.#options.start(this.#request, this);
		this.#handle = started.handle;
		this.#precedesResults = started.precedesResults;
		if (this.#cancelled) started.handle.cancel();
		return { ...started, handle: this };
	}

	pause(): void {
		this.#handle?.pause();
	}

	resume(): void {
		this.#handle?.resume();
	}

	cancel(): void {
		this.#cancelled = true;
		this.#handle?.cancel();
	}

	events(batch: readonly TurnEvent[]): void {
		const passed: TurnEvent[] = [];
		for (const event of batch) this.#take(event, passed);
		const last = batch.at(-1);
		if (last?.type === "turn-end") this.#judge(last.reason, passed);
		else this.#pass(passed);
	}

	failed(error: GatewayError): void {
		if (!this.#cancelled) this.#options.target.failed(error);
	}

	#take(event: TurnEvent, passed: TurnEvent[]): void {
		const { texts } = this.#attempt;
		switch (event.type) {
			case "turn-start":
				if (!this.#begun) passed.push(event);
				this.#begun = true;
				return;
			case "text-start":
				texts.push(new TextBuffer());
				return;
			case "text-delta":
				texts[texts.length - 1]?.add(event.text);
				return;
			case "tool-input-start":
			case "tool-input-delta":
			case "tool-input-end":
			case "tool-call":
				return this.#call(event, passed);
			case "told-usage":
				this.#attempt.told = event.told;
				return;
			case "text-end":
			case "turn-end":
				return;
			default:
				passed.push(event);
		}
	}

	#call(event: Extract<TurnEvent, { id: string }>, passed: TurnEvent[]): void {
		const { ownCalls, clientCalls } = this.#attempt;
		if (event.type === "tool-input-start" && event.name === this.#options.rule.ownTool) this.#ownIds.add(event.id);
		const isOwn = this.#ownIds.has(event.id);
		if (event.type === "tool-call" && isOwn) ownCalls.push(event);
		if (isOwn) return;
		if (event.type === "tool-input-start") {
			clientCalls.push(event.id);
			this.#textBesideCalls(passed);
		}
		passed.push(event);
	}

	#judge(reason: EndReason, passed: TurnEvent[]): void {
		const { premature } = this.#options;
		const { texts, ownCalls, clientCalls } = this.#attempt;
		if (clientCalls.length > 0) {
			premature.add(clientCalls, ownCalls);
			this.#textBesideCalls(passed);
			return this.#end(reason, passed);
		}
		if (this.#cancelled) return this.#giveUp();
		if (reason !== "stop" && reason !== "tool-calls")
			return this.#end(reason, [...passed, ...blocksOf(texts.map(String))]);
		this.#pass(passed);
		if (ownCalls.some(({ id }) => premature.isPremature(id, this.#precedesResults)))
			return this.#again(premature.reply(ownCalls));
		void this.#verdict().then((verdict) => (this.#cancelled ? this.#giveUp() : this.#act(verdict)));
	}

	/** The rule's, or why it has none. */
	async #verdict(): Promise<RuleOutcome | GatewayError> {
		const { texts, ownCalls } = this.#attempt;
		try {
			return await this.#options.rule.judge({ texts: texts.map(String), ownCalls });
		} catch (error) {
			return toGatewayError(error);
		}
	}

	#act(verdict: RuleOutcome | GatewayError): void {
		if (verdict.kind === "wrong" && !this.#repaired) {
			this.#repaired = true;
			return this.#again(verdict.repair);
		}
		this.#giveUp();
		if (verdict.kind === "answer") this.#end("stop", blocksOf([verdict.text]));
		else this.failed(verdict.kind === "wrong" ? verdict.error : verdict);
	}

	#textBesideCalls(passed: TurnEvent[]): void {
		const texts = this.#attempt.texts.splice(0);
		if (this.#options.rule.keepsTextBesideCalls) passed.push(...blocksOf(texts.map(String)));
	}

	/** Another attempt, after the model was told something. */
	#again(messages: readonly TurnMessage[]): void {
		const { texts, ownCalls, told } = this.#attempt;
		const unseen = [...texts.map(String), ...ownCalls.map((call) => call.arguments)];
		this.#before = { ...withEarlierAttempt(this.#before, told), unseen: [...(this.#before.unseen ?? []), ...unseen] };
		this.#attempt = newAttempt();
		this.#request = { ...this.#request, messages: [...this.#request.messages, ...messages] };
		this.start().catch((error) => this.failed(toGatewayError(error)));
	}

	#end(reason: EndReason, last: readonly TurnEvent[]): void {
		const told = withEarlierAttempt(this.#before, this.#attempt.told);
		this.#pass([...last, { type: "told-usage", told }, { type: "turn-end", reason }]);
	}

	/** Nothing more is wanted of a run that waits for a reply to its answer. */
	#giveUp(): void {
		for (const { id } of this.#attempt.ownCalls) this.#options.giveUp(id);
	}

	#pass(events: readonly TurnEvent[]): void {
		if (events.length > 0 && !this.#cancelled) this.#options.target.events(events);
	}
}

const newAttempt = (): Attempt => ({ texts: [], ownCalls: [], clientCalls: [], told: {} });

function blocksOf(texts: readonly string[]): TurnEvent[] {
	return texts
		.filter((text) => text !== "")
		.flatMap((text): TurnEvent[] => [{ type: "text-start" }, { type: "text-delta", text }, { type: "text-end" }]);
}
