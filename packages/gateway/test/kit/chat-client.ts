// A Chat Completions client that reads the stream itself and tells it in neutral events.
import { TurnCollector } from "../../src/turn/collect.ts";
import { GatewayError } from "../../src/turn/error.ts";
import { ERROR_KINDS, type ErrorKind } from "../../src/turn/error-kinds.ts";
import type { EndReason, TurnEvent } from "../../src/turn/event.ts";
import { Grammar } from "../../src/turn/grammar.ts";
import { type TurnMessage, type TurnRequest, textOf } from "../../src/turn/request.ts";
import type { TestGateway } from "./gateway.ts";
import type { Response as TurnResponse } from "./upstream.ts";

interface Chunk {
	error?: { message: string; code: string };
	choices?: {
		delta: {
			content?: string | null;
			reasoning_content?: string;
			tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
		};
		finish_reason: string | null;
	}[];
	usage?: {
		prompt_tokens: number;
		completion_tokens: number;
		prompt_tokens_details: { cached_tokens: number };
		completion_tokens_details: { reasoning_tokens: number };
	};
}

const REASONS: Record<string, EndReason> = {
	stop: "stop",
	length: "length",
	tool_calls: "tool-calls",
	content_filter: "filtered",
};

/** Sends a conversation and reads the answer to its end, or until the client leaves. */
export async function askChat(
	gateway: TestGateway,
	request: Partial<TurnRequest> & { messages: TurnMessage[] },
	onEvent: (event: TurnEvent) => void = () => {},
	signal?: AbortSignal,
): Promise<TurnResponse & { headers: Headers | undefined; done: boolean }> {
	const reader = new ChunkReader(onEvent);
	let headers: Headers | undefined;
	try {
		const response = await gateway.post("/v1/chat/completions", chatBody(request), { signal });
		headers = response.headers;
		if (!response.ok) reader.fail(((await response.json()) as { error: { message: string; code: string } }).error);
		else await readEvents(response, reader);
	} catch (error) {
		if (!signal?.aborted) throw error;
	}
	return { ...reader.result(), headers };
}

async function readEvents(response: Response, reader: ChunkReader): Promise<void> {
	let rest = "";
	for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
		const events = (rest + chunk).split("\n\n");
		rest = events.pop() ?? "";
		for (const event of events) if (event.startsWith("data: ")) reader.read(event.slice("data: ".length));
	}
	reader.close();
}

class ChunkReader {
	readonly #grammar = new Grammar();
	readonly #collector = new TurnCollector();
	readonly #events: TurnEvent[] = [];
	readonly #onEvent: (event: TurnEvent) => void;
	readonly #calls: { id: string; name: string; text: string }[] = [];
	#block: "text" | "thinking" | undefined;
	#end: EndReason | undefined;
	#error: GatewayError | undefined;
	#done = false;

	constructor(onEvent: (event: TurnEvent) => void) {
		this.#onEvent = onEvent;
		this.#emit({ type: "turn-start", runId: "", model: "", path: "new" });
	}

	read(data: string): void {
		if (data === "[DONE]") {
			this.#done = true;
			if (this.#end) this.#emit({ type: "turn-end", reason: this.#end });
			return;
		}
		const chunk = JSON.parse(data) as Chunk;
		if (chunk.error) return this.fail(chunk.error);
		const [choice] = chunk.choices ?? [];
		if (choice?.delta.reasoning_content) this.#say("thinking", choice.delta.reasoning_content);
		if (choice?.delta.content) this.#say("text", choice.delta.content);
		for (const call of choice?.delta.tool_calls ?? []) this.#call(call);
		if (choice?.finish_reason) this.#finish(REASONS[choice.finish_reason]!);
		if (chunk.usage) this.#usage(chunk.usage);
	}

	fail({ message, code }: { message: string; code: string }): void {
		const kind = (Object.keys(ERROR_KINDS) as ErrorKind[]).find((each) => ERROR_KINDS[each].openai.code === code)!;
		this.#error = new GatewayError(kind, message, { nextStep: "" });
	}

	/** The body has ended: without `[DONE]` and without an error something is wrong. */
	close(): void {
		if (!this.#done && !this.#error) throw new Error("the stream ended without an end");
		if (this.#done && this.#error) throw new Error("the stream had an error and an end");
	}

	result() {
		const { turn } = this.#collector;
		const joined = (type: "text" | "thinking") =>
			turn.content.map((part) => (part.type === type ? part.text : "")).join("");
		const calls = turn.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
		const events = this.#events.filter(({ type }) => type !== "turn-start");
		return {
			events,
			turn,
			text: joined("text"),
			thinking: joined("thinking"),
			calls,
			error: this.#error,
			done: this.#done,
		};
	}

	#say(block: "text" | "thinking", text: string): void {
		if (this.#block !== block) {
			this.#closeBlock();
			this.#block = block;
			this.#emit({ type: `${block}-start` });
		}
		this.#emit({ type: `${block}-delta`, text });
	}

	#call({
		index,
		id,
		function: call,
	}: NonNullable<NonNullable<Chunk["choices"]>[number]["delta"]["tool_calls"]>[number]): void {
		this.#closeBlock();
		if (id !== undefined) {
			this.#calls[index] = { id, name: call!.name!, text: "" };
			this.#emit({ type: "tool-input-start", id, name: call!.name! });
		}
		const open = this.#calls[index]!;
		if (!call?.arguments) return;
		open.text += call.arguments;
		this.#emit({ type: "tool-input-delta", id: open.id, text: call.arguments });
	}

	#finish(reason: EndReason): void {
		this.#closeBlock();
		for (const { id, name, text } of this.#calls) {
			this.#emit({ type: "tool-input-end", id });
			this.#emit({ type: "tool-call", id, name, arguments: text });
		}
		this.#end = reason;
	}

	#usage(usage: NonNullable<Chunk["usage"]>): void {
		this.#emit({
			type: "usage",
			usage: {
				inputTokens: usage.prompt_tokens,
				outputTokens: usage.completion_tokens,
				cachedInputTokens: usage.prompt_tokens_details.cached_tokens,
				cacheWriteTokens: 0,
				reasoningTokens: usage.completion_tokens_details.reasoning_tokens,
			},
		});
	}

	#closeBlock(): void {
		if (this.#block) this.#emit({ type: `${this.#block}-end` });
		this.#block = undefined;
	}

	#emit(event: TurnEvent): void {
		this.#grammar.accept(event);
		this.#collector.add(event);
		this.#events.push(event);
		this.#onEvent(event);
	}
}

/** A neutral request in OpenAI's words. */
export function chatBody(request: Partial<TurnRequest> & { messages: TurnMessage[] }): object {
	return {
		model: request.model ?? "composer-1",
		stream: true,
		stream_options: { include_usage: true },
		messages: [
			...(request.system ?? []).map((content) => ({ role: "system", content })),
			...request.messages.flatMap(toChat),
		],
		...(request.tools?.length && {
			tools: request.tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				function: { name, description, parameters: inputSchema },
			})),
		}),
		...(request.parallelToolCalls === false && { parallel_tool_calls: false }),
	};
}

function toChat(message: TurnMessage): object[] {
	if (message.role === "user") return [{ role: "user", content: message.content.map(partOf) }];
	if (message.role === "tool") {
		return message.content.map(({ callId, content }) => ({
			role: "tool",
			tool_call_id: callId,
			content: content.map(partOf),
		}));
	}
	const calls = message.content.flatMap((part) =>
		part.type === "tool-call"
			? [{ id: part.id, type: "function", function: { name: part.name, arguments: part.arguments } }]
			: [],
	);
	return [
		{ role: "assistant", content: textOf(message.content) || null, ...(calls.length > 0 && { tool_calls: calls }) },
	];
}

function partOf(part: { type: "text"; text: string } | { type: "image"; mediaType: string; data: Uint8Array }): object {
	if (part.type === "text") return part;
	const url = `data:${part.mediaType};base64,${Buffer.from(part.data).toString("base64")}`;
	return { type: "image_url", image_url: { url } };
}
