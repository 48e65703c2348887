import assert from "node:assert/strict";

/** Ghost mode by the API key of an account in accounts.json: on, unless the account allows training. */
const GHOST_MODES = {
	key_conformance: "true",
	key_no_training: "true",
	key_usage_data: "false",
	key_codebase: "false",
};

/** @type {import("./index.mjs").Case} */
export const privacy = {
	name: "privacy",
	title: "the privacy mode of an account sets ghost mode on every request of its run",

	async run({ control, sees }) {
		for (const [apiKey, expected] of Object.entries(GHOST_MODES)) {
			const { exchange } = await sees("[headers]", { apiKey });
			const calls = (await control.requests()).filter(
				({ path, headers }) =>
					/\/(Run|RunSSE|BidiAppend)$/.test(path) && headers["x-request-id"] === exchange.run.requestId,
			);
			assert.ok(calls.length > 0, "the run's calls");
			for (const { path, headers } of calls) assert.equal(headers["x-ghost-mode"], expected, `${apiKey}, ${path}`);
		}
	},
};
