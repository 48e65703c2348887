import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
	InteractionQuerySchema,
	InteractionUpdateSchema,
	type McpToolDefinition,
	type ToolCall,
} from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import { actionFailure } from "../../brains/action-failure.ts";
import type { Action, Call, CallResult, ExecRequest, Message, ToolCallPart } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";
import type { Bill } from "../../token-usage/bill.ts";
import { estimateTokens } from "../../token-usage/estimate-tokens.ts";
import { callTokens, promptTokens, resultTokens } from "../../token-usage/prompt-tokens.ts";
import type { AgentLink, ExecAnswer } from "../stream/link.ts";
import { answerText, displayedCall, shellOutput } from "./builtin-call.ts";
import { execMessage } from "./exec-kinds.ts";
import { callResult, keptText, mcpArgs, mcpToolCall } from "./mcp-call.ts";
import type { Transcript } from "./transcript.ts";

/** Thrown by `{ drop }`: the connection is gone and nothing more can be said. */
export class Dropped extends Error {}

export interface PlayerParts {
	link: AgentLink;
	backend: Backend;
	bill: Bill;
	transcript: Transcript;
	tools: McpToolDefinition[];
	/** OpenAI models give call ids with a line break and a second id in them. */
	openaiCallIds: boolean;
	checkpoint(): Promise<unknown>;
	/** Sends a checkpoint that names calls which are not answered yet. */
	pendingCheckpoint(calls: readonly ToolCallPart[]): Promise<unknown>;
	/** Takes up what the client has sent for this turn meanwhile, and returns it. */
	deliver(step: number): Promise<Message[]>;
}

interface OpenCall {
	callId: string;
	/** Without the second id, as it stands in the transcript. */
	plainId: string;
	modelCallId: string;
}

/** Turns the actions of a brain into frames, and the client's answers into what the brain resumes with. */
export class Player {
	usage: NonNullable<Action["usage"]> = {};
	readonly #parts: PlayerParts;
	readonly #startsSteps: boolean;
	#thinkingSince: number | undefined;
	#step = 0;
	#stepIsOpen = false;

	constructor(parts: PlayerParts) {
		this.#parts = parts;
		this.#startsSteps = parts.backend.switches.get("step-updates") === "both";
	}

	async play(action: Action): Promise<unknown> {
		const { link } = this.#parts;
		if (action.thinking === undefined) this.#endThinking();
		this.#startStep(action);
		if (action.thinking !== undefined) return this.#think(action.thinking);
		if (action.text !== undefined) return this.#say(action.text);
		if (action.calls) return this.#callTools(action.calls);
		if (action.exec) return this.#execute(action.exec);
		if (action.query) return link.query(queryMessage(action.query));
		if (action.update) return this.#update(action.update);
		if (action.usage) {
			this.usage = { ...this.usage, ...action.usage };
			return;
		}
		if (action.checkpoint) return this.#parts.checkpoint();
		if (action.delay !== undefined) return sleep(action.delay, undefined, { signal: link.channel.clientGone });
		if (action.error) throw actionFailure(action.error);
		if (action.drop) {
			link.channel.drop();
			throw new Dropped();
		}
		if (action.hang) return this.#hang(action.hang);
		throw new RpcFailure("internal", `the brain yielded an action of no known kind: ${Object.keys(action)}`);
	}

	/** Closes what is open; called before the turn ends. */
	finish(): void {
		this.#endThinking();
		if (this.#stepIsOpen) this.#completeStep();
	}

	/** A step is one answer of the model, with the tools that it asks for. */
	#startStep({ thinking, text, calls, exec }: Action): void {
		if (!this.#startsSteps || this.#stepIsOpen || (thinking ?? text ?? calls ?? exec) === undefined) return;
		this.#stepIsOpen = true;
		this.#parts.link.update({ case: "stepStarted", value: { stepId: BigInt(this.#step + 1) } });
	}

	#completeStep(): void {
		this.#stepIsOpen = false;
		const stepId = BigInt(++this.#step);
		this.#parts.link.update({ case: "stepCompleted", value: { stepId, stepDurationMs: 0n } });
	}

	async #think(text: string): Promise<void> {
		const { link, transcript } = this.#parts;
		this.#thinkingSince ??= Date.now();
		transcript.thinking(text);
		link.update({ case: "thinkingDelta", value: { text: Buffer.from(text) } });
		this.#wrote(estimateTokens(text), "thinking");
		await link.channel.ready();
	}

	async #say(text: string): Promise<void> {
		const { link, transcript } = this.#parts;
		transcript.text(text);
		link.update({ case: "textDelta", value: { text: Buffer.from(text) } });
		this.#wrote(estimateTokens(text), "text");
		await link.channel.ready();
	}

	#wrote(tokens: number, what: "text" | "thinking" | "call"): void {
		const { bill, backend, link } = this.#parts;
		bill.wrote(tokens, what === "thinking");
		const told = backend.switches.get("usage");
		const isTold = told === "told" || (told === "without-calls" && what !== "call");
		if (isTold && tokens > 0) link.update({ case: "tokenDelta", value: { tokens } });
	}

	#endThinking(): void {
		if (this.#thinkingSince === undefined) return;
		const thinkingDurationMs = Date.now() - this.#thinkingSince;
		this.#thinkingSince = undefined;
		this.#parts.link.update({ case: "thinkingCompleted", value: { thinkingDurationMs } });
	}

	#update(update: NonNullable<Action["update"]>): void {
		const json = { [update.kind]: update.args ?? {} } as JsonValue;
		this.#parts.link.update(fromJson(InteractionUpdateSchema, json).message);
	}

	async #callTools(calls: Call[]): Promise<CallResult[]> {
		const { link, backend } = this.#parts;
		const opened = calls.map((call) => {
			const ids = this.#newCallId();
			const args = mcpArgs(call, ids.callId, this.#parts.tools);
			this.#announce(ids, () => mcpToolCall(args, ids.callId), JSON.stringify(call.arguments ?? {}));
			return { call, ids, args };
		});
		for (const call of calls) this.#wrote(callTokens(call), "call");
		this.#listRequests(calls.length);
		const pending = opened.map(({ call, ids }): ToolCallPart => {
			return { type: "tool-call", toolCallId: ids.plainId, toolName: call.name, args: call.arguments ?? {} };
		});
		if (backend.switches.get("pending-tool-calls") === "sent") await this.#parts.pendingCheckpoint(pending);
		for (const part of pending) this.#parts.transcript.call(part);
		const results = await Promise.all(
			opened.map(async ({ call, ids, args }) => {
				const answer = await link.exec({ case: "mcpArgs", value: args }, randomUUID());
				backend.stats.runs.resumedByToolResult += 1;
				const result = callResult(answer);
				const displayed = mcpToolCall(args, ids.callId, answer);
				link.update({
					case: "toolCallCompleted",
					value: { callId: ids.callId, toolCall: displayed, modelCallId: ids.modelCallId },
				});
				return { result, displayed, ids, call };
			}),
		);
		for (const { result, displayed, ids, call } of results) {
			const common = { toolCallId: ids.plainId, toolName: call.name, isError: result.isError };
			this.#parts.transcript.result({ ...common, result: keptText(result) }, displayed);
		}
		await this.#afterTools(results.map(({ result }) => result.text));
		return results.map(({ result }) => result);
	}

	async #execute(requests: ExecRequest | ExecRequest[]): Promise<unknown> {
		const list = Array.isArray(requests) ? requests : [requests];
		for (const { kind, args } of list) this.#wrote(callTokens({ name: kind, arguments: args }), "call");
		const answers = await Promise.all(list.map((request) => this.#executeOne(request)));
		await this.#afterTools(answers.map(answerText));
		const results = answers.map(execResult);
		return Array.isArray(requests) ? results : results[0];
	}

	async #executeOne({ kind, args = {} }: ExecRequest): Promise<ExecAnswer> {
		const { link, backend, transcript } = this.#parts;
		const ids = this.#newCallId();
		const message = execMessage(kind, args, ids.callId);
		const shown = displayedCall(kind, message.value, ids.callId);
		if (shown) {
			this.#announce(ids, () => displayedCall(kind, message.value, ids.callId)!, JSON.stringify(args));
			transcript.call({ toolCallId: ids.plainId, toolName: kind, args });
		}
		const answer = await link.exec(message as never, randomUUID());
		backend.stats.runs.resumedByToolResult += 1;
		if (shown) {
			const displayed = displayedCall(kind, message.value, ids.callId, answer)!;
			link.update({
				case: "toolCallCompleted",
				value: { callId: ids.callId, toolCall: displayed, modelCallId: ids.modelCallId },
			});
			const part = { toolCallId: ids.plainId, toolName: kind, result: answerText(answer) };
			transcript.result(part, displayed);
		}
		return answer;
	}

	/** Shows a call while its arguments come in, in the order the switch asks for. */
	#announce(ids: OpenCall, toolCall: () => ToolCall, argsText: string): void {
		const { link, backend } = this.#parts;
		const order = backend.switches.get("tool-call-order");
		const common = { callId: ids.callId, modelCallId: ids.modelCallId };
		const started = () => link.update({ case: "toolCallStarted", value: { ...common, toolCall: toolCall() } });
		if (order !== "partial-first") started();
		if (order !== "started-only") {
			for (const piece of inPieces(Buffer.from(argsText), 3)) {
				link.update({
					case: "partialToolCall",
					value: { ...common, toolCall: toolCall(), argsTextDelta: piece },
				});
			}
		}
		if (order === "partial-first") started();
	}

	#listRequests(callCount: number): void {
		if (this.#parts.backend.switches.get("tool-requests-listed") !== "sent") return;
		this.#parts.link.update({ case: "toolRequestsListed", value: { callCount } });
	}

	/** A step is complete: mark it, leave a checkpoint behind, go on, or fall silent where the switch says so. */
	async #afterTools(results: readonly string[]): Promise<void> {
		const { link, backend, bill } = this.#parts;
		bill.read(results.reduce((tokens, result) => tokens + resultTokens(result), 0));
		this.#completeStep();
		const delivered = await this.#parts.deliver(this.#step);
		if (delivered.length > 0) bill.read(promptTokens({ system: [], rules: [], tools: [], messages: delivered }));
		await this.#parts.checkpoint();
		if (link.channel.rpc === "RunSSE" && backend.switches.get("sse-after-tool") === "silent") await link.gone();
	}

	async #hang(how: true | "heartbeats"): Promise<never> {
		if (how === true) this.#parts.link.mute();
		return this.#parts.link.gone();
	}

	#newCallId(): OpenCall {
		const plainId = `call_${randomBytes(12).toString("hex")}`;
		const callId = this.#parts.openaiCallIds ? `${plainId}\nfc_${randomBytes(12).toString("hex")}` : plainId;
		return { callId, plainId, modelCallId: randomUUID() };
	}
}

function* inPieces(bytes: Buffer, count: number): Generator<Buffer> {
	const size = Math.max(1, Math.ceil(bytes.length / count));
	for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

function queryMessage(query: NonNullable<Action["query"]>) {
	const json = { [query.kind]: query.args ?? {} } as JsonValue;
	return fromJson(InteractionQuerySchema, json).query;
}

function execResult(answer: ExecAnswer): unknown {
	if (answer.thrown) return { thrown: answer.thrown };
	const last = answer.messages.at(-1);
	return last?.case === "shellStream" ? shellOutput(answer) : last;
}
