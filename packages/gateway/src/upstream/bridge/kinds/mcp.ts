import type {
	ListMcpResourcesExecArgs,
	McpAllowlistPrecheckArgs,
	McpStateExecArgs,
	ReadMcpResourceExecArgs,
} from "@cursorwire/protocol/agent";
import { toolDefinitions } from "../../protocols/agent/request-context.ts";
import type { SettledKind } from "../exec-kind.ts";

/** Returns the client's tools in full, because the server asks for them again before it first calls one. */
export const MCP_STATE: SettledKind<McpStateExecArgs> = {
	settle: (_args, tools, names) => {
		const definitions = toolDefinitions(tools, names);
		const name = definitions[0]?.providerIdentifier ?? "";
		const servers = definitions.length === 0 ? [] : [{ serverName: name, serverIdentifier: name, tools: definitions }];
		return [{ case: "mcpStateExecResult", value: { result: { case: "success", value: { servers } } } }];
	},
};

export const LIST_MCP_RESOURCES: SettledKind<ListMcpResourcesExecArgs> = {
	settle: () => [
		{ case: "listMcpResourcesExecResult", value: { result: { case: "success", value: { resources: [] } } } },
	],
};

export const READ_MCP_RESOURCE: SettledKind<ReadMcpResourceExecArgs> = {
	settle: ({ uri }) => [{ case: "readMcpResourceExecResult", value: { result: { case: "notFound", value: { uri } } } }],
};

/** The client itself asks its user before it runs a tool, so asking here as well would gain nothing. */
export const MCP_PRECHECK: SettledKind<McpAllowlistPrecheckArgs> = {
	settle: () => [{ case: "mcpAllowlistPrecheckResult", value: { allowlisted: true } }],
};
