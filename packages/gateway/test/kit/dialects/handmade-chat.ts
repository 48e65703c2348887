// A client that speaks Chat Completions by hand, so that a test decides about every message and every header.
import { randomBytes } from "node:crypto";
import type { Brain, Emulator, Turn } from "cursorwire-emulator";
import { KeyRing } from "../../../src/access/key-ring.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { KeyLimits } from "../../../src/store/store.ts";
import { eventsOf } from "./sse.ts";

export interface ToolCall {
	id: string;
	type: "function";
	function: { name: string; arguments: string };
}

export interface Message {
	role: "system" | "user" | "assistant" | "tool";
	content: string | null;
	tool_calls?: ToolCall[];
	tool_call_id?: string;
}

export interface Answer {
	status: number;
	headers: Headers;
	/** The rung of the ladder. */
	path: string | null;
	session: string | null;
	warnings: string;
	/** To be put into the history. */
	message: Message;
	text: string;
	calls: ToolCall[];
	finish: string | null;
	error: { code: string; type?: string; message: string } | undefined;
}

export interface AskOptions {
	key?: string;
	model?: string;
	tools?: object[];
	stream?: boolean;
	signal?: AbortSignal;
	/** Further fields of the body. */
	more?: object;
	/** Sees the text so far whenever some came. */
	onText?: (text: string) => void;
}

export const user = (content: string): Message => ({ role: "user", content });
export const system = (content: string): Message => ({ role: "system", content });
export const result = (call: ToolCall | string, content: string): Message => ({
	role: "tool",
	tool_call_id: typeof call === "string" ? call : call.id,
	content,
});

export const tool = (name: string): object => ({
	type: "function",
	function: { name, description: `the tool ${name}`, parameters: { type: "object", properties: {} } },
});

/** The argument that the test brains give their calls. */
export const numberOf = (call: ToolCall | undefined): unknown => JSON.parse(call?.function.arguments ?? "{}").n;

/** One request, read to its end. */
export async function ask(
	gateway: { url: string; key: string },
	messages: Message[],
	options: AskOptions = {},
): Promise<Answer> {
	const { key = gateway.key, model = "composer-1", tools, stream = false, signal, more, onText } = options;
	const response = await fetch(`${gateway.url}/v1/chat/completions`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		body: JSON.stringify({ model, messages, stream, ...(tools && { tools }), ...more }),
		...(signal && { signal }),
	});
	const streamed = response.headers.get("content-type")?.startsWith("text/event-stream");
	const body = streamed ? await readStream(response, onText) : ((await response.json()) as Body);
	const { message, finish_reason: finish = null } = body.choices?.[0] ?? {};
	const { content = null, tool_calls: calls } = message ?? {};
	return {
		status: response.status,
		headers: response.headers,
		path: response.headers.get("x-cursorwire-path"),
		session: response.headers.get("x-cursorwire-session"),
		warnings: response.headers.get("x-cursorwire-warnings") ?? "",
		message: { role: "assistant", content, ...(calls && { tool_calls: calls }) },
		text: content ?? "",
		calls: calls ?? [],
		finish,
		error: body.error,
	};
}

interface Body {
	choices?: { message: { content: string | null; tool_calls?: ToolCall[] }; finish_reason: string | null }[];
	error?: { code: string; type?: string; message: string };
}

interface Chunk {
	choices?: {
		delta: {
			content?: string;
			tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
		};
		finish_reason: string | null;
	}[];
	error?: { code: string; type?: string; message: string };
}

async function readStream(response: Response, onText: (text: string) => void = () => {}): Promise<Body> {
	const calls: ToolCall[] = [];
	let content = "";
	let finish: string | null = null;
	let done = false;
	for await (const { data } of eventsOf(response)) {
		done = data === "[DONE]";
		if (done) continue;
		const chunk = JSON.parse(data) as Chunk;
		if (chunk.error) return { error: chunk.error };
		const [choice] = chunk.choices ?? [];
		content += choice?.delta.content ?? "";
		for (const { index, id, function: part } of choice?.delta.tool_calls ?? []) {
			if (id) calls[index] = { id, type: "function", function: { name: part.name!, arguments: "" } };
			calls[index]!.function.arguments += part.arguments;
		}
		finish ??= choice?.finish_reason ?? null;
		if (choice?.delta.content) onText(content);
	}
	if (!done) throw new Error("the stream ended without an end");
	const message = { content: content || null, ...(calls.length > 0 && { tool_calls: calls }) };
	return { choices: [{ message, finish_reason: finish }] };
}

/** Another key of the same gateway. It holds for gateways that are started later or look the next time. */
export async function addKey(dataDir: string, name: string, limits?: KeyLimits): Promise<{ key: string; id: string }> {
	return withKeys(dataDir, async (ring) => {
		const { key, record } = await ring.add(name, { limits });
		return { key, id: record.id };
	});
}

/** What `cursorwire keys` does in a process of its own. */
export async function withKeys<T>(dataDir: string, action: (ring: KeyRing) => Promise<T>): Promise<T> {
	const store = await openStore({ dataDir, warn: () => {} });
	try {
		return await action(new KeyRing({ store, now: Date.now, random: randomBytes }));
	} finally {
		await store.close();
	}
}

/** Texts of the tool results behind the newest user message, in order. */
export function resultsSeen({ messages }: Turn): string[] {
	const last = messages.findLastIndex(({ role }) => role === "user");
	return messages
		.slice(last + 1)
		.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool-result" ? [String(part.result)] : [])));
}

/**
 * Calls the tool `step` so many times, one after the other, then tells all results in order. Where it begins with some
 * of them in its history it goes on from there, as a model would.
 */
export const steps = (count: number): Brain =>
	async function* (turn) {
		const known = resultsSeen(turn);
		while (known.length < count) {
			const [answer] = yield { calls: [{ name: "step", arguments: { n: known.length + 1 } }] };
			known.push(answer.text);
		}
		yield { text: known.join(" ") };
	};

/** Tells what reached the model: every message as `role:text`. */
export const transcript: Brain = async function* ({ messages }) {
	yield {
		text: messages
			.map(({ role, content }) => {
				const texts = content.map((part) =>
					part.type === "text" ? part.text : part.type === "tool-result" ? String(part.result) : `<${part.type}>`,
				);
				return `${role}:${texts.join("")}`;
			})
			.join(" | "),
	};
};

export interface RunSeen {
	state: { rootPromptMessagesJson?: string[]; turns?: string[] };
	conversationId: string;
	/** Text of the message that travelled; undefined for a resume. */
	newest: string | undefined;
	tools: string[];
}

/** The run requests that reached the emulator, in order. */
export function runsOf(emulator: Emulator): RunSeen[] {
	return emulator.requests().flatMap(({ messages }) => {
		const first = messages?.[0] as { runRequest?: RunRequestJson } | undefined;
		if (!first?.runRequest) return [];
		const { conversationState, action, mcpTools, conversationId } = first.runRequest;
		return [
			{
				state: conversationState,
				conversationId,
				newest: action.userMessageAction?.userMessage.text,
				tools: (mcpTools.mcpTools ?? []).map(({ name }) => name),
			},
		];
	});
}

interface RunRequestJson {
	conversationState: RunSeen["state"];
	action: { userMessageAction?: { userMessage: { text: string } } };
	mcpTools: { mcpTools?: { name: string }[] };
	conversationId: string;
}
