import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { finishedText } from "../kit/conversation.mjs";
import { sawIn } from "../kit/saw.mjs";

/** @type {import("./index.mjs").Case} */
export const secondTurn = {
	name: "second-turn",
	title: "the second turn knows what both sides said in the first",

	async run({ ask, createAgent }) {
		const agent = await createAgent();
		const fact = `[remember] the word is ${randomUUID()}`;
		const first = finishedText(await ask(agent, fact));
		const second = finishedText(await ask(agent, "[recall]"));
		assert.deepEqual(sawIn(second), [
			{ role: "user", text: fact },
			{ role: "assistant", text: first },
			{ role: "user", text: "[recall]" },
		]);
	},
};
