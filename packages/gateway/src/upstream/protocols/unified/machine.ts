// The unified protocol: docs/older-protocols.md ("How a request travels", Unified and Tools). Its messages are those of the
// SDK 1.0.18; its service is in no SDK.
import { create, toBinary } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	type ClientSideToolV2Call,
	StreamUnifiedChatRequestWithToolsSchema,
	type StreamUnifiedChatResponse,
	type StreamUnifiedChatResponseWithTools,
	StreamUnifiedChatResponseWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import { GatewayError } from "../../../turn/error.ts";
import { type ToolDefinition, type ToolResultPart, textOf } from "../../../turn/request.ts";
import { imagesOf, outcomeOf } from "../../bridge/outcome.ts";
import type { CountUnknown } from "../../census/census.ts";
import type { ObserveTurn } from "../../run/observe.ts";
import type { SizeLimits } from "../../run/size-limits.ts";
import type { ToolNames } from "../../writing/tool-names.ts";
import { type PendingCall, TurnWriter } from "../../writing/turn-writer.ts";
import { decode } from "../decode.ts";
import type { Machine, MachineOutput, ToolUse } from "../machine.ts";
import { bridgeClientTool } from "./client-tools.ts";
import { type McpCall, mcpCallOf, mcpNames } from "./mcp-call.ts";
import { type ResultInit, toolError } from "./results.ts";
import { ShownCalls } from "./shown-calls.ts";
import { StreamedArguments } from "./streamed-arguments.ts";
import { UnifiedFacts } from "./unified-facts.ts";

export interface UnifiedParts {
	names: ToolNames;
	tools: readonly ToolDefinition[];
	parallelToolCalls: boolean;
	limits: SizeLimits;
	newCallId(): string;
	countUnknown: CountUnknown;
	/** Hears what the frames show of the server. */
	observe?: ObserveTurn | undefined;
}

/**
 * It has no message that says that a turn is over: the stream ends. Nor has it heartbeats or checkpoints: what it is to
 * know of a conversation travels with every request.
 */
export class UnifiedMachine implements Machine {
	readonly #parts: UnifiedParts;
	readonly #writer: TurnWriter<PendingCall>;
	readonly #arguments = new StreamedArguments();
	readonly #shown = new ShownCalls();
	readonly #facts: UnifiedFacts | undefined;

	constructor(parts: UnifiedParts) {
		this.#parts = parts;
		this.#writer = new TurnWriter(parts);
		this.#facts = parts.observe && new UnifiedFacts(parts.observe);
	}

	// The stream

	receive(bytes: Uint8Array, out: MachineOutput, start?: number, end?: number): void {
		const frame = bytes.subarray(start, end);
		const message = decode(StreamUnifiedChatResponseWithToolsSchema, frame, this.#parts.countUnknown);
		refuseLostArgument(frame, message);
		const { response } = message;
		switch (response.case) {
			case "streamUnifiedChatResponse":
				return this.#response(response.value, out);
			case "clientSideToolV2Call":
				return this.#call(response.value, out);
			case undefined:
				return;
			default:
				out.events.push({ type: "activity" });
		}
	}

	streamEnded(out: MachineOutput): void {
		if (this.#writer.streaming) {
			throw new GatewayError("upstream-protocol", "Cursor ended the turn in the middle of a tool call.");
		}
		this.#takeShown(out);
		// Some servers end the stream at their calls and want the results with another request.
		if (this.#writer.hasUnsentCalls) return this.#writer.endWithCalls(out.events);
		this.#writer.closeBlock(out.events);
		if (!this.#writer.said) throw new GatewayError("upstream-empty");
		this.#facts?.over();
		out.events.push({ type: "told-usage", told: this.#writer.told.take() }, { type: "turn-end", reason: "stop" });
	}

	// Tools of the client

	get pendingCalls(): string[] {
		return [...this.#writer.pending.keys()];
	}

	get toolUse(): ToolUse {
		return this.#writer;
	}

	get needsGrace(): boolean {
		return this.#writer.needsGrace || this.#hasShownAlone;
	}

	graceElapsed(out: MachineOutput): void {
		if (this.#hasShownAlone) this.#takeShown(out);
		if (this.#writer.needsGrace) this.#writer.endWithCalls(out.events);
	}

	giveResults(results: readonly ToolResultPart[], out: MachineOutput): void {
		this.#writer.answer(results, out);
	}

	// What the server sends

	#response(response: StreamUnifiedChatResponse, out: MachineOutput): void {
		const before = out.events.length;
		this.#facts?.response(response);
		if (response.intermediateText) this.#say("thinking", Buffer.from(response.intermediateText), out);
		if (response.thinking) this.#think(response.thinking, out);
		if (response.shouldBreakAiMessage) this.#writer.closeBlock(out.events);
		if (response.text.length > 0) this.#say("text", response.text, out);
		for (const shown of [response.partialToolCall, response.toolCall, response.toolCallV2]) {
			if (shown?.tool !== ClientSideToolV2.MCP || this.#shown.knows(shown.toolCallId)) continue;
			this.#writer.shown(shown.toolCallId);
		}
		if (response.toolCall) this.#shown.show(response.toolCall);
		if (response.finalToolResult) {
			this.#shown.settled(response.finalToolResult.toolCallId);
			this.#writer.notAsked(response.finalToolResult.toolCallId, out.events);
		}
		if (response.parallelToolCallsComplete) this.#writer.allShown(out.events);
		this.#writer.told.window(response.contextWindowStatus?.tokensUsed ?? 0);
		// Citations, summaries, status lines and the like have no place in an answer, but show that work goes on.
		if (out.events.length === before) out.events.push({ type: "activity" });
	}

	#think({ text, isLastThinkingChunk }: NonNullable<StreamUnifiedChatResponse["thinking"]>, out: MachineOutput): void {
		if (text.length > 0) this.#say("thinking", text, out);
		if (isLastThinkingChunk) this.#writer.closeBlock(out.events);
	}

	#say(block: "text" | "thinking", bytes: Uint8Array, out: MachineOutput): void {
		this.#writer.say(block, bytes, out.events);
	}

	/** Calls were shown and not asked for, and nothing else is under way. */
	get #hasShownAlone(): boolean {
		return this.#shown.any && !this.#writer.streaming && this.#writer.pending.size === 0;
	}

	#takeShown(out: MachineOutput): void {
		for (const call of this.#shown.take()) {
			this.#facts?.shownOnly();
			this.#asked(call, out);
		}
		this.#writer.endIfComplete(out.events);
	}

	#call(call: ClientSideToolV2Call, out: MachineOutput): void {
		if (call.tool === ClientSideToolV2.MCP) this.#facts?.asked(call.isStreaming);
		if (this.#shown.asked(call.toolCallId)) out.events.push({ type: "activity" });
		else if (call.isStreaming && !call.isLastMessage) this.#piece(call, mcpCallOf(call), out);
		else {
			this.#asked(call, out);
			this.#writer.endIfComplete(out.events);
		}
	}

	#asked(call: ClientSideToolV2Call, out: MachineOutput): void {
		const mcp = mcpCallOf(call);
		const streamed = this.#arguments.take(call.toolCallId, call.isStreaming ? call.rawArgs : "");
		if (mcp) this.#clientCall(call, { ...mcp, json: mcp.json || streamed }, out);
		else this.#builtIn(call, out);
	}

	/** A part of a call's arguments. A built-in call is waited for: what becomes of it depends on all of it. */
	#piece(call: ClientSideToolV2Call, mcp: McpCall | undefined, out: MachineOutput): void {
		const piece = this.#arguments.add(call.toolCallId, call.rawArgs);
		this.#writer.argued(call.toolCallId, piece.length);
		if (!mcp) return;
		const name = mcpNames(mcp).find((wire) => this.#parts.names.client(wire) !== undefined);
		this.#writer.partial(call.toolCallId, name, Buffer.from(piece), out.events);
	}

	#clientCall(call: ClientSideToolV2Call, mcp: McpCall, out: MachineOutput): void {
		const finished = this.#writer.asked(call.toolCallId, mcpNames(mcp), mcp.json || "{}");
		if (finished) {
			return this.#writer.queue(finished, { answer: (result) => [resultMessage(call, mcpResult(mcp, result))] });
		}
		const offered = this.#parts.tools.map(({ name }) => this.#parts.names.wire(name)).join(", ");
		const text = `There is no tool "${mcp.name}" here. ${offered ? `The tools are: ${offered}.` : "Answer in text."}`;
		out.messages.push(resultMessage(call, toolError(text)));
	}

	#builtIn(call: ClientSideToolV2Call, out: MachineOutput): void {
		const decision = bridgeClientTool(call, this.#parts.tools, this.#parts.names);
		if (decision.kind !== "call") {
			this.#writer.settled(call.toolCallId, decision.kind === "unknown" || decision.isRefusal);
			out.messages.push(resultMessage(call, decision.result));
			return;
		}
		const { toolName, arguments: args, answer } = decision.call;
		this.#writer.queue(this.#writer.bridged(call.toolCallId, toolName, args), {
			isBuiltIn: true,
			answer: (result) => [resultMessage(call, answer(outcomeOf(result)))],
		});
	}
}

const PROTO = Buffer.from("__proto__");

/** The protobuf library drops a member of this name silently. A call without one of its arguments is another call. */
function refuseLostArgument(frame: Uint8Array, { response }: StreamUnifiedChatResponseWithTools): void {
	if (response.case !== "clientSideToolV2Call" || response.value.params.case !== "callMcpToolParams") return;
	if (!Buffer.from(frame.buffer, frame.byteOffset, frame.length).includes(PROTO)) return;
	if (JSON.stringify(response.value.params.value).includes("__proto__")) return;
	throw new GatewayError("upstream-protocol", "The model called a tool with an argument named __proto__.", {
		nextStep: "Rename the tool's parameter, or use `--protocol agent`.",
	});
}

/** The result of a call, under everything that the call was known by. */
function resultMessage({ tool, toolCallId, modelCallId, toolIndex }: ClientSideToolV2Call, result: ResultInit) {
	const value = { ...result, tool, toolCallId, modelCallId, toolIndex };
	const message = create(StreamUnifiedChatRequestWithToolsSchema, {
		request: { case: "clientSideToolV2Result", value },
	});
	return toBinary(StreamUnifiedChatRequestWithToolsSchema, message);
}

/** The protocol has room for one text. A picture is at least named, so that the model knows what it does not see. */
function mcpResult(mcp: McpCall, result: ToolResultPart): ResultInit {
	const notes = imagesOf(result).map(({ mediaType }) => `[an image (${mediaType}) that this protocol cannot carry]`);
	const text = [textOf(result.content), ...notes].filter((part) => part !== "").join("\n");
	if (result.isError) return toolError(text);
	if (mcp.form === "struct") {
		const value = { server: mcp.server, toolName: mcp.name, result: { content: text } };
		return { result: { case: "callMcpToolResult", value } };
	}
	return { result: { case: "mcpResult", value: { selectedTool: mcp.name, result: text } } };
}
