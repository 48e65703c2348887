import { readSse } from "./sse.ts";

// For tests only: what a client makes of our chunks.

interface Delta {
	role?: string;
	content?: string | null;
	reasoning_content?: string;
	reasoning?: string;
	tool_calls?: { index: number; id?: string; type?: string; function?: { name?: string; arguments?: string } }[];
	function_call?: { name?: string; arguments?: string };
}

export interface Chunk {
	id: string;
	created: number;
	model: string;
	choices: { index: number; delta: Delta; finish_reason: string | null }[];
	usage?: object;
	error?: object;
}

export interface ReadAnswer {
	roles: string[];
	content: string;
	reasoning_content: string;
	reasoning: string;
	tool_calls: { id: string; type: string; name: string; arguments: string }[];
	function_call: { name: string; arguments: string } | undefined;
	finish_reasons: string[];
}

/** All chunks of a complete stream, and whether it ended as it should. */
export function readChunks(stream: string): { chunks: Chunk[]; isDone: boolean } {
	const events = readSse(stream).map(({ data }) => data);
	const isDone = events.at(-1) === "[DONE]";
	return { chunks: (isDone ? events.slice(0, -1) : events).map((data) => JSON.parse(data) as Chunk), isDone };
}

/** One choice, put together as SDKs do it: by adding up deltas, calls by their index. */
export function readAnswer(chunks: readonly Chunk[], index = 0): ReadAnswer {
	const answer: ReadAnswer = {
		...{ roles: [], content: "", reasoning_content: "", reasoning: "" },
		...{ tool_calls: [], function_call: undefined, finish_reasons: [] },
	};
	for (const choice of chunks.flatMap(({ choices }) => choices).filter((one) => one.index === index)) {
		addDelta(answer, choice.delta);
		if (choice.finish_reason !== null) answer.finish_reasons.push(choice.finish_reason);
	}
	return answer;
}

function addDelta(answer: ReadAnswer, delta: Delta): void {
	if (delta.role !== undefined) answer.roles.push(delta.role);
	answer.content += delta.content ?? "";
	answer.reasoning_content += delta.reasoning_content ?? "";
	answer.reasoning += delta.reasoning ?? "";
	for (const { index, id, type, function: part } of delta.tool_calls ?? []) {
		const call = answer.tool_calls[index] ?? { id: id ?? "", type: type ?? "", name: part?.name ?? "", arguments: "" };
		answer.tool_calls[index] = call;
		call.arguments += part?.arguments ?? "";
	}
	if (delta.function_call) {
		answer.function_call ??= { name: delta.function_call.name ?? "", arguments: "" };
		answer.function_call.arguments += delta.function_call.arguments ?? "";
	}
}
