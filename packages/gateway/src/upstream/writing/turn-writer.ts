import type { TurnEvent } from "../../turn/event.ts";
import type { ToolDefinition, ToolResultPart } from "../../turn/request.ts";
import type { MachineOutput, ToolUse } from "../protocols/machine.ts";
import type { SizeLimits } from "../run/size-limits.ts";
import { ReplyMeter } from "./reply-meter.ts";
import { TextBlocks } from "./text-blocks.ts";
import { ToldResponse } from "./told-response.ts";
import type { ToolNames } from "./tool-names.ts";
import { type FinishedCall, ToolStep } from "./tool-step.ts";

const NO_TOOLS: ReadonlySet<string> = new Set();
const NO_CALLS: ReadonlyMap<string, never> = new Map<string, never>();

/** A call that runs at the client. */
export interface PendingCall {
	/** The client's tool, once the call has been sent to it. */
	tool?: string;
	/** For one of Cursor's own tools, which the client's tool stands for. */
	isBuiltIn?: true;
	/** The messages that carry its result to the server. */
	answer(result: ToolResultPart): Uint8Array[];
}

export interface TurnWriterParts {
	names: ToolNames;
	tools: readonly ToolDefinition[];
	/** If false, there is one call per reply, and further calls wait for a later one. */
	parallelToolCalls: boolean;
	limits: SizeLimits;
	newCallId(): string;
}

/**
 * Writes the model's output as events, one reply after another: blocks of text and thinking, arguments as they arrive,
 * and, once a step's calls are complete, the end of the reply and the wait for their results. All protocols use it.
 */
export class TurnWriter<P extends PendingCall> implements ToolUse {
	/** What the server reports about token usage. */
	readonly told = new ToldResponse();
	readonly refused = { client: 0, builtin: 0 };
	readonly #parts: TurnWriterParts;
	readonly #blocks = new TextBlocks();
	/** Made for the first call. */
	#pending: Map<string, P> | undefined;
	/** Calls that have not been sent to the client yet. */
	#unsent: { call: FinishedCall; pending: P }[] = [];
	readonly #held: { block: "text" | "thinking"; bytes: Uint8Array }[] = [];
	readonly #meter: ReplyMeter;
	/** Undefined until the model makes a call. */
	#step: ToolStep | undefined;
	#waiting = false;

	constructor(parts: TurnWriterParts) {
		this.#parts = parts;
		this.#meter = new ReplyMeter(parts.limits);
	}

	/** By the ids that the client knows. */
	get pending(): ReadonlyMap<string, P> {
		return this.#pending ?? NO_CALLS;
	}

	get pendingTools(): string[] {
		return Array.from(this.pending.values(), ({ tool }) => tool ?? "");
	}

	get pendingBuiltIns(): number {
		return [...this.pending.values()].filter(({ isBuiltIn }) => isBuiltIn).length;
	}

	/** Whether there was any output since the run began. */
	get said(): boolean {
		return this.#blocks.said;
	}

	/** Arguments of a call have begun to arrive and are not complete. */
	get streaming(): boolean {
		return this.#step?.streaming ?? false;
	}

	get hasUnsentCalls(): boolean {
		return this.#unsent.length > 0;
	}

	get needsGrace(): boolean {
		return !this.#waiting && this.#unsent.length > 0 && this.#currentStep.uncertain;
	}

	/** Text between a call's arguments and the call itself has no place in this reply, so it starts the next one. */
	say(block: "text" | "thinking", bytes: Uint8Array, events: TurnEvent[], start = 0, end = bytes.length): void {
		this.#meter.said(end - start);
		this.told.said(end - start);
		if (this.streaming) this.#held.push({ block, bytes: Buffer.from(bytes.subarray(start, end)) });
		else this.#blocks[block](bytes, events, start, end);
	}

	closeBlock(events: TurnEvent[]): void {
		this.#blocks.close(events);
	}

	/** A call of a client tool was shown and will be asked for. */
	shown(callId: string): void {
		this.#meter.called(callId);
		this.#currentStep.shown(callId);
	}

	/** The number of calls in this step. */
	listed(count: number, events: TurnEvent[]): void {
		this.#currentStep.listed(count);
		this.endIfComplete(events);
	}

	/** All calls of this step have been shown. */
	allShown(events: TurnEvent[]): void {
		this.#currentStep.allShown();
		this.endIfComplete(events);
	}

	/** A call that was shown will not be asked for, because the server ran it itself. */
	notAsked(callId: string, events: TurnEvent[]): void {
		this.#meter.settled(callId);
		this.#currentStep.notAsked(callId);
		this.endIfComplete(events);
	}

	/** Counts bytes of a call's arguments, wherever they go. Throws if they exceed a limit. */
	argued(callId: string, bytes: number): void {
		this.#meter.argued(callId, bytes);
	}

	/** A piece of a call's arguments. Returns whether the client gets to see it now. */
	partial(callId: string, wireName: string | undefined, piece: Uint8Array, events: TurnEvent[]): boolean {
		// With one call per reply, only the call that the client will get may be streamed to it.
		if (!this.#parts.parallelToolCalls) {
			if (this.#unsent.length === 0 && wireName !== undefined) this.#currentStep.shown(callId);
			return false;
		}
		this.#blocks.close(events);
		this.#currentStep.partial(callId, wireName, piece, events);
		return true;
	}

	/** A complete call of a client tool, by one of its names on the wire. Undefined if the tool was never offered. */
	asked(callId: string, wireNames: readonly string[], json: string): FinishedCall | undefined {
		this.#meter.arguedInFull(callId, json.length);
		const call = this.#currentStep.asked(callId, wireNames, json);
		if (call) return call;
		this.#meter.settled(callId);
		this.refused.client++;
		return undefined;
	}

	/** A call that was made from a built-in request. */
	bridged(callId: string, name: string, args: Record<string, unknown>): FinishedCall {
		this.#currentStep.askedOther(callId);
		const call = this.#currentStep.whole(name, args);
		this.#meter.settled(callId);
		this.#meter.arguedInFull(call.id, call.arguments.length);
		return call;
	}

	/** A request that was answered at once, without the client. */
	settled(callId: string, isRefusal = false): void {
		if (isRefusal) this.refused.builtin++;
		this.#meter.settled(callId);
		this.#currentStep.askedOther(callId);
	}

	queue(call: FinishedCall, pending: P): void {
		this.told.said(call.arguments.length);
		this.#unsent.push({ call, pending });
	}

	/** Results for these calls are no longer wanted. Any that still arrive are ignored. */
	abandon(isMeant: (pending: P) => boolean): void {
		for (const [callId, pending] of this.pending) if (isMeant(pending)) this.#pending?.delete(callId);
	}

	endIfComplete(events: TurnEvent[]): void {
		if (!this.#waiting && this.#unsent.length > 0 && this.#currentStep.complete) this.endWithCalls(events);
	}

	/** Sends the calls to the client and waits for their results. */
	endWithCalls(events: TurnEvent[]): void {
		this.#blocks.close(events);
		const sending = this.#parts.parallelToolCalls ? this.#unsent : this.#unsent.slice(0, 1);
		this.#unsent = this.#unsent.slice(sending.length);
		for (const { call, pending } of sending) {
			events.push(...call.events);
			pending.tool = call.name;
			this.#pending ??= new Map();
			this.#pending.set(call.id, pending);
		}
		this.#waiting = true;
		this.#blocks.said = true;
		events.push({ type: "told-usage", told: this.told.take() }, { type: "turn-end", reason: "tool-calls" });
	}

	/** Takes results. Returns whether any of them was expected. */
	answer(results: readonly ToolResultPart[], out: MachineOutput): boolean {
		let isTaken = false;
		for (const result of results) {
			const call = this.#pending?.get(result.callId);
			if (!call) continue;
			this.#pending?.delete(result.callId);
			out.messages.push(...call.answer(result));
			isTaken = true;
		}
		if (this.pending.size > 0) return isTaken;
		this.#waiting = false;
		this.told.resultsGiven();
		this.#meter.responseBegins();
		for (const { block, bytes } of this.#held.splice(0)) this.#blocks[block](bytes, out.events);
		if (this.#unsent.length > 0) this.endWithCalls(out.events);
		else this.#step = undefined;
		return isTaken;
	}

	/** The run continues in another stream, so calls that were not sent yet will be made again. */
	forgetUnsent(): void {
		this.#unsent = [];
		this.#meter.stepForgotten();
		this.#step = undefined;
	}

	get #currentStep(): ToolStep {
		this.#step ??= new ToolStep(this.#parts.names, freeformTools(this.#parts.tools), this.#parts.newCallId);
		return this.#step;
	}
}

function freeformTools(tools: readonly ToolDefinition[]): ReadonlySet<string> {
	const freeform = tools.filter(({ kind }) => kind === "freeform");
	return freeform.length === 0 ? NO_TOOLS : new Set(freeform.map(({ name }) => name));
}
