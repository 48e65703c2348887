import assert from "node:assert/strict";

/** @type {import("./index.mjs").Case} */
export const plan = {
	name: "plan",
	title: "plan mode reaches the brain, and the SDK accepts the plan it is shown",

	async run({ sees }) {
		const { saw } = await sees("[plan] how would you do it?", { send: { mode: "plan" } });
		assert.equal(saw.mode, "plan");
		assert.deepEqual([saw.answer.kind, saw.answer.case], ["createPlanRequestResponse", "success"]);

		const { saw: plain } = await sees("[plan] and without the mode?");
		assert.equal(plain.mode, "agent", "without the option, the mode is agent");
	},
};
