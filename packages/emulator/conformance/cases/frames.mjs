import assert from "node:assert/strict";
import { FRAMES } from "../brain.mjs";
import { assertBlobs, assertState } from "../kit/checkpoints.mjs";
import { finishedText } from "../kit/conversation.mjs";
import {
	assertAnswers,
	assertFraming,
	assertHeartbeats,
	assertTokens,
	assertToolCalls,
	assertWindow,
	of,
} from "../kit/frame-checks.mjs";
import { withRunFrames } from "../kit/run-frames.mjs";

const CALLS = [
	{ name: "multiply", arguments: { a: 6, b: 7 } },
	{ name: "multiply", arguments: { a: 2, b: 3 } },
];

/** A turn with everything in it. Kinds that end in + may come several times in a row. */
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
 * Not part of the order: heartbeats come by a timer, blobs are only asked for if the client did not send them, and the
 * rest is for display. Any other unexpected kind is a failure.
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
		assertToolCalls(first.frames, [...CALLS.map((call) => call.arguments), { path }]);

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

/** The kinds in order. Repetitions in a row count once for kinds that may repeat. */
function order(frames) {
	const kinds = frames.map(({ kind }) => kind).filter((kind) => !ANYWHERE.has(kind));
	const repeats = new Set(["partial_tool_call", "set_blob_args"]);
	return kinds
		.filter((kind, index) => !(repeats.has(kind) && kinds[index - 1] === kind))
		.map((kind) => (repeats.has(kind) ? `${kind}+` : kind));
}

async function requestOf(control, requestId) {
	const runs = (await control.requests()).filter(
		({ path, headers }) => /\/Run(SSE)?$/.test(path) && headers["x-request-id"] === requestId,
	);
	assert.equal(runs.length, 1, `one run with the id ${requestId}`);
	return runs[0];
}

/** The state after each turn, and the blobs in it. */
function assertTurns(turns) {
	/** The blobs that the client keeps, over all turns. */
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
		assert.deepEqual(terminal, resumable, "the checkpoints before and after turn_ended are equal");
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
