import assert from "node:assert/strict";

/** @type {import("./index.mjs").Case} */
export const twoTools = {
	name: "two-tools",
	title: "two tools run at the same time; their results keep the order of the calls",

	async run({ sees }) {
		// Each tool waits for the other, so the case would never end if they ran one after the other.
		const meeting = createMeeting(["first", "second"]);
		const finished = [];
		const inputSchema = { type: "object", properties: { of: { type: "string" } } };
		const tool = (name, delayMs) => ({
			description: `the ${name} one`,
			inputSchema,
			execute: async ({ of }) => {
				await meeting(name);
				await new Promise((resolve) => setTimeout(resolve, delayMs));
				finished.push(name);
				return `${name} of ${of}`;
			},
		});
		const customTools = { first: tool("first", 200), second: tool("second", 0) };
		const calls = [
			{ name: "first", arguments: { of: "two" } },
			{ name: "second", arguments: { of: "both" } },
		];

		const { saw } = await sees(`[tools-at-once] ${JSON.stringify({ calls })}`, { local: { customTools } });
		assert.deepEqual(finished, ["second", "first"], "the second call was answered first");
		assert.deepEqual(
			saw.map(({ text }) => text),
			["first of two", "second of both"],
		);
	},
};

/** @param {string[]} names */
function createMeeting(names) {
	const awaited = new Set(names);
	let open;
	const everyone = new Promise((resolve) => {
		open = resolve;
	});
	return (name) => {
		awaited.delete(name);
		if (awaited.size === 0) open();
		return everyone;
	};
}
