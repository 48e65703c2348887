import { fromBinary } from "@bufbuild/protobuf";
import {
	type AgentServerMessage,
	AgentServerMessageSchema,
	type ConversationStateStructure,
	type ExecServerMessage,
	type InteractionQuery,
	type InteractionUpdate,
	type KvServerMessage,
	type TurnEndedUpdate,
} from "@cursorwire/protocol/agent";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { type ImagePart, type ToolDefinition, type ToolResultPart, textOf } from "../../turn/request.ts";
import { bridgeExec } from "../bridge/bridge-exec.ts";
import { defaultQueryAnswer } from "../bridge/query-answers.ts";
import { TextBlocks } from "../text-blocks.ts";
import type { ToolNames } from "../tool-names.ts";
import { type FinishedCall, ToolStep } from "../tool-step.ts";
import type { RunBlobs } from "./blobs.ts";
import {
	blobRead,
	blobStored,
	contextAnswer,
	type ExecAnswer,
	encodeClientMessage,
	execAnswers,
	execHeartbeat,
	execThrow,
} from "./client-messages.ts";
import { FastFrame, FastKind } from "./fast-frames.ts";
import { UsageCount } from "./usage-count.ts";

export interface MachineParts {
	names: ToolNames;
	tools: readonly ToolDefinition[];
	/** The request context, serialised. */
	context: Uint8Array;
	blobs: RunBlobs;
	/** False: one call a response; further ones wait for theirs. */
	parallelToolCalls: boolean;
	/** Whether Cursor may search and fetch the web on its own servers. */
	approveWeb: boolean;
	estimatedInputTokens: number;
	newCallId(): string;
	/** Something that a newer server may send. Counted, never fatal. */
	unknown(what: string): void;
}

/** What one step of the machine yields: events for the client, messages for the server. */
export interface MachineOutput {
	events: TurnEvent[];
	messages: Uint8Array[];
}

interface PendingCall {
	execId: number;
	answer(result: ToolResultPart): ExecAnswer[];
}

/**
 * The agent protocol without any I/O: frames in, events and messages out. One machine serves a whole run, which may span
 * several responses: at tool calls a response ends, and the run waits until their results are given.
 */
export class AgentMachine {
	readonly #parts: MachineParts;
	readonly #fast = new FastFrame();
	readonly #blocks = new TextBlocks();
	readonly #usage: UsageCount;
	readonly #freeform: ReadonlySet<string>;
	readonly #pending = new Map<string, PendingCall>();
	/** Calls that the client has not been told of yet. */
	#unsent: { call: FinishedCall; pending: PendingCall }[] = [];
	readonly #held: { block: "text" | "thinking"; bytes: Uint8Array }[] = [];
	#step: ToolStep;
	#waiting = false;
	#turnEnded: TurnEndedUpdate | undefined;
	#checkpoint: ConversationStateStructure | undefined;
	#outputSinceCheckpoint = false;

	constructor(parts: MachineParts) {
		this.#parts = parts;
		this.#usage = new UsageCount(parts.estimatedInputTokens);
		this.#freeform = new Set(parts.tools.filter(({ kind }) => kind === "freeform").map(({ name }) => name));
		this.#step = this.#newStep();
	}

	/** The response has ended in tool calls; the run goes on when `answer` was called for all of them. */
	get waiting(): boolean {
		return this.#waiting;
	}

	get pendingCalls(): string[] {
		return [...this.#pending.keys()];
	}

	/** The model has said all; only the end of the stream is missing. */
	get turnEnded(): boolean {
		return this.#turnEnded !== undefined;
	}

	/** The newest state that Cursor gave us. */
	get checkpoint(): ConversationStateStructure | undefined {
		return this.#checkpoint;
	}

	/** Going on from the checkpoint repeats nothing that was said. */
	get resumable(): boolean {
		return this.#checkpoint !== undefined && !this.#outputSinceCheckpoint && !this.turnEnded && !this.#step.streaming;
	}

	/** Calls are there, and only time can tell whether more will come. */
	get needsGrace(): boolean {
		return !this.#waiting && this.#unsent.length > 0 && this.#step.uncertain;
	}

	/** The run goes on in another stream, from the checkpoint. */
	reconnect(): void {
		this.#unsent = [];
		this.#step = this.#newStep();
	}

	/** One message of the server. */
	receive(frame: Uint8Array, out: MachineOutput): void {
		switch (this.#fast.read(frame)) {
			case FastKind.text:
				return this.#say("text", frame.subarray(this.#fast.start, this.#fast.end), out);
			case FastKind.thinking:
				return this.#say("thinking", frame.subarray(this.#fast.start, this.#fast.end), out);
			case FastKind.tokens:
				return this.#usage.tokens(this.#fast.tokens);
			case FastKind.heartbeat:
				out.events.push({ type: "activity" });
				return;
			default:
				this.#general(decode(frame), out);
		}
	}

	/** The grace period for further calls is over. */
	graceElapsed(out: MachineOutput): void {
		if (this.needsGrace) this.#endWithCalls(out);
	}

	/** The results of pending calls; unknown ids are ignored. When none is open any more, the run goes on. */
	answer(results: readonly ToolResultPart[], out: MachineOutput): void {
		for (const result of results) {
			const call = this.#pending.get(result.callId);
			if (!call) continue;
			this.#pending.delete(result.callId);
			out.messages.push(...execAnswers(call.execId, call.answer(result)));
			// A checkpoint from before lacks this result: going on from it would ask for it again.
			this.#outputSinceCheckpoint = true;
		}
		if (this.#pending.size > 0) return;
		this.#waiting = false;
		for (const { block, bytes } of this.#held.splice(0)) this.#blocks[block](bytes, out.events);
		if (this.#unsent.length > 0) this.#endWithCalls(out);
		else this.#step = this.#newStep();
	}

	/** Sent for every call that runs at the client. */
	execHeartbeats(): Uint8Array[] {
		return [...this.#pending.values()].map(({ execId }) => execHeartbeat(execId));
	}

	/** The stream has ended in order. Throws where that is no end of a turn. */
	streamEnded(out: MachineOutput): void {
		if (!this.#turnEnded) {
			throw new GatewayError("upstream-protocol", "Cursor closed the stream before the turn had ended.");
		}
		this.#blocks.close(out.events);
		if (this.#step.streaming) {
			throw new GatewayError("upstream-protocol", "Cursor ended the turn in the middle of a tool call.");
		}
		if (!this.#blocks.said) throw new GatewayError("upstream-empty");
		out.events.push({ type: "usage", usage: this.#usage.atEnd(this.#turnEnded) }, { type: "turn-end", reason: "stop" });
	}

	#general({ message }: AgentServerMessage, out: MachineOutput): void {
		switch (message.case) {
			case "interactionUpdate":
				return this.#update(message.value.message, out);
			case "kvServerMessage":
				return this.#blob(message.value, out);
			case "execServerMessage":
				return this.#exec(message.value, out);
			case "interactionQuery":
				return this.#query(message.value, out);
			case "conversationCheckpointUpdate":
				this.#checkpoint = message.value;
				this.#outputSinceCheckpoint = false;
				return this.#usage.checkpoint(message.value);
			case "execServerControlMessage":
				return this.#abort(message.value.message.value?.id);
			default:
				return this.#parts.unknown("server message");
		}
	}

	#update(update: InteractionUpdate["message"], out: MachineOutput): void {
		switch (update.case) {
			case "textDelta":
				return this.#say("text", update.value.text, out);
			case "thinkingDelta":
				return this.#say("thinking", update.value.text, out);
			case "thinkingCompleted":
				return this.#blocks.close(out.events);
			case "tokenDelta":
				return this.#usage.tokens(update.value.tokens);
			case "partialToolCall":
				return this.#partialCall(update.value, out);
			case "toolCallStarted":
				return this.#step.shown(update.value.callId, update.value.toolCall);
			case "toolRequestsListed":
				this.#step.listed(update.value.callCount);
				return this.#endIfComplete(out);
			case "turnEnded":
				this.#turnEnded = update.value;
				return;
			case undefined:
				return this.#parts.unknown("interaction update");
			default:
				out.events.push({ type: "activity" });
		}
	}

	/** What is said between the arguments of a call and the call has no place in a response; it opens the next one. */
	#say(block: "text" | "thinking", bytes: Uint8Array, out: MachineOutput): void {
		this.#outputSinceCheckpoint = true;
		if (this.#step.streaming) this.#held.push({ block, bytes: Buffer.from(bytes) });
		else this.#blocks[block](bytes, out.events);
	}

	#partialCall(
		update: Extract<InteractionUpdate["message"], { case: "partialToolCall" }>["value"],
		out: MachineOutput,
	): void {
		// With one call a response, only what the client will get may be streamed to it.
		if (!this.#parts.parallelToolCalls && this.#unsent.length > 0) return;
		if (!this.#parts.parallelToolCalls) return this.#step.shown(update.callId, update.toolCall);
		this.#blocks.close(out.events);
		this.#outputSinceCheckpoint = true;
		this.#step.partial(update.callId, update.toolCall, update.argsTextDelta, out.events);
	}

	#blob({ id, message }: KvServerMessage, out: MachineOutput): void {
		if (message.case === "setBlobArgs") {
			this.#parts.blobs.set(message.value.blobId, message.value.blobData);
			out.messages.push(blobStored(id));
			return;
		}
		const data = message.case === "getBlobArgs" ? this.#parts.blobs.get(message.value.blobId) : undefined;
		if (message.case === "getBlobArgs" && !data) {
			throw new GatewayError("upstream-protocol", "Cursor asked for a part of the conversation that is not here.");
		}
		if (message.case === undefined) this.#parts.unknown("blob request");
		out.messages.push(blobRead(id, data));
	}

	#exec(exec: ExecServerMessage, out: MachineOutput): void {
		const { id, message } = exec;
		if (message.case === "requestContextArgs") {
			out.messages.push(...contextAnswer(id, this.#parts.context));
			return;
		}
		if (message.case === undefined) this.#parts.unknown("exec request");
		if (message.case === "mcpArgs") this.#clientCall(id, message.value, out);
		else this.#builtIn(exec, out);
		this.#endIfComplete(out);
	}

	#clientCall(execId: number, args: Parameters<ToolStep["asked"]>[0], out: MachineOutput): void {
		const call = this.#step.asked(args);
		if (call) return this.#queue(call, { execId, answer: mcpAnswer });
		const availableTools = this.#parts.tools.map(({ name }) => this.#parts.names.wire(name));
		const value = { name: args.name, availableTools };
		out.messages.push(
			...execAnswers(execId, [{ case: "mcpResult", value: { result: { case: "toolNotFound", value } } }]),
		);
	}

	#builtIn(exec: ExecServerMessage, out: MachineOutput): void {
		const decision = bridgeExec(exec, this.#parts.tools, this.#parts.names);
		this.#step.askedOther(toolCallIdOf(exec));
		if (decision.kind === "throw") out.messages.push(...execThrow(exec.id, decision.error));
		else if (decision.kind === "answer") out.messages.push(...execAnswers(exec.id, decision.answers));
		else {
			const { call } = decision;
			this.#queue(this.#step.whole(call.toolName, call.arguments), {
				execId: exec.id,
				answer: (result) =>
					call.answer({ text: textOf(result.content), images: imagesOf(result), isError: result.isError }),
			});
		}
	}

	#queue(call: FinishedCall, pending: PendingCall): void {
		this.#unsent.push({ call, pending });
		this.#outputSinceCheckpoint = true;
	}

	#query({ id, query }: InteractionQuery, out: MachineOutput): void {
		if (query.case === undefined) this.#parts.unknown("interaction query");
		const result = defaultQueryAnswer({ query }, { approveWeb: this.#parts.approveWeb });
		out.messages.push(encodeClientMessage({ case: "interactionResponse", value: { id, result } }));
	}

	/** The server no longer wants an answer; a result that still comes is ignored. */
	#abort(execId: number | undefined): void {
		for (const [callId, call] of this.#pending) if (call.execId === execId) this.#pending.delete(callId);
	}

	#endIfComplete(out: MachineOutput): void {
		if (!this.#waiting && this.#unsent.length > 0 && this.#step.complete) this.#endWithCalls(out);
	}

	/** Hands the calls to the client and waits. */
	#endWithCalls(out: MachineOutput): void {
		this.#blocks.close(out.events);
		const sending = this.#parts.parallelToolCalls ? this.#unsent : this.#unsent.slice(0, 1);
		this.#unsent = this.#unsent.slice(sending.length);
		for (const { call, pending } of sending) {
			out.events.push(...call.events);
			this.#pending.set(call.id, pending);
		}
		this.#waiting = true;
		this.#blocks.said = true;
		out.events.push({ type: "usage", usage: this.#usage.atToolCalls() }, { type: "turn-end", reason: "tool-calls" });
	}

	#newStep(): ToolStep {
		return new ToolStep(this.#parts.names, this.#freeform, this.#parts.newCallId);
	}
}

function decode(frame: Uint8Array): AgentServerMessage {
	try {
		return fromBinary(AgentServerMessageSchema, frame);
	} catch (cause) {
		throw new GatewayError("upstream-protocol", "A message of Cursor cannot be read.", { cause });
	}
}

function toolCallIdOf({ message }: ExecServerMessage): string {
	const value = message.value as { toolCallId?: string } | undefined;
	return value?.toolCallId ?? "";
}

const imagesOf = (result: ToolResultPart) => result.content.filter((part): part is ImagePart => part.type === "image");

/** A tool that ran and failed is a success with an error flag: the error variant can end the turn. */
function mcpAnswer(result: ToolResultPart): ExecAnswer[] {
	const content = result.content.map((part) =>
		part.type === "text"
			? { content: { case: "text" as const, value: { text: part.text } } }
			: { content: { case: "image" as const, value: { data: part.data, mimeType: part.mediaType } } },
	);
	const success = { content, isError: result.isError };
	return [{ case: "mcpResult", value: { result: { case: "success", value: success } } }];
}
