import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	ClientSideToolV2CallSchema,
	type ClientSideToolV2Result,
} from "@cursorwire/protocol/aiserver";
import { ClientGone } from "../agent/client-gone.ts";
import { Dropped } from "../agent/player.ts";
import type { Backend } from "../backend.ts";
import type { Action, Call, CallResult, ExecRequest, Tool } from "../brains/brain.ts";
import { RpcFailure } from "../rpc/failure.ts";
import type { ChatLink } from "./chat-link.ts";

/** Built-in requests of the agent protocol under their names and fields in the older one. */
const CLIENT_TOOLS: Record<
	string,
	(args: Record<string, unknown>) => { tool: keyof typeof ClientSideToolV2; params: object }
> = {
	read: ({ path }) => ({
		tool: "READ_FILE",
		params: { readFileParams: { relativeWorkspacePath: path, readEntireFile: true } },
	}),
	write: ({ path, fileText, file_text }) => ({
		tool: "EDIT_FILE",
		params: { editFileParams: { relativeWorkspacePath: path, contents: fileText ?? file_text ?? "" } },
	}),
	delete: ({ path }) => ({ tool: "DELETE_FILE", params: { deleteFileParams: { relativeWorkspacePath: path } } }),
	ls: ({ path }) => ({ tool: "LIST_DIR", params: { listDirParams: { directoryPath: path ?? "." } } }),
	grep: ({ pattern, path }) => ({ tool: "RIPGREP_RAW_SEARCH", params: { ripgrepRawSearchParams: { pattern, path } } }),
	glob: ({ pattern }) => ({ tool: "GLOB_FILE_SEARCH", params: { globFileSearchParams: { globPattern: pattern } } }),
	shell: terminal,
	shell_stream: terminal,
	web_search: ({ query }) => ({ tool: "WEB_SEARCH", params: { webSearchParams: { searchTerm: query } } }),
};

function terminal({ command, workingDirectory, working_directory }: Record<string, unknown>) {
	return {
		tool: "RUN_TERMINAL_COMMAND_V2" as const,
		params: { runTerminalCommandV2Params: { command, cwd: workingDirectory ?? working_directory } },
	};
}

/** Turns the actions of a brain into messages of the unified chat. */
export class ChatPlayer {
	outputCharacters = 0;
	readonly #link: ChatLink;
	readonly #backend: Backend;
	readonly #tools: readonly Tool[];
	#calls = 0;

	constructor(link: ChatLink, backend: Backend, tools: readonly Tool[]) {
		this.#link = link;
		this.#backend = backend;
		this.#tools = tools;
	}

	async play(action: Action): Promise<unknown> {
		const { transport } = this.#link;
		if (transport.clientGone.aborted) throw new ClientGone();
		if (action.thinking !== undefined)
			return this.#say({ thinking: { text: Buffer.from(action.thinking) } }, action.thinking);
		if (action.text !== undefined) return this.#say({ text: Buffer.from(action.text) }, action.text);
		if (action.calls) return this.#callTools(action.calls);
		if (action.exec) return this.#execute(action.exec);
		if (action.delay !== undefined) return sleep(action.delay, undefined, { signal: transport.clientGone });
		if (action.error) {
			const { code = "internal", message = "Error", details, metadata } = action.error;
			throw new RpcFailure(code, message, details, metadata);
		}
		if (action.drop) {
			transport.drop();
			throw new Dropped();
		}
		if (action.hang) {
			return new Promise((_, reject) => {
				transport.clientGone.addEventListener("abort", () => reject(new ClientGone()), { once: true });
			});
		}
		// Questions, checkpoints and usage have no place in this protocol.
		return undefined;
	}

	async #say(response: Parameters<ChatLink["say"]>[0], text: string): Promise<void> {
		this.outputCharacters += text.length;
		this.#link.say(response);
		await this.#link.transport.ready();
	}

	#callTools(calls: Call[]): Promise<CallResult[]> {
		return this.#runAll(
			calls.map(({ name, arguments: args = {} }) => {
				const known = this.#tools.some((tool) => tool.name === name);
				const rawArgs = JSON.stringify(args);
				const params = { mcpParams: { tools: [{ name, parameters: rawArgs, serverName: known ? "client" : "" }] } };
				return { name, rawArgs, tool: "MCP" as const, params };
			}),
			callResult,
		);
	}

	async #execute(requests: ExecRequest | ExecRequest[]): Promise<unknown> {
		const list = Array.isArray(requests) ? requests : [requests];
		const results = await this.#runAll(
			list.map(({ kind, args = {} }) => {
				const make = CLIENT_TOOLS[kind];
				if (!make) throw new RpcFailure("internal", `the unified chat has no client tool for "${kind}"`);
				return { name: kind, rawArgs: JSON.stringify(args), ...make(args) };
			}),
			(result) => (result.error ? { error: result.error } : result.result),
		);
		return Array.isArray(requests) ? results : results[0];
	}

	async #runAll<T>(
		calls: { name: string; rawArgs: string; tool: keyof typeof ClientSideToolV2; params: object }[],
		read: (result: ClientSideToolV2Result) => T,
	): Promise<T[]> {
		const link = this.#link;
		const pending = calls.map(({ name, rawArgs, tool, params }) => {
			const toolCallId = `toolu_${randomBytes(12).toString("hex")}`;
			const common = { tool: ClientSideToolV2[tool], toolCallId, name, toolIndex: this.#calls++ };
			const typed = fromJson(ClientSideToolV2CallSchema, params as JsonValue).params;
			link.say({ partialToolCall: common });
			link.say({ toolCallV2: { ...common, rawArgs, params: typed as never } });
			return link.call({ ...common, rawArgs, params: typed });
		});
		link.say({ parallelToolCallsComplete: true });
		const results = await Promise.all(pending);
		this.#backend.stats.runs.resumedByToolResult += results.length;
		for (const result of results) link.say({ finalToolResult: { toolCallId: result.toolCallId, result } });
		return results.map(read);
	}
}

function callResult(result: ClientSideToolV2Result): CallResult {
	const isError = result.error !== undefined;
	const text =
		result.error?.modelVisibleErrorMessage ?? (result.result.case === "mcpResult" ? result.result.value.result : "");
	return { content: [{ type: "text", text }], text, isError, raw: result };
}
