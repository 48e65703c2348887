// The three APIs as a client without a library writes and reads them.

export interface Picture {
	mediaType: string;
	data: Buffer;
}

export type Said =
	| { role: "user"; parts: (string | Picture)[] }
	| { role: "system"; parts: string[] }
	| { role: "assistant"; parts: string[]; calls?: SaidCall[] }
	| { role: "tool"; id: string; parts: (string | Picture)[] };

interface SaidCall {
	id: string;
	name: string;
	args: object;
}

export interface Talk {
	system: string[];
	said: Said[];
	tools?: { name: string; description: string; schema: object }[];
}

// biome-ignore lint/suspicious/noExplicitAny: answers of three APIs, read field by field
type Json = any;

export interface Dialect {
	name: string;
	path: string;
	body(talk: Talk): object;
	/** What the answer says, to be sent back. */
	answer(json: Json): Extract<Said, { role: "assistant" }>;
}

const MODEL = "composer-1";
const dataUrl = ({ mediaType, data }: Picture) => `data:${mediaType};base64,${data.toString("base64")}`;

export const chat: Dialect = {
	name: "Chat Completions",
	path: "/v1/chat/completions",
	body({ system, said, tools = [] }) {
		const part = (given: string | Picture) =>
			typeof given === "string"
				? { type: "text", text: given }
				: { type: "image_url", image_url: { url: dataUrl(given) } };
		const message = (each: Said): object => {
			const content = each.parts.map(part);
			if (each.role === "tool") return { role: "tool", tool_call_id: each.id, content };
			if (each.role !== "assistant") return { role: each.role, content };
			const calls = each.calls?.map(({ id, name, args }) => {
				return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
			});
			return { role: "assistant", content, ...(calls?.length && { tool_calls: calls }) };
		};
		return {
			model: MODEL,
			messages: [...(system.length > 0 ? [{ role: "system", content: system.map(part) }] : []), ...said.map(message)],
			tools: tools.map(({ schema, ...tool }) => ({ type: "function", function: { ...tool, parameters: schema } })),
		};
	},
	answer({ choices: [{ message }] }) {
		const calls = (message.tool_calls ?? []).map((call: Json) => {
			return { id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) };
		});
		return { role: "assistant", parts: message.content ? [message.content] : [], calls };
	},
};

/** With the name that newer models have for a system message. */
export const chatDeveloper: Dialect = {
	...chat,
	name: "Chat Completions with developer messages",
	body(talk) {
		const body = chat.body(talk) as { messages: { role: string }[] };
		const messages = body.messages.map((each) => (each.role === "system" ? { ...each, role: "developer" } : each));
		return { ...body, messages };
	},
};

export const responses: Dialect = {
	name: "Responses",
	path: "/v1/responses",
	body({ system, said, tools = [] }) {
		const part = (given: string | Picture) =>
			typeof given === "string"
				? { type: "input_text", text: given }
				: { type: "input_image", image_url: dataUrl(given) };
		const items = (each: Said): object[] => {
			if (each.role === "tool") {
				return [{ type: "function_call_output", call_id: each.id, output: each.parts.map(part) }];
			}
			if (each.role !== "assistant") {
				const role = each.role === "system" ? "developer" : "user";
				return [{ type: "message", role, content: each.parts.map(part) }];
			}
			const content = each.parts.map((text) => ({ type: "output_text", text }));
			const calls = each.calls ?? [];
			return [
				...(content.length > 0 ? [{ type: "message", role: "assistant", content }] : []),
				...calls.map(({ id, name, args }) => {
					return { type: "function_call", call_id: id, name, arguments: JSON.stringify(args) };
				}),
			];
		};
		return {
			model: MODEL,
			store: false,
			...(system.length > 0 && { instructions: system[0] }),
			input: [...(system.length > 1 ? items({ role: "system", parts: system.slice(1) }) : []), ...said.flatMap(items)],
			tools: tools.map(({ schema, ...tool }) => ({ type: "function", ...tool, parameters: schema })),
		};
	},
	answer({ output }) {
		const messages = output.filter(({ type }: Json) => type === "message");
		const calls = output.filter(({ type }: Json) => type === "function_call");
		return {
			role: "assistant",
			parts: messages.flatMap(({ content }: Json) => content.map(({ text }: Json) => text)),
			calls: calls.map((call: Json) => ({ id: call.call_id, name: call.name, args: JSON.parse(call.arguments) })),
		};
	},
};

export const messages: Dialect = {
	name: "Messages",
	path: "/v1/messages",
	body({ system, said, tools = [] }) {
		const part = (given: string | Picture) =>
			typeof given === "string"
				? { type: "text", text: given }
				: {
						type: "image",
						source: { type: "base64", media_type: given.mediaType, data: given.data.toString("base64") },
					};
		const list: { role: string; content: object[] }[] = [];
		for (const each of said) {
			const parts = each.parts.map(part);
			if (each.role === "assistant") {
				const calls = (each.calls ?? []).map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
				list.push({ role: "assistant", content: [...parts, ...calls] });
			} else if (each.role === "tool") {
				list.push({ role: "user", content: [{ type: "tool_result", tool_use_id: each.id, content: parts }] });
			} else list.push({ role: each.role, content: parts });
		}
		return {
			model: MODEL,
			max_tokens: 1000,
			system: system.map(part),
			messages: list,
			tools: tools.map(({ schema, ...tool }) => ({ ...tool, input_schema: schema })),
		};
	},
	answer({ content }) {
		return {
			role: "assistant",
			parts: content.flatMap((block: Json) => (block.type === "text" ? [block.text] : [])),
			calls: content.flatMap(({ type, id, name, input }: Json) =>
				type === "tool_use" ? [{ id, name, args: input }] : [],
			),
		};
	},
};
