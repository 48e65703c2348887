import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { completedCalls } from "../kit/conversation.mjs";
import { PNG } from "../kit/pictures.mjs";

/** @type {import("./index.mjs").Case} */
export const customTool = {
	name: "custom-tool",
	title: "an in-process tool is offered, called with exact arguments, and returns text, an image, or an error",

	async run({ control, sees }) {
		const received = [];
		const inputSchema = {
			type: "object",
			properties: { a: { type: "number" }, b: { type: "number" }, note: { type: "string" }, more: { type: "object" } },
			required: ["a", "b"],
		};
		const customTools = {
			multiply: {
				description: "multiplies two numbers",
				inputSchema,
				execute: (args) => {
					received.push(args);
					return String(args.a * args.b);
				},
			},
			draw: {
				description: "draws",
				inputSchema: { type: "object", properties: {} },
				execute: () => ({
					content: [
						{ type: "text", text: "here it is" },
						{ type: "image", data: PNG.toString("base64"), mimeType: "image/png" },
					],
				}),
			},
			fail: {
				description: "fails",
				inputSchema: { type: "object", properties: {} },
				execute: () => {
					throw new Error("the tool broke");
				},
			},
		};
		const multiplyArgs = { a: 6, b: 7, note: "größer 🚀", more: { list: [1, 2.5, true, null, "x"], empty: {} } };
		const calls = [
			{ name: "multiply", arguments: multiplyArgs },
			{ name: "draw", arguments: {} },
			{ name: "fail", arguments: {} },
		];

		const before = await control.stats();
		const { saw, exchange } = await sees(`[tool] ${JSON.stringify({ calls })}`, { local: { customTools } });
		const after = await control.stats();

		const offered = saw.tools.find(({ name }) => name.endsWith("multiply"));
		assert.equal(offered?.description, "multiplies two numbers", `offered: ${JSON.stringify(saw.tools)}`);
		assert.deepEqual(offered.inputSchema, inputSchema);

		assert.deepEqual(received, [multiplyArgs]);
		const [multiplied, drawn, failed] = saw.results;
		assert.deepEqual(multiplied, { text: "42", isError: false, images: [] });
		assert.equal(drawn.text, "here it is");
		assert.deepEqual(drawn.images, [{ mediaType: "image/png", bytes: PNG.byteLength, sha256: sha256(PNG) }]);
		assert.match(failed.text, /the tool broke/);
		assert.ok(failed.isError || failed.failure, `a tool that throws is an error: ${JSON.stringify(failed)}`);

		const shown = completedCalls(exchange);
		assert.deepEqual(
			shown.map(({ name, args, result }) => [name, args.toolName, args.args, result.status]),
			[
				["mcp", "multiply", multiplyArgs, "success"],
				["mcp", "draw", {}, "success"],
				["mcp", "fail", {}, "error"],
			],
		);

		const results = after.runs.resumedByToolResult - before.runs.resumedByToolResult;
		assert.equal(results, calls.length, "each result came in on the open stream");
	},
};

function sha256(bytes) {
	return createHash("sha256").update(bytes).digest("hex");
}
