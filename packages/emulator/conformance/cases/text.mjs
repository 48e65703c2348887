import assert from "node:assert/strict";
import { TEXT_CHUNKS, USAGE } from "../brain.mjs";
import { MODEL } from "../kit/case-kit.mjs";
import { sawIn } from "../kit/saw.mjs";

/** @type {import("./index.mjs").Case} */
export const text = {
	name: "text",
	title: "chunks arrive one by one and unchanged, token usage is counted, and the transport is the intended one",

	async run({ ask, control, createAgent, transport }) {
		const agent = await createAgent();
		const exchange = await ask(agent, "[text] hello");
		assert.equal(exchange.result.status, "finished");
		assert.deepEqual(exchange.textDeltas.slice(0, TEXT_CHUNKS.length), TEXT_CHUNKS);
		assert.equal(exchange.result.result, exchange.text, "the run's result is its text");
		assert.deepEqual(sawIn(exchange.text), { model: MODEL.id, prompt: "[text] hello", mode: "agent" });

		const streamed = exchange.messages
			.filter(({ type }) => type === "assistant")
			.flatMap(({ message }) => message.content.map((block) => block.text));
		assert.equal(streamed.join(""), exchange.text, "run.stream() and onDelta agree");

		const ended = exchange.updates.find(({ type }) => type === "turn-ended");
		assert.deepEqual(pick(ended?.usage, Object.keys(COUNTED)), COUNTED);
		await assertTransport(control, agent.agentId, transport);
	},
};

const COUNTED = {
	inputTokens: USAGE.inputTokens,
	outputTokens: USAGE.outputTokens,
	cacheReadTokens: USAGE.cacheReadTokens,
	cacheWriteTokens: USAGE.cacheWriteTokens,
};

function pick(from, keys) {
	return Object.fromEntries(keys.map((key) => [key, Number(from?.[key])]));
}

/** A run that silently fell back to another transport would prove nothing about this one. */
async function assertTransport(control, agentId, transport) {
	const path = transport.http === "1.1" ? "RunSSE" : "Run";
	const runs = (await control.requests()).filter((request) => /\/agent\.v1\.AgentService\/Run/.test(request.path));
	const own = runs.filter(({ messages }) => messages[0]?.runRequest?.conversationId === agentId);
	assert.equal(own.length, 1, "one run of this conversation");
	for (const run of runs) {
		assert.equal(run.path, `/agent.v1.AgentService/${path}`);
		assert.equal(run.httpVersion, transport.http);
	}
}
