import assert from "node:assert/strict";

/** @type {import("./index.mjs").Case} */
export const query = {
	name: "query",
	title: "the SDK approves web search and web fetch, and rejects a question to the user with a reason",

	async run({ sees }) {
		const { saw } = await sees("[query]");
		const [search, fetch, question] = saw;
		assert.deepEqual([search.kind, search.case], ["webSearchRequestResponse", "approved"]);
		assert.deepEqual([fetch.kind, fetch.case], ["webFetchRequestResponse", "approved"]);
		assert.deepEqual([question.kind, question.case], ["askQuestionInteractionResponse", "rejected"]);
		assert.ok(question.value.reason.length > 0, "with a reason");
	},
};
