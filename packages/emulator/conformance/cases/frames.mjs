import assert from "node:assert/strict";
import { FRAMES } from "../brain.mjs";
import { assertBlobs, assertState } from "../kit/checkpoints.mjs";
import { finishedText } from "../kit/conversation.mjs";
import { withRunFrames } from "../kit/run-frames.mjs";

const CALLS = [
	{ name: "multiply", arguments: { a: 6, b: 7 } },
	{ name: "multiply", arguments: { a: 2, b: 3 } },
];

/** A turn with everything in it. What ends in + may come several times in a row. */
const FIRST_TURN = [
	"request_context_args",
	...["thinking_delta", "token_delta", "thinking_completed"],
	...["text_delta", "token_delta"],
	...CALLS.flatMap(() => ["partial_tool_call+", "tool_call_started"]),
	...CALLS.map(() => "token_delta"),
	"tool_requests_listed",
	...CALLS.map(() => "mcp_args"),
	...CALLS.map(() => "tool_call_completed"),
	...["step_completed", "set_blob_args+", "conversation_checkpoint_update"],
	...["token_delta", "partial_tool_call+", "tool_call_started", "read_args", "tool_call_completed"],
	...["step_completed", "set_blob_args+", "conversation_checkpoint_update"],
	...["text_delta", "token_delta", "set_blob_args+", "conversation_checkpoint_update"],
	...["turn_ended", "conversation_checkpoint_update", "end"],
];
const SECOND_TURN = [
	"request_context_args",
	...["text_delta", "token_delta", "set_blob_args+", "conversation_checkpoint_update"],
	...["turn_ended", "conversation_checkpoint_update", "end"],
];

/**
 * Not part of the order: heartbeats come by the clock, blobs are asked for only where the client did not send them, and
 * the rest is for display alone. Any other kind that is not expected is a fault.
 */
const ANYWHERE = new Set(["heartbeat", "get_blob_args", "step_started", "user_message_appended", "routed_model"]);

/** @type {import("./index.mjs").Case} */
export const frames = {
	name: "frames",
	title: "two turns frame by frame: order, counts, tokens, heartbeats, blobs and both checkpoints of each",

	async run({ ask, control, createAgent, transport, writeFile }) {
		const path = await writeFile("note.txt", "a note\n");
		const agent = await createAgent({ local: { customTools: { multiply } } });
		const first = await oneRun(() => ask(agent, `[frames] ${JSON.stringify({ calls: CALLS, path })}`));
		const second = await oneRun(() => ask(agent, "[remember] that"));

		assert.equal(finishedText(first.exchange), FRAMES.before + FRAMES.after);
		assert.deepEqual(order(first.frames), FIRST_TURN);
		assert.deepEqual(order(second.frames), SECOND_TURN);
		for (const each of [first, second]) {
			assertFraming(each.frames, transport);
			assertTokens(each.frames);
			each.request = await requestOf(control, each.exchange.run.requestId);
			assertAnswers(each);
		}
		assertHeartbeats(first.frames);
		assertToolCalls(first.frames);

		const last = assertTurns([first, second]);
		assert.equal(last.turns.length, 2);
	},
};

const multiply = {
	description: "multiplies two numbers",
	inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
	execute: ({ a, b }) => String(a * b),
};

async function oneRun(action) {
	const { result, streams } = await withRunFrames(action);
	assert.equal(streams.length, 1, "one stream");
	return { exchange: result, frames: streams[0] };
}

const of = (frames, kind) => frames.filter((frame) => frame.kind === kind).map(({ value }) => value);

/** The kinds in their order; several in a row of a kind that may repeat are one. */
function order(frames) {
	const kinds = frames.map(({ kind }) => kind).filter((kind) => !ANYWHERE.has(kind));
	const repeats = new Set(["partial_tool_call", "set_blob_args"]);
	return kinds
		.filter((kind, index) => !(repeats.has(kind) && kinds[index - 1] === kind))
		.map((kind) => (repeats.has(kind) ? `${kind}+` : kind));
}

function assertFraming(frames, { gzip = false }) {
	const last = frames.at(-1);
	assert.deepEqual(last.value, {}, "the stream ends without an error");
	for (const { kind, compressed } of frames.slice(0, -1)) assert.equal(compressed, gzip, `${kind} is compressed`);
}

function assertHeartbeats(frames) {
	assert.equal(frames[0].kind, "heartbeat", "a heartbeat at once: the server is there");
	const pause = frames.findIndex(({ kind }) => kind === "text_delta");
	const goesOn = frames.findIndex(({ kind }) => kind === "partial_tool_call");
	assert.ok(of(frames.slice(pause, goesOn), "heartbeat").length > 0, "heartbeats while the model takes its time");
}

function assertTokens(frames) {
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

function assertToolCalls(frames) {
	assert.deepEqual(of(frames, "tool_requests_listed"), [{ call_count: CALLS.length }]);
	assert.deepEqual(
		of(frames, "step_completed").map((step) => step.step_id),
		[1, 2],
	);

	const started = of(frames, "tool_call_started").map((call) => call.call_id);
	const completed = of(frames, "tool_call_completed").map((call) => call.call_id);
	assert.equal(new Set(started).size, CALLS.length + 1, "each call has an id of its own");
	assert.deepEqual([...completed].sort(), [...started].sort(), "each call that is started is completed");
	const asked = [...of(frames, "mcp_args"), ...of(frames, "read_args")].map((args) => args.tool_call_id);
	assert.deepEqual(asked, started, "the client is asked for the calls that it was shown");

	const partial = of(frames, "partial_tool_call");
	const [{ path }] = of(frames, "read_args");
	const expected = [...CALLS.map((call) => call.arguments), { path }];
	for (const [index, callId] of started.entries()) {
		const pieces = partial.filter((call) => call.call_id === callId).map((call) => call.args_text_delta);
		assert.ok(pieces.length > 1, "arguments come in pieces");
		assert.deepEqual(JSON.parse(pieces.join("")), expected[index]);
	}
}

async function requestOf(control, requestId) {
	const runs = (await control.requests()).filter(
		({ path, headers }) => /\/Run(SSE)?$/.test(path) && headers["x-request-id"] === requestId,
	);
	assert.equal(runs.length, 1, `one run with the id ${requestId}`);
	return runs[0];
}

/** Every request to the client has an id of its own and got its answer. */
function assertAnswers({ frames, request }) {
	const asked = (pattern) => frames.filter(({ kind }) => pattern.test(kind)).map(({ id }) => id);
	const answered = (name) => request.messages.flatMap((message) => message[name] ?? []).map(({ id = 0 }) => id);
	for (const [pattern, name] of [
		[/^(get|set)_blob_args$/, "kvClientMessage"],
		[/^(request_context|mcp|read)_args$/, "execClientMessage"],
	]) {
		const ids = asked(pattern);
		assert.equal(new Set(ids).size, ids.length, `${name}: ids are not used twice`);
		assert.deepEqual([...answered(name)].sort(byNumber), [...ids].sort(byNumber), name);
	}
}

const byNumber = (a, b) => a - b;

/** What the turns leave behind. */
function assertTurns(turns) {
	/** What the client keeps, over all turns. */
	const kept = new Map();
	let before = { turns: [], root_prompt_messages_json: [] };
	for (const { exchange, frames, request } of turns) {
		const checkpoints = assertBlobs(frames, kept);
		const sent = request.messages[0].runRequest.conversationState;
		assert.deepEqual(sent.turns ?? [], before.turns.map(base64), "the client sends the last state back");
		for (const state of checkpoints) {
			assert.deepEqual(state.turns.slice(0, -1), before.turns, "earlier turns stay");
			assert.deepEqual(
				state.root_prompt_messages_json.slice(0, before.root_prompt_messages_json.length),
				before.root_prompt_messages_json,
				"earlier messages stay",
			);
		}
		const [resumable, terminal] = checkpoints.slice(-2);
		assert.deepEqual(terminal, resumable, "the checkpoints before and after turn_ended are one");
		assertWindow(checkpoints);
		assertState(terminal, kept, exchange.run.requestId);
		before = terminal;
	}
	const [first, second] = turns.map(({ frames }) => of(frames, "conversation_checkpoint_update").at(-1));
	assert.deepEqual(first.token_details, { used_tokens: FRAMES.usedTokens, max_tokens: FRAMES.maxTokens });
	assert.deepEqual(
		rolesIn(first, kept),
		["user", "assistant", "tool", "tool", "assistant", "tool", "assistant"].join(),
	);
	assert.deepEqual(rolesIn(second, kept), `${rolesIn(first, kept)},user,assistant`);
	return second;
}

const base64 = (bytes) => bytes.toString("base64");

function rolesIn(state, kept) {
	return state.root_prompt_messages_json.map((id) => JSON.parse(kept.get(id.toString("hex"))).role).join();
}

/** The window is filled from checkpoint to checkpoint. */
function assertWindow(checkpoints) {
	let before = 0;
	for (const { token_details: details } of checkpoints) {
		assert.ok(details?.used_tokens >= before && details.used_tokens > 0, `used_tokens: ${JSON.stringify(details)}`);
		assert.ok(details.max_tokens > details.used_tokens, `max_tokens: ${JSON.stringify(details)}`);
		before = details.used_tokens;
	}
}
