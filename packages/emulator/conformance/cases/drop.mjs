import assert from "node:assert/strict";
import { finishedText } from "../kit/conversation.mjs";
import { sawIn } from "../kit/saw.mjs";

/** @type {import("./index.mjs").Case} */
export const drop = {
	name: "drop",
	title: "the SDK resumes a dropped stream by itself: from its checkpoint, or from the start",
	without: {
		retries: "has no option for retries: the caller sees the error, and its next send continues from the checkpoint",
	},

	async run(kit) {
		if (kit.has("retries")) await sdkGoesOn(kit);
		else await nextSendGoesOn(kit);
	},
};

async function sdkGoesOn({ ask, control, createAgent }) {
	const before = await control.stats();
	// One after the other, because over HTTP/2 both would share the connection that is cut.
	const fromCheckpoint = await ask(await createAgent(), "[drop-after-checkpoint]");
	const fromStart = await ask(await createAgent(), "[drop-at-once]");
	const after = await control.stats();

	const resumed = sawIn(finishedText(fromCheckpoint));
	assert.equal(resumed.resumed, true, "the second attempt is a resume action");
	assert.deepEqual(resumed.history[0], { role: "user", text: "[drop-after-checkpoint]" });
	assertHolds(resumed.history, "First half.");
	assert.ok(fromCheckpoint.text.startsWith("First half."), "what came before the drop is kept");

	const repeated = sawIn(finishedText(fromStart));
	assert.deepEqual(repeated, { resumed: false, prompt: "[drop-at-once]" }, "the second attempt is the same request");

	assert.equal(after.runs.started - before.runs.started, 4, "two attempts each");
	assert.equal(after.runs.resumed - before.runs.resumed, 1);
	for (const { run } of [fromCheckpoint, fromStart]) await assertAttempts(control, run.requestId);
}

/** Each attempt has its own request id and names the first one as the original. */
async function assertAttempts(control, originalRequestId) {
	const attempts = (await control.requests()).filter(
		({ path, headers }) =>
			/\/agent\.v1\.AgentService\/Run(SSE)?$/.test(path) && headers["x-original-request-id"] === originalRequestId,
	);
	const requestIds = attempts.map(({ headers }) => headers["x-request-id"]);
	assert.equal(requestIds.length, 2, `attempts of ${originalRequestId}`);
	assert.equal(requestIds[0], originalRequestId);
	assert.notEqual(requestIds[1], originalRequestId);
}

async function nextSendGoesOn({ ask, control, createAgent }) {
	const before = await control.stats();
	const agent = await createAgent();
	const dropped = await ask(agent, "[drop-after-checkpoint]");
	assert.equal(dropped.result.status, "error");
	assert.equal(dropped.text, "First half.");
	const after = await control.stats();
	assert.equal(after.runs.started - before.runs.started, 1, "this version does not try again by itself");

	const history = sawIn(finishedText(await ask(agent, "[recall]")));
	assert.deepEqual(history.at(0), { role: "user", text: "[drop-after-checkpoint]" });
	assert.deepEqual(history.at(-1), { role: "user", text: "[recall]" });
	assertHolds(history, "First half.");
}

/** The checkpoint contains what the model had said before the connection was cut. */
function assertHolds(history, said) {
	assert.ok(
		history.some(({ role, text }) => role === "assistant" && text.includes(said)),
		`"${said}" is missing in the history: ${JSON.stringify(history)}`,
	);
}
