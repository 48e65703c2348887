import type { TurnEvent } from "../../turn/event.ts";
import type { ToolDefinition, ToolResultPart } from "../../turn/request.ts";
import type { MachineOutput } from "../protocols/machine.ts";
import type { SizeLimits } from "../run/size-limits.ts";
import { ReplyMeter } from "./reply-meter.ts";
import { TextBlocks } from "./text-blocks.ts";
import { ToldResponse } from "./told-response.ts";
import type { ToolNames } from "./tool-names.ts";
import { type FinishedCall, ToolStep } from "./tool-step.ts";

/** A call that runs at the client. */
export interface PendingCall {
	/** The messages that bring its result to the server. */
	answer(result: ToolResultPart): Uint8Array[];
}

export interface TurnWriterParts {
	names: ToolNames;
	tools: readonly ToolDefinition[];
	/** False: one call a response; further ones wait for theirs. */
	parallelToolCalls: boolean;
	limits: SizeLimits;
	newCallId(): string;
}

/**
 * Writes what a model says and calls as events, response after response: blocks of text and thinking, arguments as they
 * come, and at the calls of a step the end of the response and the wait for their results. Every protocol does this.
 */
export class TurnWriter<P extends PendingCall> {
	/** What the server tells of tokens. */
	readonly told = new ToldResponse();
	readonly #parts: TurnWriterParts;
	readonly #blocks = new TextBlocks();
	readonly #freeform: ReadonlySet<string>;
	readonly #pending = new Map<string, P>();
	/** Calls that the client has not been told of yet. */
	#unsent: { call: FinishedCall; pending: P }[] = [];
	readonly #held: { block: "text" | "thinking"; bytes: Uint8Array }[] = [];
	readonly #meter: ReplyMeter;
	#step: ToolStep;
	#waiting = false;

	constructor(parts: TurnWriterParts) {
		this.#parts = parts;
		this.#meter = new ReplyMeter(parts.limits);
		this.#freeform = new Set(parts.tools.filter(({ kind }) => kind === "freeform").map(({ name }) => name));
		this.#step = this.#newStep();
	}

	/** By the ids that the client knows. */
	get pending(): ReadonlyMap<string, P> {
		return this.#pending;
	}

	/** Anything was said or called since the run began. */
	get said(): boolean {
		return this.#blocks.said;
	}

	/** Arguments of a call have begun to arrive and are not complete. */
	get streaming(): boolean {
		return this.#step.streaming;
	}

	get hasUnsentCalls(): boolean {
		return this.#unsent.length > 0;
	}

	get needsGrace(): boolean {
		return !this.#waiting && this.#unsent.length > 0 && this.#step.uncertain;
	}

	/** What is said between the arguments of a call and the call has no place in a response; it opens the next one. */
	say(block: "text" | "thinking", bytes: Uint8Array, events: TurnEvent[]): void {
		this.#meter.said(bytes.length);
		this.told.said(bytes.length);
		if (this.#step.streaming) this.#held.push({ block, bytes: Buffer.from(bytes) });
		else this.#blocks[block](bytes, events);
	}

	closeBlock(events: TurnEvent[]): void {
		this.#blocks.close(events);
	}

	/** A call of a client's tool is shown, and will be asked for. */
	shown(callId: string): void {
		this.#meter.called(callId);
		this.#step.shown(callId);
	}

	/** So many calls are asked for in this step. */
	listed(count: number, events: TurnEvent[]): void {
		this.#step.listed(count);
		this.endIfComplete(events);
	}

	/** All calls of this step have been shown. */
	allShown(events: TurnEvent[]): void {
		this.#step.allShown();
		this.endIfComplete(events);
	}

	/** A call that was shown will not be asked for: the server has run it. */
	notAsked(callId: string, events: TurnEvent[]): void {
		this.#meter.settled(callId);
		this.#step.notAsked(callId);
		this.endIfComplete(events);
	}

	/** So many bytes of a call's arguments came, wherever they go. Throws where that is too much. */
	argued(callId: string, bytes: number): void {
		this.#meter.argued(callId, bytes);
	}

	/** A piece of the arguments of a call. True where the client gets to see it now. */
	partial(callId: string, wireName: string | undefined, piece: Uint8Array, events: TurnEvent[]): boolean {
		// With one call a response, only what the client will get may be streamed to it.
		if (!this.#parts.parallelToolCalls) {
			if (this.#unsent.length === 0 && wireName !== undefined) this.#step.shown(callId);
			return false;
		}
		this.#blocks.close(events);
		this.#step.partial(callId, wireName, piece, events);
		return true;
	}

	/** A call in full, of a client's tool by one of its names on the wire. Undefined for one that was never offered. */
	asked(callId: string, wireNames: readonly string[], json: string): FinishedCall | undefined {
		this.#meter.arguedInFull(callId, json.length);
		const call = this.#step.asked(callId, wireNames, json);
		if (!call) this.#meter.settled(callId);
		return call;
	}

	/** A call that was made of a built-in request. */
	bridged(callId: string, name: string, args: Record<string, unknown>): FinishedCall {
		this.#step.askedOther(callId);
		const call = this.#step.whole(name, args);
		this.#meter.settled(callId);
		this.#meter.arguedInFull(call.id, call.arguments.length);
		return call;
	}

	/** A request that was answered at once, without the client. */
	settled(callId: string): void {
		this.#meter.settled(callId);
		this.#step.askedOther(callId);
	}

	queue(call: FinishedCall, pending: P): void {
		this.told.said(call.arguments.length);
		this.#unsent.push({ call, pending });
	}

	/** Results of these are not wanted any more; one that still comes is ignored. */
	abandon(isMeant: (pending: P) => boolean): void {
		for (const [callId, pending] of this.#pending) if (isMeant(pending)) this.#pending.delete(callId);
	}

	endIfComplete(events: TurnEvent[]): void {
		if (!this.#waiting && this.#unsent.length > 0 && this.#step.complete) this.endWithCalls(events);
	}

	/** Hands the calls to the client and waits. */
	endWithCalls(events: TurnEvent[]): void {
		this.#blocks.close(events);
		const sending = this.#parts.parallelToolCalls ? this.#unsent : this.#unsent.slice(0, 1);
		this.#unsent = this.#unsent.slice(sending.length);
		for (const { call, pending } of sending) {
			events.push(...call.events);
			this.#pending.set(call.id, pending);
		}
		this.#waiting = true;
		this.#blocks.said = true;
		events.push({ type: "told-usage", told: this.told.take() }, { type: "turn-end", reason: "tool-calls" });
	}

	/** Takes results. True where one of them was waited for. */
	answer(results: readonly ToolResultPart[], out: MachineOutput): boolean {
		let isTaken = false;
		for (const result of results) {
			const call = this.#pending.get(result.callId);
			if (!call) continue;
			this.#pending.delete(result.callId);
			out.messages.push(...call.answer(result));
			isTaken = true;
		}
		if (this.#pending.size > 0) return isTaken;
		this.#waiting = false;
		this.told.resultsGiven();
		this.#meter.responseBegins();
		for (const { block, bytes } of this.#held.splice(0)) this.#blocks[block](bytes, out.events);
		if (this.#unsent.length > 0) this.endWithCalls(out.events);
		else this.#step = this.#newStep();
		return isTaken;
	}

	/** The run goes on in another stream: calls that were not handed over will be made again. */
	forgetUnsent(): void {
		this.#unsent = [];
		this.#meter.stepForgotten();
		this.#step = this.#newStep();
	}

	#newStep(): ToolStep {
		return new ToolStep(this.#parts.names, this.#freeform, this.#parts.newCallId);
	}
}
