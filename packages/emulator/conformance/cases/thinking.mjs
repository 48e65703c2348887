import assert from "node:assert/strict";

/** @type {import("./index.mjs").Case} */
export const thinking = {
	name: "thinking",
	title: "thinking comes before the text, separate from it, and is completed",

	async run({ ask, createAgent }) {
		const exchange = await ask(await createAgent(), "[thinking]");
		assert.equal(exchange.result.status, "finished");
		assert.equal(exchange.thinking, "First I weigh it. Then I know.");
		assert.equal(exchange.text, "It is so.");

		const order = exchange.updates
			.map(({ type }) => type)
			.filter((type) => ["thinking-delta", "thinking-completed", "text-delta"].includes(type));
		assert.deepEqual(order, ["thinking-delta", "thinking-delta", "thinking-completed", "text-delta"]);

		const streamed = exchange.messages.filter(({ type }) => type === "thinking").map((message) => message.text);
		assert.equal(streamed.join(""), exchange.thinking);
	},
};
