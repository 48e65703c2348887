import { create, fromJson, type JsonObject } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	type ClientSideToolV2Call,
	ClientSideToolV2CallSchema,
	type StreamedBackToolCall,
} from "@cursorwire/protocol/aiserver";
import { CLIENT_TOOLS } from "./tool-table.ts";

/**
 * Calls that are shown (`tool_call`, field 13). Most servers show a call and then ask for it; some only show it, and
 * wait for its result all the same.
 */
export class ShownCalls {
	readonly #open = new Map<string, ClientSideToolV2Call>();
	/** Ids that were asked for, or taken from here. */
	readonly #known = new Set<string>();
	readonly #taken = new Set<string>();

	/** There are calls that nobody has asked for yet. */
	get any(): boolean {
		return this.#open.size > 0;
	}

	/** It was asked for already, so that showing it says nothing new. */
	knows(callId: string): boolean {
		return this.#known.has(callId);
	}

	show(shown: StreamedBackToolCall): void {
		if (this.knows(shown.toolCallId)) return;
		const call = callOf(shown);
		if (call) this.#open.set(shown.toolCallId, call);
	}

	/** The server asks for a call. True where it was taken before: then this is the same call once more. */
	asked(callId: string): boolean {
		this.#open.delete(callId);
		this.#known.add(callId);
		return this.#taken.has(callId);
	}

	/** The server has run it itself. */
	settled(callId: string): void {
		this.#open.delete(callId);
	}

	/** The calls that were shown and nothing more, to be treated as if they had been asked for. */
	take(): ClientSideToolV2Call[] {
		const calls = [...this.#open.values()];
		this.#open.clear();
		for (const { toolCallId } of calls) {
			this.#known.add(toolCallId);
			this.#taken.add(toolCallId);
		}
		return calls;
	}
}

/** The request that the server would make for it. Undefined for what is not complete, or not for a client to run. */
function callOf(shown: StreamedBackToolCall): ClientSideToolV2Call | undefined {
	const { tool, toolCallId, name, rawArgs, toolIndex, modelCallId, params } = shown;
	const args = argumentsOf(rawArgs);
	if (shown.error || toolCallId === "" || !args) return undefined;
	const common = { tool, toolCallId, name, rawArgs, toolIndex, modelCallId };
	if (params.case === "mcpStream") {
		const { tools } = params.value;
		return create(ClientSideToolV2CallSchema, { ...common, params: { case: "mcpParams", value: { tools } } });
	}
	if (tool === ClientSideToolV2.MCP) return create(ClientSideToolV2CallSchema, common);
	const paramsName = params.case?.replace(/Stream$/, "Params") ?? "";
	if (!Object.hasOwn(CLIENT_TOOLS, paramsName)) return undefined;
	try {
		// The model's own names of arguments are those of the fields, for the tools that a client can stand in for.
		const typed = fromJson(ClientSideToolV2CallSchema, { [paramsName]: args }, { ignoreUnknownFields: true });
		return create(ClientSideToolV2CallSchema, { ...common, params: typed.params });
	} catch {
		return undefined;
	}
}

/** The arguments as the model wrote them; undefined where they are no whole object. */
function argumentsOf(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text || "{}");
		return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
	} catch {
		return undefined;
	}
}
