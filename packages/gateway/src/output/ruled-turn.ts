import type { StartedTurn } from "../sessions/started-turn.ts";
import { TextBuffer } from "../text/text-buffer.ts";
import { type GatewayError, toGatewayError } from "../turn/error.ts";
import type { EndReason, TurnEvent } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import type { ToolCallPart, TurnMessage, TurnRequest } from "../turn/request.ts";
import { type ToldUsage, withEarlierAttempt } from "../turn/told-usage.ts";
import type { OutputRule, RuleOutcome } from "./output-rule.ts";

/** What a ruled turn needs from the sessions. */
export interface RuledTurnOptions {
	rule: OutputRule;
	target: TurnListener;
	open(request: TurnRequest, listener: TurnListener): Promise<StartedTurn>;
	/** The run that waits for a result of this call is no longer needed. */
	giveUp(callId: string): void;
	premature: {
		add(clientCalls: readonly string[], ownCalls: readonly ToolCallPart[]): void;
		isPremature(callId: string, precedesResults: boolean): boolean;
		rejectionOf(calls: readonly ToolCallPart[]): TurnMessage[];
	};
}

/** What one reply of the model has brought so far and the client does not get at once. */
interface Attempt {
	texts: TextBuffer[];
	ownCalls: ToolCallPart[];
	clientCalls: string[];
	told: ToldUsage;
}

/**
 * Makes a reply keep a rule. Thinking and calls of the client's tools pass at once. Text waits until it is known
 * whether it keeps the rule, because text that was sent cannot be taken back; so a rule costs the streaming of text.
 * When a reply breaks the rule, the model is told what is wrong and tries once more, in the same run if one is waiting.
 * If that fails too, the turn fails.
 */
export class RuledTurn implements TurnListener, TurnHandle {
	readonly #options: RuledTurnOptions;
	#request: TurnRequest;
	#attempt = newAttempt();
	/** The model said this before it knew the results that the request brought. */
	#precedesResults = false;
	readonly #ownIds = new Set<string>();
	#handle: TurnHandle | undefined;
	/** What Cursor reported about the tokens of earlier attempts. */
	#before: ToldUsage = {};
	#begun = false;
	#repaired = false;
	#cancelled = false;

	constructor(options: RuledTurnOptions, request: TurnRequest) {
		this.#options = options;
		this.#request = request;
	}

	/** Opens the reply. Rejects when that is not possible. */
	async open(): Promise<StartedTurn> {
		const started = await this.#options.open(this.#request, this);
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
			return this.#again(premature.rejectionOf(ownCalls));
		void this.#outcome().then((outcome) => (this.#cancelled ? this.#giveUp() : this.#act(outcome)));
	}

	/** What the rule says of the reply, or the error that kept it from saying anything. */
	async #outcome(): Promise<RuleOutcome | GatewayError> {
		const { texts, ownCalls } = this.#attempt;
		try {
			return await this.#options.rule.judge({ texts: texts.map(String), ownCalls });
		} catch (error) {
			return toGatewayError(error);
		}
	}

	#act(outcome: RuleOutcome | GatewayError): void {
		if (outcome.kind === "wrong" && !this.#repaired) {
			this.#repaired = true;
			return this.#again(outcome.repair);
		}
		this.#giveUp();
		if (outcome.kind === "kept") this.#end("stop", blocksOf([outcome.text]));
		else this.failed(outcome.kind === "wrong" ? outcome.error : outcome);
	}

	#textBesideCalls(passed: TurnEvent[]): void {
		const texts = this.#attempt.texts.splice(0);
		if (this.#options.rule.keepsTextBesideCalls) passed.push(...blocksOf(texts.map(String)));
	}

	/** Asks the model again, with these messages added to the conversation. */
	#again(messages: readonly TurnMessage[]): void {
		const { texts, ownCalls, told } = this.#attempt;
		const unseen = [...texts.map(String), ...ownCalls.map((call) => call.arguments)];
		this.#before = { ...withEarlierAttempt(this.#before, told), unseen: [...(this.#before.unseen ?? []), ...unseen] };
		this.#attempt = newAttempt();
		this.#request = { ...this.#request, messages: [...this.#request.messages, ...messages] };
		this.open().catch((error) => this.failed(toGatewayError(error)));
	}

	#end(reason: EndReason, last: readonly TurnEvent[]): void {
		const told = withEarlierAttempt(this.#before, this.#attempt.told);
		this.#pass([...last, { type: "told-usage", told }, { type: "turn-end", reason }]);
	}

	/** Ends the run that still waits for results of its calls of the rule's own tool. */
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
