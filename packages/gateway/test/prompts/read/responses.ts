import type { ClientMessage, ClientRequest, ClientTool, Exchange } from "../client-request.ts";
import { type Json, parsed, readMessage } from "./parts.ts";

/** A Responses request. What it names by id of earlier exchanges is looked up there. */
export function readResponses(body: Json, earlier: readonly Exchange[]): ClientRequest {
	const items = [...itemsBefore(body.previous_response_id, earlier), ...itemsOf(body, earlier)];
	const inItems = items.filter(({ type }) => type === "additional_tools").flatMap(({ tools }) => tools);
	return {
		system: body.instructions ? [body.instructions] : [],
		messages: items.flatMap(toMessage),
		tools: [...(body.tools ?? []), ...inItems].flatMap((tool) => toTools(tool)),
	};
}

function itemsBefore(id: string | undefined, earlier: readonly Exchange[]): Json[] {
	if (!id) return [];
	const index = earlier.findIndex((exchange) => responseOf(exchange)?.id === id);
	const exchange = earlier[index]!;
	const before = earlier.slice(0, index);
	const { previous_response_id: previous } = exchange.body;
	return [...itemsBefore(previous, before), ...itemsOf(exchange.body, before), ...responseOf(exchange).output];
}

function itemsOf({ input }: Json, earlier: readonly Exchange[]): Json[] {
	if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
	const outputs = () => earlier.flatMap((exchange) => responseOf(exchange)?.output ?? []);
	return input.flatMap((item: Json) =>
		item.type === "item_reference" ? outputs().filter(({ id }) => id === item.id) : [item],
	);
}

/** The response of an answer that came at once or in events. */
function responseOf({ answer }: Exchange): Json {
	const completed = /^data: (\{"type":"response\.completed".*)$/m.exec(answer)?.[1];
	return completed ? JSON.parse(completed).response : parsed(answer);
}

function toMessage(item: Json): ClientMessage[] {
	const { type = "message" } = item;
	if (type === "message") return [readMessage(item.role === "developer" ? "system" : item.role, item.content)];
	if (type === "function_call" || type === "custom_tool_call") {
		const call = { name: flatName(item), args: parsed(item.arguments ?? item.input) };
		return [{ ...readMessage("assistant", []), calls: [call] }];
	}
	if (type === "function_call_output" || type === "custom_tool_call_output") return [readMessage("tool", item.output)];
	return [];
}

/** Tools may be grouped; those that the vendor runs are left out. */
function toTools(tool: Json, namespace?: string): ClientTool[] {
	if (tool.type === "namespace") return tool.tools.flatMap((inner: Json) => toTools(inner, tool.name));
	if (tool.type !== "function" && tool.type !== "custom") return [];
	const schema = tool.type === "function" ? tool.parameters : undefined;
	return [{ name: flatName({ ...tool, namespace }), description: tool.description ?? "", schema }];
}

function flatName({ name, namespace }: { name: string; namespace?: string }): string {
	if (!namespace || namespace === "functions") return name;
	return namespace.endsWith("__") ? namespace + name : `${namespace}__${name}`;
}
