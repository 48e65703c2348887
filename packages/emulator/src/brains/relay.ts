import type { Brain, Call, CallResult, Message, Turn } from "./brain.ts";

interface ChatMessage {
	role: string;
	content?: unknown;
	tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
	tool_call_id?: string;
}

interface Delta {
	content?: string | null;
	reasoning_content?: string | null;
	tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
}

/** Uses an OpenAI-compatible server as the model: the one that `?model=` in the URL names, or the run's own. */
export function relay(address: string, apiKey?: string): Brain {
	let base: URL;
	try {
		base = new URL(address);
	} catch {
		throw new Error(`brain "relay:${address}": not a URL (relay:http://127.0.0.1:8080/v1)`);
	}
	const model = base.searchParams.get("model");
	const url = `${base.origin}${base.pathname.replace(/\/$/, "")}/chat/completions`;

	return async function* (turn) {
		const messages = toChatMessages(turn);
		for (;;) {
			const pending: { id: string; name: string; text: string }[] = [];
			let text = "";
			for await (const delta of completions(
				url,
				apiKey,
				{ model: model ?? turn.model.id, messages, ...offered(turn) },
				turn,
			)) {
				if (delta.reasoning_content) yield { thinking: delta.reasoning_content };
				if (delta.content) {
					text += delta.content;
					yield { text: delta.content };
				}
				for (const piece of delta.tool_calls ?? []) {
					pending[piece.index] ??= { id: piece.id ?? `call_${piece.index}`, name: "", text: "" };
					const call = pending[piece.index]!;
					call.name += piece.function?.name ?? "";
					call.text += piece.function?.arguments ?? "";
				}
			}
			if (pending.length === 0) return;
			const calls: Call[] = pending.map(({ name, text: args }) => ({ name, arguments: args ? JSON.parse(args) : {} }));
			const results: CallResult[] = yield { calls };
			messages.push({
				role: "assistant",
				content: text || null,
				tool_calls: pending.map((call) => ({
					id: call.id,
					type: "function",
					function: { name: call.name, arguments: call.text || "{}" },
				})),
			});
			results.forEach((result, index) => {
				messages.push({ role: "tool", tool_call_id: pending[index]!.id, content: result.text });
			});
		}
	};
}

function offered(turn: Turn) {
	if (turn.tools.length === 0) return {};
	const tools = turn.tools.map(({ name, description, inputSchema }) => ({
		type: "function",
		function: { name, description, parameters: inputSchema ?? { type: "object" } },
	}));
	return { tools };
}

function toChatMessages(turn: Turn): ChatMessage[] {
	const system = [...turn.system, ...turn.rules].join("\n\n");
	return [...(system ? [{ role: "system", content: system }] : []), ...turn.messages.flatMap(toChatMessage)];
}

function toChatMessage(message: Message): ChatMessage[] {
	const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
	if (message.role === "tool") {
		return message.content.flatMap((part) =>
			part.type === "tool-result"
				? [{ role: "tool", tool_call_id: part.toolCallId, content: String(part.result) }]
				: [],
		);
	}
	const images = message.content.flatMap((part) =>
		part.type === "image"
			? [
					{
						type: "image_url",
						image_url: { url: `data:${part.mediaType};base64,${Buffer.from(part.data).toString("base64")}` },
					},
				]
			: [],
	);
	if (message.role === "user") {
		return [{ role: "user", content: images.length > 0 ? [{ type: "text", text }, ...images] : text }];
	}
	const calls = message.content.flatMap((part) =>
		part.type === "tool-call"
			? [
					{
						id: part.toolCallId,
						type: "function" as const,
						function: { name: part.toolName, arguments: JSON.stringify(part.args) },
					},
				]
			: [],
	);
	return [{ role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls: calls }) }];
}

async function* completions(url: string, apiKey: string | undefined, body: object, turn: Turn): AsyncGenerator<Delta> {
	const response = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
		body: JSON.stringify({ ...body, stream: true }),
		signal: turn.signal,
	});
	if (!response.ok || !response.body) {
		throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
	}
	let rest = "";
	for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
		const lines = (rest + chunk).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const data = line.startsWith("data:") ? line.slice(5).trim() : "";
			if (data === "[DONE]") return;
			if (data) yield JSON.parse(data).choices?.[0]?.delta ?? {};
		}
	}
}
