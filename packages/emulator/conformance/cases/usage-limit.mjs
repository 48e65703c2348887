import assert from "node:assert/strict";

/** @type {import("./index.mjs").Case} */
export const usageLimit = {
	name: "usage-limit",
	title: "title and detail of a usage limit are in the caller's error, and there is no retry",
	without: { resultError: "has no error in RunResult: the text is taken from the run's controller" },

	async run({ ask, control, createAgent, has }) {
		const before = await control.stats();
		const exchange = await ask(await createAgent(), "[usage-limit]");
		assert.equal(exchange.result.status, "error");
		assert.equal(exchange.text, "Before the limit.");
		const error = has("resultError") ? exchange.result.error : await failureOf(exchange.run.controller.done);
		assert.equal(error?.message, "You have hit your usage limit. It resets on the first of the month.");
		const after = await control.stats();
		assert.equal(after.runs.started - before.runs.started, 1, "a usage limit is not retried");
	},
};

/** @param {Promise<unknown>} promise */
async function failureOf(promise) {
	try {
		await promise;
	} catch (error) {
		return error;
	}
	return undefined;
}
