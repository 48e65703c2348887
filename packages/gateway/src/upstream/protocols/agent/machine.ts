import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	type AgentServerMessage,
	AgentServerMessageSchema,
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	type ExecServerMessage,
	type InteractionQuery,
	type InteractionUpdate,
	type KvServerMessage,
	type McpArgs,
	type ToolCall,
	type TurnEndedUpdate,
	toolKindOf,
} from "@cursorwire/protocol/agent";
import { GatewayError } from "../../../turn/error.ts";
import { type ImagePart, type ToolDefinition, type ToolResultPart, textOf } from "../../../turn/request.ts";
import { bridgeExec } from "../../bridge/bridge-exec.ts";
import { defaultQueryAnswer } from "../../bridge/query-answers.ts";
import type { CountUnknown } from "../../census/census.ts";
import type { ObserveTurn } from "../../run/observe.ts";
import type { SizeLimits } from "../../run/size-limits.ts";
import type { StoredConversation } from "../../run/stored-conversation.ts";
import { jsonOfFields } from "../../writing/proto-value.ts";
import type { ToolNames } from "../../writing/tool-names.ts";
import type { FinishedCall } from "../../writing/tool-step.ts";
import { type PendingCall, TurnWriter } from "../../writing/turn-writer.ts";
import type { Machine, MachineOutput } from "../machine.ts";
import type { RunBlobs } from "./blobs.ts";
import {
	blobRead,
	blobStored,
	CLIENT_HEARTBEAT,
	contextAnswer,
	type ExecAnswer,
	encodeClientMessage,
	execAnswers,
	execHeartbeat,
	execThrow,
} from "./client-messages.ts";
import { hasEmptiedEntries } from "./emptied-entries.ts";
import { FastFrame, FastKind } from "./fast-frames.ts";
import { FrameFacts } from "./frame-facts.ts";
import { reachableBlobs } from "./reachable-blobs.ts";
import { type CacheTokens, runWork } from "./run-work.ts";

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
	cacheTokens: CacheTokens;
	limits: SizeLimits;
	newCallId(): string;
	/** Sees what a newer server may send. Counted, never fatal. */
	countUnknown: CountUnknown;
	/** Hears what the frames show of the server. */
	observe?: ObserveTurn | undefined;
	/** The first message of a stream that goes on from a checkpoint. */
	resume(checkpoint: ConversationStateStructure): Uint8Array;
}

interface PendingExec extends PendingCall {
	execId: number;
}

/** The agent protocol. */
export class AgentMachine implements Machine {
	readonly heartbeat = CLIENT_HEARTBEAT;
	readonly #parts: MachineParts;
	readonly #fast = new FastFrame();
	readonly #writer: TurnWriter<PendingExec>;
	#turnEnded: TurnEndedUpdate | undefined;
	#checkpoint: ConversationStateStructure | undefined;
	#checkpoints = 0;
	#outputSinceCheckpoint = false;
	/** The newest of Cursor's own tools that was shown and not yet asked for. */
	#builtInShown: string | undefined;
	/** No tool was asked for, with whose result the model would have been asked again. */
	#isOnePrompt = true;
	readonly #facts: FrameFacts | undefined;
	#tokenFrames = 0;

	constructor(parts: MachineParts) {
		this.#parts = parts;
		this.#writer = new TurnWriter(parts);
		this.#facts = parts.observe && new FrameFacts(parts.observe);
	}

	get pendingCalls(): string[] {
		return [...this.#writer.pending.keys()];
	}

	get turnEnded(): boolean {
		return this.#turnEnded !== undefined;
	}

	get checkpoints(): number {
		return this.#checkpoints;
	}

	/** Going on from the checkpoint repeats nothing that was said. */
	get resumable(): boolean {
		return this.#checkpoint !== undefined && !this.#outputSinceCheckpoint && !this.turnEnded && !this.#writer.streaming;
	}

	get needsGrace(): boolean {
		return this.#writer.needsGrace;
	}

	/** From the newest state that Cursor gave us. */
	resume(): Uint8Array {
		this.#writer.forgetUnsent();
		return this.#parts.resume(this.#checkpoint!);
	}

	/** The newest state and what it refers to, unless something of it is missing. */
	stored(): StoredConversation | undefined {
		const state = this.#checkpoint;
		const blobs = state && reachableBlobs(state, this.#parts.blobs);
		if (!state || !blobs) return undefined;
		if (hasEmptiedEntries(state, blobs)) {
			this.#parts.observe?.("checkpoint-users", "placeholder");
			return undefined;
		}
		return { state: toBinary(ConversationStateStructureSchema, state), blobs };
	}

	receive(frame: Uint8Array, out: MachineOutput): void {
		switch (this.#fast.read(frame)) {
			case FastKind.text:
				return this.#say("text", frame.subarray(this.#fast.start, this.#fast.end), out);
			case FastKind.thinking:
				return this.#say("thinking", frame.subarray(this.#fast.start, this.#fast.end), out);
			case FastKind.tokens:
				this.#tokenFrames += 1;
				return this.#writer.told.tokens(this.#fast.tokens);
			case FastKind.heartbeat:
				out.events.push({ type: "activity" });
				return;
			default:
				this.#general(this.#decode(frame), out);
		}
	}

	graceElapsed(out: MachineOutput): void {
		if (this.needsGrace) this.#writer.endWithCalls(out.events);
	}

	giveResults(results: readonly ToolResultPart[], out: MachineOutput): void {
		// A checkpoint from before lacks this result: going on from it would ask for it again.
		if (this.#writer.answer(results, out)) this.#outputSinceCheckpoint = true;
	}

	callHeartbeats(): Uint8Array[] {
		return [...this.#writer.pending.values()].map(({ execId }) => execHeartbeat(execId));
	}

	streamEnded(out: MachineOutput): void {
		if (!this.#turnEnded) {
			throw new GatewayError("upstream-protocol", "Cursor closed the stream before the turn had ended.");
		}
		this.#writer.closeBlock(out.events);
		if (this.#writer.streaming) {
			throw new GatewayError("upstream-protocol", "Cursor ended the turn in the middle of a tool call.");
		}
		if (!this.#writer.said) throw new GatewayError("upstream-empty");
		this.#facts?.over(this.#tokenFrames);
		const work = runWork(this.#turnEnded, this.#isOnePrompt, this.#parts.cacheTokens);
		out.events.push({ type: "told-usage", told: this.#writer.told.take(work) }, { type: "turn-end", reason: "stop" });
	}

	/** Whatever is unknown comes by here: the fast path takes no frame with anything but known fields. */
	#decode(frame: Uint8Array): AgentServerMessage {
		const message = decode(frame);
		this.#parts.countUnknown(AgentServerMessageSchema, message);
		return message;
	}

	broke(): void {
		this.#facts?.broke();
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
				this.#checkpoints += 1;
				this.#facts?.checkpoint(message.value.tokenDetails?.usedTokens ?? 0, message.value.pendingToolCalls.length);
				this.#outputSinceCheckpoint = false;
				return this.#writer.told.window(message.value.tokenDetails?.usedTokens ?? 0);
			case "execServerControlMessage":
				return this.#abort(message.value.message.value?.id);
		}
	}

	#update(update: InteractionUpdate["message"], out: MachineOutput): void {
		switch (update.case) {
			case "textDelta":
				return this.#say("text", update.value.text, out);
			case "thinkingDelta":
				return this.#say("thinking", update.value.text, out);
			case "thinkingCompleted":
				return this.#writer.closeBlock(out.events);
			case "tokenDelta":
				this.#tokenFrames += 1;
				return this.#writer.told.tokens(update.value.tokens);
			case "partialToolCall":
				return this.#partialCall(update.value, out);
			case "toolCallStarted":
				return this.#shown(update.value.callId, update.value.toolCall);
			case "toolRequestsListed":
				this.#facts?.listed();
				return this.#writer.listed(update.value.callCount, out.events);
			case "turnEnded":
				this.#turnEnded = update.value;
				this.#facts?.turnEnded(update.value, this.#checkpoints > 0 && !this.#outputSinceCheckpoint);
				return;
			case undefined:
				return;
			case "stepStarted":
				this.#facts?.stepStarted();
				return void out.events.push({ type: "activity" });
			case "summaryCompleted":
				this.#facts?.summarized();
				return void out.events.push({ type: "activity" });
			default:
				out.events.push({ type: "activity" });
		}
	}

	#say(block: "text" | "thinking", bytes: Uint8Array, out: MachineOutput): void {
		this.#outputSinceCheckpoint = true;
		this.#writer.say(block, bytes, out.events);
	}

	#shown(callId: string, call: ToolCall | undefined): void {
		if (call?.tool.case !== "mcpToolCall") {
			this.#builtInShown = call && toolKindOf(call)?.replace(/_tool_call$/, "");
			return;
		}
		this.#facts?.announced(callId, "started", this.#tokenFrames);
		this.#writer.shown(callId);
	}

	#partialCall(
		{ callId, toolCall, argsTextDelta }: Extract<InteractionUpdate["message"], { case: "partialToolCall" }>["value"],
		out: MachineOutput,
	): void {
		const name = toolCall?.tool.case === "mcpToolCall" ? toolCall.tool.value.args?.name : undefined;
		this.#facts?.announced(callId, "partial", this.#tokenFrames);
		this.#writer.argued(callId, argsTextDelta.length);
		if (this.#writer.partial(callId, name, argsTextDelta, out.events)) this.#outputSinceCheckpoint = true;
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
		out.messages.push(blobRead(id, data));
	}

	#exec(exec: ExecServerMessage, out: MachineOutput): void {
		const { id, message } = exec;
		if (message.case === "requestContextArgs") {
			this.#facts?.contextAsked();
			out.messages.push(...contextAnswer(id, this.#parts.context));
			return;
		}
		this.#isOnePrompt = false;
		if (message.case === "mcpArgs") this.#clientCall(id, message.value, out);
		else this.#builtIn(exec, out);
		this.#writer.endIfComplete(out.events);
	}

	#clientCall(execId: number, args: McpArgs, out: MachineOutput): void {
		this.#facts?.asked(args.toolCallId, this.#tokenFrames);
		const json = JSON.stringify(jsonOfFields(args.args));
		const call = this.#writer.asked(args.toolCallId, [args.name, args.toolName], json);
		if (call) return this.#queue(call, execId, mcpAnswer);
		const availableTools = this.#parts.tools.map(({ name }) => this.#parts.names.wire(name));
		const value = { name: args.name, availableTools };
		out.messages.push(
			...execAnswers(execId, [{ case: "mcpResult", value: { result: { case: "toolNotFound", value } } }]),
		);
	}

	#builtIn(exec: ExecServerMessage, out: MachineOutput): void {
		const decision = bridgeExec(exec, this.#parts.tools, this.#parts.names, this.#builtInShown);
		this.#builtInShown = undefined;
		const callId = toolCallIdOf(exec);
		if (decision.kind === "call") {
			const { call } = decision;
			return this.#queue(this.#writer.bridged(callId, call.toolName, call.arguments), exec.id, (result) =>
				call.answer({ text: textOf(result.content), images: imagesOf(result), isError: result.isError }),
			);
		}
		this.#writer.settled(callId);
		if (decision.kind === "throw") out.messages.push(...execThrow(exec.id, decision.error));
		else out.messages.push(...execAnswers(exec.id, decision.answers));
	}

	#queue(call: FinishedCall, execId: number, answer: (result: ToolResultPart) => ExecAnswer[]): void {
		this.#writer.queue(call, { execId, answer: (result) => execAnswers(execId, answer(result)) });
		this.#outputSinceCheckpoint = true;
	}

	#query({ id, query }: InteractionQuery, out: MachineOutput): void {
		if (query.case === undefined) this.#facts?.unknownAsked();
		const result = defaultQueryAnswer({ query }, { approveWeb: this.#parts.approveWeb });
		out.messages.push(encodeClientMessage({ case: "interactionResponse", value: { id, result } }));
	}

	/** The server no longer wants an answer; a result that still comes is ignored. */
	#abort(execId: number | undefined): void {
		this.#writer.abandon((pending) => pending.execId === execId);
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
