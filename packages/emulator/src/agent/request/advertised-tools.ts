import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { AgentRunRequest, McpToolDefinition, RequestContext } from "@cursorwire/protocol/agent";
import type { Tool } from "../../brains/brain.ts";
import type { Switches } from "../../switches.ts";

export interface AdvertisedTool {
	place: "run_request.mcp_tools" | "request_context.tools";
	tool: McpToolDefinition;
}

/** The client's tools from the two places where it may send them, as far as the switch says they are read. */
export function advertisedTools(
	{ mcpTools }: AgentRunRequest,
	context: RequestContext | undefined,
	switches: Switches,
): AdvertisedTool[] {
	const from = switches.get("tools-from");
	const inRequest = from === "request-context" ? [] : (mcpTools?.mcpTools ?? []);
	const inContext = from === "run-request" ? [] : (context?.tools ?? []);
	return [
		...inRequest.map((tool) => ({ place: "run_request.mcp_tools" as const, tool })),
		...inContext.map((tool) => ({ place: "request_context.tools" as const, tool })),
	];
}

/** Each name once. */
export function distinctTools(advertised: readonly AdvertisedTool[]): McpToolDefinition[] {
	return [...new Map(advertised.map(({ tool }) => [tool.name, tool])).values()];
}

export function toTool(tool: McpToolDefinition): Tool {
	const inputSchema = tool.inputSchemaJson
		? JSON.parse(tool.inputSchemaJson)
		: tool.inputSchema && toJson(ValueSchema, tool.inputSchema);
	return { name: tool.name, description: tool.description, inputSchema };
}
