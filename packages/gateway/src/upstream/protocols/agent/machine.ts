// The agent protocol: docs/protocol.md, sections 4 to 12. Follows the vendor's SDK 1.0.32.
import { toBinary } from "@bufbuild/protobuf";
import {
	type AgentServerMessage,
	AgentServerMessageSchema,
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	type InteractionQuery,
	type InteractionUpdate,
	type ToolCall,
	toolKindOf,
} from "@cursorwire/protocol/agent";
import { GatewayError } from "../../../turn/error.ts";
import type { ToolResultPart } from "../../../turn/request.ts";
import { defaultQueryAnswer } from "../../bridge/query-answers.ts";
import type { CountUnknown } from "../../census/census.ts";
import type { ObserveTurn } from "../../run/observe.ts";
import type { SizeLimits } from "../../run/size-limits.ts";
import { TurnWriter } from "../../writing/turn-writer.ts";
import { decode } from "../decode.ts";
import type { Machine, MachineOutput, ToolUse } from "../machine.ts";
import type { StoredConversation } from "../stored-conversation.ts";
import { answerBlob } from "./blob-answers.ts";
import type { RunBlobs } from "./blobs.ts";
import { CLIENT_HEARTBEAT, encodeClientMessage } from "./client-messages.ts";
import { hasEmptiedEntries } from "./emptied-entries.ts";
import { type ExecParts, ExecRequests, type PendingExec } from "./exec-requests.ts";
import { FastFrame, FastKind } from "./fast-frames.ts";
import { FrameFacts } from "./frame-facts.ts";
import { reachableBlobs } from "./reachable-blobs.ts";
import { type CacheTokens, type EndCounts, endCounts, runWork } from "./run-work.ts";
import type { WebSearches } from "./web-searches.ts";

export interface MachineParts extends ExecParts {
	blobs: RunBlobs;
	/** False: one call per reply; further ones wait for the next. */
	parallelToolCalls: boolean;
	/** If left out, nothing is searched and nobody is told. */
	searches?: WebSearches | undefined;
	cacheTokens: CacheTokens;
	limits: SizeLimits;
	newCallId(): string;
	countUnknown: CountUnknown;
	/** Hears what the frames show of the server. */
	observe?: ObserveTurn | undefined;
	/** The first message of a stream that goes on from a checkpoint. */
	resume(checkpoint: ConversationStateStructure): Uint8Array;
}

type CallUpdate = Extract<InteractionUpdate["message"], { case: "toolCallCompleted" }>["value"];

/** One for all machines: nothing in it outlives the reading of a frame. */
const fast = new FastFrame();

export class AgentMachine implements Machine {
	readonly #parts: MachineParts;
	readonly #writer: TurnWriter<PendingExec>;
	readonly #execs: ExecRequests;
	readonly #facts: FrameFacts | undefined;
	readonly #searches: WebSearches | undefined;
	#turnEnded: EndCounts | undefined;
	#checkpoint: ConversationStateStructure | undefined;
	#checkpoints = 0;
	#outputSinceCheckpoint = false;

	constructor(parts: MachineParts) {
		this.#parts = parts;
		this.#searches = parts.searches;
		this.#writer = new TurnWriter(parts);
		this.#facts = parts.observe && new FrameFacts(parts.observe);
		this.#execs = new ExecRequests(parts, this.#writer, this.#facts);
	}

	// The stream

	receive(bytes: Uint8Array, out: MachineOutput, start = 0, end = bytes.length): void {
		switch (fast.read(bytes, start, end)) {
			case FastKind.text:
				return this.#say("text", bytes, out, fast.start, end);
			case FastKind.thinking:
				return this.#say("thinking", bytes, out, fast.start, end);
			case FastKind.tokens:
				return this.#tokens(fast.tokens);
			case FastKind.end:
				return this.#end(fast.counts);
			case FastKind.heartbeat:
				out.events.push({ type: "activity" });
				return;
			default:
				// Whatever is unknown comes here: the fast path takes no frame with anything but known fields.
				this.#general(decode(AgentServerMessageSchema, bytes.subarray(start, end), this.#parts.countUnknown), out);
		}
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
		this.#facts?.over();
		const work = runWork(this.#turnEnded, !this.#execs.hasAskedForTool, this.#parts.cacheTokens);
		out.events.push({ type: "told-usage", told: this.#writer.told.take(work) }, { type: "turn-end", reason: "stop" });
	}

	get turnEnded(): boolean {
		return this.#turnEnded !== undefined;
	}

	broke(): void {
		this.#facts?.broke();
	}

	// Tools of the client

	get pendingCalls(): string[] {
		return [...this.#writer.pending.keys()];
	}

	get toolUse(): ToolUse {
		return this.#writer;
	}

	get needsGrace(): boolean {
		return this.#writer.needsGrace;
	}

	graceElapsed(out: MachineOutput): void {
		if (this.needsGrace) this.#writer.endWithCalls(out.events);
	}

	giveResults(results: readonly ToolResultPart[], out: MachineOutput): void {
		// A checkpoint from before lacks this result: going on from it would ask for it again.
		if (this.#writer.answer(results, out)) this.#outputSinceCheckpoint = true;
	}

	// Heartbeats

	readonly heartbeat = CLIENT_HEARTBEAT;

	callHeartbeats(): Uint8Array[] {
		return this.#execs.heartbeats();
	}

	// Checkpoints

	get checkpoints(): number {
		return this.#checkpoints;
	}

	/** Going on from the checkpoint repeats nothing that was said. */
	get resumable(): boolean {
		return this.#checkpoint !== undefined && !this.#outputSinceCheckpoint && !this.turnEnded && !this.#writer.streaming;
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

	// What the server sends

	#general({ message }: AgentServerMessage, out: MachineOutput): void {
		switch (message.case) {
			case "interactionUpdate":
				return this.#update(message.value.message, out);
			case "kvServerMessage":
				return void out.messages.push(answerBlob(message.value, this.#parts.blobs));
			case "execServerMessage":
				if (this.#execs.take(message.value, out)) this.#outputSinceCheckpoint = true;
				return this.#tellSearches(out);
			case "interactionQuery":
				return this.#query(message.value, out);
			case "conversationCheckpointUpdate":
				return this.#keep(message.value);
			case "execServerControlMessage":
				return this.#execs.abort(message.value.message.value?.id);
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
				return this.#tokens(update.value.tokens);
			case "partialToolCall":
				return this.#partialCall(update.value, out);
			case "toolCallCompleted":
				return this.#completed(update.value, out);
			case "toolCallStarted":
				return this.#shown(update.value.callId, update.value.toolCall);
			case "toolRequestsListed":
				this.#facts?.listed();
				return this.#writer.listed(update.value.callCount, out.events);
			case "turnEnded":
				return this.#end(endCounts(update.value));
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

	#end(counts: EndCounts): void {
		this.#turnEnded = counts;
		this.#facts?.turnEnded(counts, this.#checkpoints > 0 && !this.#outputSinceCheckpoint);
	}

	#say(block: "text" | "thinking", bytes: Uint8Array, out: MachineOutput, start?: number, end?: number): void {
		this.#outputSinceCheckpoint = true;
		this.#writer.say(block, bytes, out.events, start, end);
	}

	#tokens(tokens: number): void {
		this.#facts?.tokens();
		this.#writer.told.tokens(tokens);
	}

	#shown(callId: string, call: ToolCall | undefined): void {
		if (call?.tool.case !== "mcpToolCall") {
			return this.#execs.shown(call && toolKindOf(call)?.replace(/_tool_call$/, ""));
		}
		this.#facts?.announced(callId, "started");
		this.#writer.shown(callId);
	}

	/** Of tools that Cursor runs itself, the search of the web is the one that clients are told of. */
	#completed({ callId, toolCall }: CallUpdate, out: MachineOutput): void {
		if (toolCall?.tool.case !== "webSearchToolCall") return void out.events.push({ type: "activity" });
		this.#execs.ranElsewhere();
		this.#writer.settled(callId);
		this.#searches?.completed(toolCall.tool.value);
		this.#tellSearches(out);
		this.#writer.endIfComplete(out.events);
	}

	/** As soon as no call of the client is being written. */
	#tellSearches(out: MachineOutput): void {
		if (!this.#searches || this.#writer.streaming) return;
		const events = this.#searches.take();
		if (events.length === 0) return;
		this.#outputSinceCheckpoint = true;
		this.#writer.closeBlock(out.events);
		out.events.push(...events);
	}

	#partialCall(
		{ callId, toolCall, argsTextDelta }: Extract<InteractionUpdate["message"], { case: "partialToolCall" }>["value"],
		out: MachineOutput,
	): void {
		const name = toolCall?.tool.case === "mcpToolCall" ? toolCall.tool.value.args?.name : undefined;
		this.#facts?.announced(callId, "partial");
		this.#writer.argued(callId, argsTextDelta.length);
		if (this.#writer.partial(callId, name, argsTextDelta, out.events)) this.#outputSinceCheckpoint = true;
	}

	#keep(checkpoint: ConversationStateStructure): void {
		const usedTokens = checkpoint.tokenDetails?.usedTokens ?? 0;
		this.#checkpoint = checkpoint;
		this.#checkpoints += 1;
		this.#outputSinceCheckpoint = false;
		this.#facts?.checkpoint(usedTokens, checkpoint.pendingToolCalls.length);
		this.#writer.told.window(usedTokens);
	}

	#query({ id, query }: InteractionQuery, out: MachineOutput): void {
		if (query.case === undefined) this.#facts?.unknownAsked();
		const result = this.#searches?.answer({ query }) ?? defaultQueryAnswer({ query });
		out.messages.push(encodeClientMessage({ case: "interactionResponse", value: { id, result } }));
	}
}
