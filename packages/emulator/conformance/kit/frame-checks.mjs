// What must hold for the frames of every turn.
import assert from "node:assert/strict";

/** The values of all frames of a kind. */
export const of = (frames, kind) => frames.filter((frame) => frame.kind === kind).map(({ value }) => value);

export function assertFraming(frames, { gzip = false }) {
	const last = frames.at(-1);
	assert.deepEqual(last.value, {}, "the stream ends without an error");
	for (const { kind, compressed } of frames.slice(0, -1)) assert.equal(compressed, gzip, `${kind} is compressed`);
}

export function assertHeartbeats(frames) {
	assert.equal(frames[0].kind, "heartbeat", "a heartbeat at once: the server is there");
	const pause = frames.findIndex(({ kind }) => kind === "text_delta");
	const goesOn = frames.findIndex(({ kind }) => kind === "partial_tool_call");
	assert.ok(of(frames.slice(pause, goesOn), "heartbeat").length > 0, "heartbeats while the model takes its time");
}

export function assertTokens(frames) {
	const deltas = of(frames, "token_delta").map(({ tokens }) => tokens);
	assert.ok(
		deltas.every((tokens) => tokens > 0),
		`token_delta: ${deltas}`,
	);
	const [ended] = of(frames, "turn_ended");
	assert.equal(
		deltas.reduce((sum, tokens) => sum + tokens),
		ended.output_tokens,
		"turn_ended has the sum of all token_delta",
	);
	assert.ok(ended.input_tokens > 0, "turn_ended has the tokens of the prompt");
}

/** @param {object[]} expected the arguments of the calls of client tools, then those of the read request */
export function assertToolCalls(frames, expected) {
	assert.deepEqual(of(frames, "tool_requests_listed"), [{ call_count: expected.length - 1 }]);
	assert.deepEqual(
		of(frames, "step_completed").map((step) => step.step_id),
		[1, 2],
	);

	const started = of(frames, "tool_call_started").map((call) => call.call_id);
	const completed = of(frames, "tool_call_completed").map((call) => call.call_id);
	assert.equal(new Set(started).size, expected.length, "each call has an id of its own");
	assert.deepEqual([...completed].sort(), [...started].sort(), "each call that is started is completed");
	const asked = [...of(frames, "mcp_args"), ...of(frames, "read_args")].map((args) => args.tool_call_id);
	assert.deepEqual(asked, started, "the client is asked for the calls that it was shown");

	const partial = of(frames, "partial_tool_call");
	for (const [index, callId] of started.entries()) {
		const pieces = partial.filter((call) => call.call_id === callId).map((call) => call.args_text_delta);
		assert.ok(pieces.length > 1, "arguments come in pieces");
		assert.deepEqual(JSON.parse(pieces.join("")), expected[index]);
	}
}

/** Every request to the client has an id of its own and was answered. */
export function assertAnswers({ frames, request }) {
	const asked = (pattern) => frames.filter(({ kind }) => pattern.test(kind)).map(({ id }) => id);
	const answered = (name) => request.messages.flatMap((message) => message[name] ?? []).map(({ id = 0 }) => id);
	for (const [pattern, name] of [
		[/^(get|set)_blob_args$/, "kvClientMessage"],
		[/^(request_context|mcp|read)_args$/, "execClientMessage"],
	]) {
		const ids = asked(pattern);
		assert.equal(new Set(ids).size, ids.length, `${name}: every id is used once`);
		assert.deepEqual([...answered(name)].sort(byNumber), [...ids].sort(byNumber), name);
	}
}

const byNumber = (a, b) => a - b;

/** The used tokens never decrease from one checkpoint to the next. */
export function assertWindow(checkpoints) {
	let before = 0;
	for (const { token_details: details } of checkpoints) {
		assert.ok(details?.used_tokens >= before && details.used_tokens > 0, `used_tokens: ${JSON.stringify(details)}`);
		assert.ok(details.max_tokens > details.used_tokens, `max_tokens: ${JSON.stringify(details)}`);
		before = details.used_tokens;
	}
}
