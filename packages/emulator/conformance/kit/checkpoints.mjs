// What a checkpoint says, and whether the client has every blob that it refers to.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { decode, memberOf } from "./decode.mjs";

const hex = (bytes) => bytes.toString("hex");

/**
 * Checks the frames of a turn: every blob matches its id, and is set only once and before a state refers to it.
 * @param {import("./run-frames.mjs").Frame[]} frames
 * @param {Map<string, Buffer>} kept blobs of earlier turns; those of this turn are added
 * @returns {any[]} the checkpoints
 */
export function assertBlobs(frames, kept) {
	const checkpoints = [];
	for (const { kind, value } of frames) {
		if (kind === "get_blob_args") assert.ok(kept.has(hex(value.blob_id)), "a blob is asked for that was set before");
		if (kind === "set_blob_args") {
			assert.equal(hex(value.blob_id), createHash("sha256").update(value.blob_data).digest("hex"), "a blob's id");
			assert.ok(!kept.has(hex(value.blob_id)), "no blob is set twice");
			kept.set(hex(value.blob_id), value.blob_data);
		}
		if (kind === "conversation_checkpoint_update") {
			for (const id of idsIn(value, kept)) assert.ok(kept.has(hex(id)), "a checkpoint names a blob that was not set");
			checkpoints.push(value);
		}
	}
	return checkpoints;
}

function idsIn(state, kept) {
	const turns = (state.turns ?? []).filter((id) => kept.has(hex(id))).map((id) => turnOf(id, kept));
	return [
		...(state.root_prompt_messages_json ?? []),
		...(state.turns ?? []),
		...turns.flatMap(({ user_message: message, steps = [] }) => [message, ...steps]),
	];
}

function turnOf(id, kept) {
	const [kind, turn] = memberOf(TURN, decode(TURN, kept.get(hex(id))));
	assert.equal(kind, "agent_conversation_turn");
	return turn;
}

const TURN = "agent.v1.ConversationTurnStructure";
const STEP = "agent.v1.ConversationStep";

/** The step of the turn for each kind of part in the model's messages. */
const STEPS_OF_PARTS = { reasoning: "thinking_message", text: "assistant_message", "tool-call": "tool_call" };

/**
 * Checks that the newest turn is that of the run, and shows the same as the messages that the model gets.
 * @param {any} state
 * @param {Map<string, Buffer>} kept
 * @param {string} requestId
 */
export function assertState(state, kept, requestId) {
	const turn = turnOf(state.turns.at(-1), kept);
	assert.equal(turn.request_id, requestId);

	const messages = state.root_prompt_messages_json.map((id) => JSON.parse(kept.get(hex(id))));
	const begins = messages.findLastIndex(({ role }) => role === "user");
	assert.equal(decode("agent.v1.UserMessage", kept.get(hex(turn.user_message))).text, messages[begins].content[0].text);

	const parts = messages.slice(begins).flatMap(({ role, content }) => (role === "assistant" ? content : []));
	const steps = turn.steps.map((id) => memberOf(STEP, decode(STEP, kept.get(hex(id)))));
	assert.deepEqual(
		steps.map(([kind]) => kind),
		parts.map(({ type }) => STEPS_OF_PARTS[type]),
	);
	for (const [index, [kind, step]] of steps.entries()) {
		if (kind === "tool_call") assert.ok(step.tool_call_id, "a call in the history has its id");
		else assert.equal(step.text, parts[index].text);
	}
}
