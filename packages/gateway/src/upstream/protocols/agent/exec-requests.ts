import type { ExecServerMessage, McpArgs } from "@cursorwire/protocol/agent";
import type { ToolDefinition, ToolResultPart } from "../../../turn/request.ts";
import { bridgeExec } from "../../bridge/bridge-exec.ts";
import { outcomeOf } from "../../bridge/outcome.ts";
import { jsonOfFields } from "../../writing/proto-value.ts";
import type { ToolNames } from "../../writing/tool-names.ts";
import type { PendingCall, TurnWriter } from "../../writing/turn-writer.ts";
import type { MachineOutput } from "../machine.ts";
import { contextAnswer, execAnswers, execHeartbeat, execThrow } from "./client-messages.ts";
import type { FrameFacts } from "./frame-facts.ts";
import { mcpResult } from "./mcp-result.ts";

export interface PendingExec extends PendingCall {
	execId: number;
}

export interface ExecParts {
	names: ToolNames;
	tools: readonly ToolDefinition[];
	/** The request context, serialised. */
	context: Uint8Array;
}

/**
 * What the server asks the client to do (docs/protocol.md, section 6): calls of the client's tools, Cursor's built-in
 * tools, and the request context. Each request is answered, because an unanswered one makes the turn hang.
 */
export class ExecRequests {
	readonly #parts: ExecParts;
	readonly #writer: TurnWriter<PendingExec>;
	readonly #facts: FrameFacts | undefined;
	/** The newest of Cursor's own tools that was shown and not yet asked for. */
	#builtInShown: string | undefined;
	#hasAskedForTool = false;

	constructor(parts: ExecParts, writer: TurnWriter<PendingExec>, facts: FrameFacts | undefined) {
		this.#parts = parts;
		this.#writer = writer;
		this.#facts = facts;
	}

	/** A tool was asked for, whose result makes the model read its prompt again. */
	get hasAskedForTool(): boolean {
		return this.#hasAskedForTool;
	}

	/** One of Cursor's own tools is about to be asked for. */
	shown(kind: string | undefined): void {
		this.#builtInShown = kind;
	}

	/** Cursor has run the tool that was shown, so that the model reads its prompt again. */
	ranElsewhere(): void {
		this.#hasAskedForTool = true;
		this.#builtInShown = undefined;
	}

	/** True: the client has a call to run. */
	take(exec: ExecServerMessage, out: MachineOutput): boolean {
		const { id, message } = exec;
		if (message.case === "requestContextArgs") {
			this.#facts?.contextAsked();
			out.messages.push(...contextAnswer(id, this.#parts.context));
			return false;
		}
		this.#hasAskedForTool = true;
		const isQueued = message.case === "mcpArgs" ? this.#clientCall(id, message.value, out) : this.#builtIn(exec, out);
		this.#writer.endIfComplete(out.events);
		return isQueued;
	}

	/** The server no longer wants an answer; a result that still comes is ignored. */
	abort(execId: number | undefined): void {
		this.#writer.abandon((pending) => pending.execId === execId);
	}

	heartbeats(): Uint8Array[] {
		return [...this.#writer.pending.values()].map(({ execId }) => execHeartbeat(execId));
	}

	#clientCall(execId: number, args: McpArgs, out: MachineOutput): boolean {
		this.#facts?.asked(args.toolCallId);
		const json = JSON.stringify(jsonOfFields(args.args));
		const call = this.#writer.asked(args.toolCallId, [args.name, args.toolName], json);
		if (call) {
			const answer = (result: ToolResultPart) => [mcpResult(execId, result), ...execAnswers(execId, [])];
			this.#writer.queue(call, { execId, answer });
			return true;
		}
		const availableTools = this.#parts.tools.map(({ name }) => this.#parts.names.wire(name));
		const value = { name: args.name, availableTools };
		out.messages.push(
			...execAnswers(execId, [{ case: "mcpResult", value: { result: { case: "toolNotFound", value } } }]),
		);
		return false;
	}

	#builtIn(exec: ExecServerMessage, out: MachineOutput): boolean {
		const decision = bridgeExec(exec, this.#parts.tools, this.#parts.names, this.#builtInShown);
		this.#builtInShown = undefined;
		const callId = toolCallIdOf(exec);
		if (decision.kind === "call") {
			const { toolName, arguments: args, answer } = decision.call;
			const call = this.#writer.bridged(callId, toolName, args);
			this.#writer.queue(call, {
				execId: exec.id,
				isBuiltIn: true,
				answer: (result) => execAnswers(exec.id, answer(outcomeOf(result))),
			});
			return true;
		}
		this.#writer.settled(callId, decision.kind === "throw" || decision.isRefusal);
		if (decision.kind === "throw") out.messages.push(...execThrow(exec.id, decision.error));
		else out.messages.push(...execAnswers(exec.id, decision.answers));
		return false;
	}
}

function toolCallIdOf({ message }: ExecServerMessage): string {
	const value = message.value as { toolCallId?: string } | undefined;
	return value?.toolCallId ?? "";
}
