import type { ClientMessage, ClientRequest } from "../client-request.ts";
import { type Json, readMessage } from "./parts.ts";

/** The one text that the gateway leaves out: it is for the vendor's bookkeeping and differs in every request. */
const BILLING = /^x-anthropic-billing-header:[^\n]*\n?/;

/** A Messages request. */
export function readMessages({ system, messages, tools }: Json): ClientRequest {
	const { texts } = readMessage("system", system);
	return {
		system: texts.map((text, index) => (index === 0 ? text.replace(BILLING, "") : text)).filter((text) => text !== ""),
		messages: messages.flatMap(toMessages),
		tools: (tools ?? [])
			.filter(({ type = "custom" }: Json) => type === "custom")
			.filter(({ name, defer_loading }: Json) => !defer_loading || isNamed(name, messages))
			.map((tool: Json) => ({ name: tool.name, description: tool.description ?? "", schema: tool.input_schema })),
	};
}

/** A tool that is loaded when it is needed is offered once a search has found it or the model has called it. */
function isNamed(tool: string, messages: Json[]): boolean {
	const blocks: Json[] = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
	return blocks
		.flatMap((block) => [block, ...(Array.isArray(block.content) ? block.content : [])])
		.some(
			({ type, name, tool_name }) => (type === "tool_use" ? name : type === "tool_reference" && tool_name) === tool,
		);
}

/** Results of tools stand in the user's messages, before what the user says. */
function toMessages({ role, content }: Json): ClientMessage[] {
	const blocks: Json[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
	const results = blocks.filter(({ type }) => type === "tool_result");
	const said = readMessage(
		role,
		blocks.filter((block) => block.type !== "tool_result"),
	);
	const calls = blocks.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ name, args: input }));
	const isSaid = said.texts.length + said.images.length + calls.length > 0;
	return [...results.map((result) => readMessage("tool", result.content)), ...(isSaid ? [{ ...said, calls }] : [])];
}
