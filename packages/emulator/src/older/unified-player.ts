import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	type ClientSideToolV2Call,
	ClientSideToolV2CallSchema,
	type ClientSideToolV2Result,
	type StreamedBackToolCallSchema,
} from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import { ClientGone, Dropped } from "../bidi/client-gone.ts";
import { actionFailure } from "../brains/action-failure.ts";
import type { Action, Call, CallResult, ExecRequest, Tool } from "../brains/brain.ts";
import type { Bill } from "../token-usage/bill.ts";
import { estimateTokens } from "../token-usage/estimate-tokens.ts";
import { callTokens, resultTokens } from "../token-usage/prompt-tokens.ts";
import type { UnifiedLink } from "./unified-link.ts";
import { execTool, queryTool } from "./unified-tools.ts";

/** Streamed arguments come in so many pieces. */
const PIECES = 3;

interface ToolCall {
	name: string;
	rawArgs: string;
	tool: number;
	params: object;
}

/**
 * Turns the actions of a brain into messages of the unified protocol, and the client's results into what the brain
 * resumes with: docs/older-protocols.md, How a request travels.
 */
export class UnifiedPlayer {
	readonly #link: UnifiedLink;
	readonly #backend: Backend;
	readonly #tools: readonly Tool[];
	readonly #bill: Bill;
	#calls = 0;

	constructor(link: UnifiedLink, backend: Backend, tools: readonly Tool[], bill: Bill) {
		this.#link = link;
		this.#backend = backend;
		this.#tools = tools;
		this.#bill = bill;
	}

	async play(action: Action): Promise<unknown> {
		const { transport } = this.#link;
		if (transport.clientGone.aborted) throw new ClientGone();
		if (action.thinking !== undefined) return this.#think(action.thinking);
		if (action.text !== undefined) return this.#say({ text: Buffer.from(action.text) }, action.text);
		if (action.calls) return this.#callTools(action.calls);
		if (action.exec) return this.#execute(action.exec);
		if (action.query) return this.#query(action.query);
		if (action.delay !== undefined) return sleep(action.delay, undefined, { signal: transport.clientGone });
		if (action.error) throw actionFailure(action.error);
		if (action.drop) {
			transport.drop();
			throw new Dropped();
		}
		if (action.hang) return this.#hang(action.hang);
		// This protocol has no place for the other actions: checkpoints, updates and token counts.
		return undefined;
	}

	async #hang(how: true | "heartbeats"): Promise<never> {
		const { clientGone } = this.#link.transport;
		const beat = how === "heartbeats" ? setInterval(() => this.#link.alive(), this.#backend.heartbeatMs) : undefined;
		try {
			return await new Promise<never>((_, reject) => {
				clientGone.addEventListener("abort", () => reject(new ClientGone()), { once: true });
			});
		} finally {
			clearInterval(beat);
		}
	}

	async #say(response: Parameters<UnifiedLink["say"]>[0], text: string): Promise<void> {
		this.#bill.wrote(estimateTokens(text), response.thinking !== undefined);
		this.#link.say(response);
		await this.#link.transport.ready();
	}

	#think(text: string): Promise<void> {
		const isIntermediate = this.#backend.switches.get("chat-thinking") === "intermediate-text";
		return this.#say(isIntermediate ? { intermediateText: text } : { thinking: { text: Buffer.from(text) } }, text);
	}

	#callTools(calls: Call[]): Promise<CallResult[]> {
		return this.#runAll(
			calls.map(({ name, arguments: args = {} }) => {
				const known = this.#tools.some((tool) => tool.name === name);
				const rawArgs = JSON.stringify(args);
				const params = { mcpParams: { tools: [{ name, parameters: rawArgs, serverName: known ? "client" : "" }] } };
				return { name, rawArgs, tool: ClientSideToolV2.MCP, params };
			}),
			callResult,
		);
	}

	async #execute(requests: ExecRequest | ExecRequest[]): Promise<unknown> {
		const list = Array.isArray(requests) ? requests : [requests];
		const results = await this.#runAll(
			list.map(({ kind, args = {} }) => ({ name: kind, rawArgs: JSON.stringify(args), ...execTool(kind, args) })),
			rawResult,
		);
		return Array.isArray(requests) ? results : results[0];
	}

	async #query({ kind, args = {} }: NonNullable<Action["query"]>): Promise<unknown> {
		const call = { name: kind, rawArgs: JSON.stringify(args), tool: queryTool(kind), params: {} };
		const [answer] = await this.#runAll([call], rawResult);
		return answer;
	}

	async #runAll<T>(calls: ToolCall[], read: (result: ClientSideToolV2Result) => T): Promise<T[]> {
		const link = this.#link;
		for (const { name, rawArgs } of calls) this.#bill.wrote(callTokens({ name, arguments: JSON.parse(rawArgs) }));
		const pending = calls.map(({ name, rawArgs, tool, params }) => {
			const toolCallId = `toolu_${randomBytes(12).toString("hex")}`;
			const common = { tool: tool as ClientSideToolV2, toolCallId, name, toolIndex: this.#calls++ };
			const typed = fromJson(ClientSideToolV2CallSchema, withoutGaps(params)).params;
			if (this.#backend.switches.get("chat-tool-calls") === "shown-only") {
				return link.showOnly({ ...common, rawArgs, ...shownParams(typed) });
			}
			link.say({ partialToolCall: common });
			link.say({ toolCallV2: { ...common, rawArgs, params: typed as never } });
			if (!this.#streamsArguments(tool)) return link.call({ ...common, rawArgs, params: typed });
			const pieces = inPieces(rawArgs, PIECES);
			const bare = { case: "mcpParams" as const, value: { tools: [{ name }] } };
			for (const piece of pieces.slice(0, -1)) {
				link.piece({ ...common, rawArgs: piece, params: bare, isStreaming: true });
			}
			const last = { rawArgs: pieces.at(-1) ?? "", isStreaming: true, isLastMessage: true };
			return link.call({ ...common, ...last, params: bare });
		});
		if (this.#backend.switches.get("tool-requests-listed") === "sent") link.say({ parallelToolCallsComplete: true });
		const results = await Promise.all(pending);
		this.#backend.stats.runs.resumedByToolResult += results.length;
		for (const result of results) link.say({ finalToolResult: { toolCallId: result.toolCallId, result } });
		this.#bill.read(results.reduce((tokens, result) => tokens + resultTokens(callResult(result).text), 0));
		return results.map(read);
	}

	#streamsArguments(tool: number): boolean {
		const { switches } = this.#backend;
		if (tool !== ClientSideToolV2.MCP || switches.get("tool-call-order") === "started-only") return false;
		return switches.get("chat-arguments") === "streamed";
	}
}

/** A call in the form for display: a client's tool in full, any other tool without typed arguments. */
function shownParams(params: ClientSideToolV2Call["params"]): MessageInitShape<typeof StreamedBackToolCallSchema> {
	if (params.case === "mcpParams") return { params: { case: "mcpStream", value: { tools: params.value.tools } } };
	if (params.case === undefined) return {};
	return { params: { case: params.case.replace(/Params$/, "Stream"), value: {} } as never };
}

/** Cuts between characters: a text field cannot hold half of one. */
function inPieces(text: string, count: number): string[] {
	const characters = [...text];
	const size = Math.max(1, Math.ceil(characters.length / count));
	return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
		characters.slice(index * size, (index + 1) * size).join(""),
	);
}

/** Leaves out the arguments that a brain did not give: JSON has no undefined. */
function withoutGaps(params: object): JsonValue {
	return JSON.parse(JSON.stringify(params));
}

function rawResult(result: ClientSideToolV2Result): unknown {
	return result.error ? { case: "error", value: result.error, error: result.error } : result.result;
}

function callResult(result: ClientSideToolV2Result): CallResult {
	const isError = result.error !== undefined;
	const text =
		result.error?.modelVisibleErrorMessage ?? (result.result.case === "mcpResult" ? result.result.value.result : "");
	return { content: [{ type: "text", text }], text, isError, raw: result };
}
