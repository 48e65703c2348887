import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	CursorRuleSource,
	type McpToolDefinitionSchema,
	McpToolsSchema,
	RequestContextSchema,
} from "@cursorwire/protocol/agent";
import { weight } from "../../../text/json-pieces.ts";
import type { ToolDefinition } from "../../../turn/request.ts";
import { valueOfJson } from "../../writing/proto-value.ts";
import { namesOf, type ToolNames } from "../../writing/tool-names.ts";
import type { RunPlan, SystemPromptChannel } from "../driver.ts";

type ToolInit = MessageInitShape<typeof McpToolDefinitionSchema>;

/** Where a run says what it has to say beside its messages. */
type OfferPlaces = Pick<RunPlan, "systemPrompt" | "toolChannel" | "environment" | "searchesWeb">;

/** What a run has to say beside its messages: shared by all runs that say the same, as schemas of tools are long. */
export interface OfferedContext {
	/** The tools that the model gets to see, and their names. */
	definitions: readonly ToolDefinition[];
	names: ToolNames;
	/** The tools as `McpTools` of the run request. */
	tools: Uint8Array;
	/** `RequestContext`. */
	context: Uint8Array;
}

const PROVIDER = "client";
const MOST_KEPT = 32;
const LONGEST_KEPT = 1 << 20;
const kept = new Map<string, OfferedContext>();

/** An agent sends the same tools and the same system prompt with every request; they are serialised once. */
export function offeredContext(
	places: OfferPlaces,
	system: readonly string[],
	tools: readonly ToolDefinition[],
): OfferedContext {
	const { systemPrompt, toolChannel, environment, searchesWeb } = places;
	if (system.length === 0 && tools.length === 0 && !searchesWeb) return emptyContext(places);
	if (weight([system, tools], LONGEST_KEPT) > LONGEST_KEPT) return serialised(places, system, tools);
	const key = JSON.stringify([environment, systemPrompt, toolChannel, searchesWeb, system, tools]);
	const known = kept.get(key);
	if (known) return known;
	const offered = serialised(places, system, tools);
	kept.set(key, offered);
	if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
	return offered;
}

const empty = new WeakMap<RunPlan["environment"], OfferedContext>();

/** Without tools and a system prompt there is nothing whose place could matter. */
function emptyContext(places: OfferPlaces): OfferedContext {
	const known = empty.get(places.environment);
	if (known) return known;
	const offered = serialised(places, [], []);
	empty.set(places.environment, offered);
	return offered;
}

function serialised(
	{ systemPrompt, toolChannel, environment, searchesWeb }: OfferPlaces,
	system: readonly string[],
	tools: readonly ToolDefinition[],
): OfferedContext {
	const names = namesOf(tools);
	const definitions = toolDefinitions(tools, names);
	const inRequest = toolChannel === "request-context" ? [] : definitions;
	const inContext = toolChannel === "run-request" ? [] : definitions;
	const context = {
		...BASE,
		webSearchEnabled: searchesWeb ?? false,
		env: { ...environment },
		tools: inContext,
		...systemRules(systemPrompt, system.join("\n\n")),
	};
	return {
		definitions: tools,
		names,
		tools: toBinary(McpToolsSchema, create(McpToolsSchema, { mcpTools: inRequest })),
		context: toBinary(RequestContextSchema, create(RequestContextSchema, context)),
	};
}

/** The client's tools in the form of MCP definitions, which is how Cursor knows tools that it does not run itself. */
export function toolDefinitions(tools: readonly ToolDefinition[], names: ToolNames): ToolInit[] {
	return tools.map((tool) => {
		const name = names.wire(tool.name);
		return {
			name,
			toolName: name,
			description: tool.description,
			providerIdentifier: PROVIDER,
			inputSchema: valueOfJson(tool.inputSchema),
		};
	});
}

/**
 * The request context says nothing about the user's files. Cursor's own web tools are off: the client has its own, and
 * Cursor's would spend quota. Its search is on where both the client and the owner want it.
 */
const BASE = {
	webFetchEnabled: false,
	readLintsEnabled: false,
	searchConversationsEnabled: false,
	sendMessageEnabled: false,
	supportsMcpAuth: false,
	rulesInfoComplete: true,
	mcpInfoComplete: true,
	envInfoComplete: true,
	gitRepoInfoComplete: true,
};

/** The system prompt, where it travels in the context. */
function systemRules(channel: SystemPromptChannel, text: string) {
	if (text === "") return {};
	const isAll = channel === "all";
	return {
		...((isAll || channel === "cloud-rule") && { cloudRule: text }),
		...((isAll || channel === "rules") && { rules: [globalRule(text)] }),
	};
}

/** A rule of the user that always holds. */
export function globalRule(content: string) {
	const type = { type: { case: "global" as const, value: {} } };
	return { fullPath: "system", content, type, source: CursorRuleSource.USER };
}
