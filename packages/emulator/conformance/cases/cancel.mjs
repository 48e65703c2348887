import assert from "node:assert/strict";

/** SDK 1.0.18 aborts the run first, and then looks for it in its own store, where on a busy machine it is not yet. */
function unlessNotYetStored(error) {
	if (error.name !== "UnknownAgentError") throw error;
}

/** @type {import("./index.mjs").Case} */
export const cancel = {
	name: "cancel",
	title: "run.cancel() ends the run, and the emulator sees the client leave",

	async run({ begin, control, createAgent }) {
		const before = await control.stats();
		const exchange = await begin(await createAgent(), "[cancel]");
		await control.until("the first text of the run", async () => exchange.text !== "");
		await exchange.run.cancel().catch(unlessNotYetStored);
		await exchange.finished;
		assert.equal(exchange.result.status, "cancelled");
		assert.equal(exchange.text, "I will now think for ever.");

		const after = await control.until("the cancelled run", async () => {
			const stats = await control.stats();
			return stats.runs.cancelled.length > before.runs.cancelled.length && stats;
		});
		const seen = after.runs.cancelled.slice(before.runs.cancelled.length);
		assert.deepEqual(
			seen.map(({ requestId }) => requestId),
			[exchange.run.requestId],
		);
		assert.equal(after.runs.ended, before.runs.ended, "a cancelled run does not count as ended");
		await control.until("that no stream is open any more", async () => {
			const { streams } = await control.stats();
			return streams.open === before.streams.open;
		});
	},
};
