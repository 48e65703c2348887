import assert from "node:assert/strict";

const RULE = "Always answer in rhymes.";

/** @type {import("./index.mjs").Case} */
export const context = {
	name: "context",
	title: "the server asks for the request context: workspace, time zone, tools and project rules",

	async run({ sees, workspace, writeFile }) {
		await writeFile("AGENTS.md", `${RULE}\n`);
		const customTools = {
			lookup: { description: "looks it up", inputSchema: { type: "object", properties: {} }, execute: () => "found" },
		};
		const { saw } = await sees("[context]", { local: { settingSources: ["project"], customTools } });

		assert.equal(saw.asked.case, "success", JSON.stringify(saw.asked));
		const asked = saw.asked.value.requestContext;
		assert.deepEqual(asked.env.workspacePaths, [workspace]);
		assert.equal(asked.env.timeZone, "UTC");
		assert.ok(asked.tools.some(({ toolName }) => toolName === "lookup"));
		assert.ok(
			asked.rules.some(({ content }) => content.includes(RULE)),
			`rules: ${JSON.stringify(asked.rules)}`,
		);

		assert.deepEqual(saw.given?.env?.workspacePaths, [workspace], "the turn carries the context too");
		assert.ok(
			saw.rules.some((rule) => rule.includes(RULE)),
			`the brain's rules: ${JSON.stringify(saw.rules)}`,
		);
	},
};
