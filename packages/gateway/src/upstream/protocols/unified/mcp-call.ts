import { ClientSideToolV2, type ClientSideToolV2Call } from "@cursorwire/protocol/aiserver";

/** A call of a tool that Cursor knows by its MCP definition, which is how the client's tools are offered. */
export interface McpCall {
	/** `tool`: the older form, with arguments as text. `struct`: the newer one. */
	form: "tool" | "struct";
	server: string;
	name: string;
	/** Arguments as JSON text; empty where the call brings none. */
	json: string;
}

/** Undefined where the call is of one of Cursor's own tools. */
export function mcpCallOf({ tool, params, name, rawArgs, isStreaming }: ClientSideToolV2Call): McpCall | undefined {
	if (params.case === "callMcpToolParams") {
		const { server, toolName, toolArgs } = params.value;
		return { form: "struct", server, name: toolName, json: toolArgs ? JSON.stringify(toolArgs) : "" };
	}
	if (params.case === "mcpParams") {
		const [called] = params.value.tools;
		const json = called?.parameters || (isStreaming ? "" : rawArgs);
		return { form: "tool", server: called?.serverName ?? "", name: called?.name || name, json };
	}
	if (tool !== ClientSideToolV2.MCP) return undefined;
	return { form: "tool", server: "", name, json: isStreaming ? "" : rawArgs };
}

/** The names under which the tool may have been offered: some models call it by server and name. */
export function mcpNames({ server, name }: McpCall): string[] {
	const bare = [`mcp_${server}_`, `mcp__${server}__`, `${server}-`, "mcp_"].flatMap((prefix) =>
		name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
	);
	return [name, ...bare];
}
