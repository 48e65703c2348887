import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	CursorRuleSource,
	type McpToolDefinitionSchema,
	McpToolsSchema,
	RequestContextSchema,
} from "@cursorwire/protocol/agent";
import { weight } from "../../turn/json-pieces.ts";
import type { ToolDefinition } from "../../turn/request.ts";
import type { Environment } from "../driver.ts";
import { valueOfJson } from "../proto-value.ts";
import type { ToolNames } from "../tool-names.ts";

type ToolInit = MessageInitShape<typeof McpToolDefinitionSchema>;
type ContextInit = MessageInitShape<typeof RequestContextSchema>;

/** What a run offers, serialised. */
export interface OfferedContext {
	/** `McpTools`. */
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
	system: readonly string[],
	tools: readonly ToolDefinition[],
	names: ToolNames,
	environment: Environment,
): OfferedContext {
	if (weight([system, tools], LONGEST_KEPT) > LONGEST_KEPT) return serialised(system, tools, names, environment);
	const key = JSON.stringify([environment, system, tools]);
	const known = kept.get(key);
	if (known) return known;
	const offered = serialised(system, tools, names, environment);
	kept.set(key, offered);
	if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
	return offered;
}

function serialised(
	system: readonly string[],
	tools: readonly ToolDefinition[],
	names: ToolNames,
	environment: Environment,
): OfferedContext {
	const definitions = toolDefinitions(tools, names);
	return {
		tools: toBinary(McpToolsSchema, create(McpToolsSchema, { mcpTools: definitions })),
		context: toBinary(
			RequestContextSchema,
			create(RequestContextSchema, requestContext(system, definitions, environment)),
		),
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
 * The request context: tools, system texts as rules, and nothing about the user's files. Cursor's own web tools are
 * switched off: the client has its own, and Cursor's would spend quota.
 */
function requestContext(system: readonly string[], tools: ToolInit[], environment: Environment): ContextInit {
	const text = system.join("\n\n");
	return {
		env: { osVersion: environment.osVersion, timeZone: environment.timeZone },
		tools,
		webSearchEnabled: false,
		webFetchEnabled: false,
		readLintsEnabled: false,
		searchConversationsEnabled: false,
		sendMessageEnabled: false,
		supportsMcpAuth: false,
		rulesInfoComplete: true,
		mcpInfoComplete: true,
		envInfoComplete: true,
		gitRepoInfoComplete: true,
		...(text !== "" && {
			cloudRule: text,
			rules: [
				{
					fullPath: "system",
					content: text,
					type: { type: { case: "global", value: {} } },
					source: CursorRuleSource.USER,
				},
			],
		}),
	};
}
