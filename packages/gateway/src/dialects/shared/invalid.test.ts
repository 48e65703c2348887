import { describe, expect, it } from "vitest";
import * as z from "zod";
import { GatewayError } from "../../turn/error.ts";
import { jsonObject, list, oneLine } from "./fields.ts";
import { parseWith, toParam } from "./invalid.ts";

const schema = z.object({
	model: oneLine(8),
	stream: z.boolean().nullish(),
	n: z.int().min(1).max(8).nullish(),
	effort: z.enum(["low", "high"]).nullish(),
	schema: jsonObject.nullish(),
	metadata: z.record(z.string(), z.string()).nullish(),
	messages: list(z.object({ content: z.union([z.string(), list(z.object({ text: z.string() }))]) }), 3).nullish(),
});

function refusal(body: unknown): { param: string | undefined; message: string } {
	try {
		parseWith(schema, body);
	} catch (error) {
		expect(error).toBeInstanceOf(GatewayError);
		expect(error).toMatchObject({ kind: "invalid-request" });
		const { param, message } = error as GatewayError;
		return { param, message };
	}
	return { param: undefined, message: "none" };
}

describe("parseWith", () => {
	it.each<[string, unknown, string | undefined, string]>([
		["no object", 5, undefined, "The body must be an object."],
		["an array", [], undefined, "The body must be an object."],
		["a missing field", {}, "model", "model is required and must be a string."],
		["a number for a string", { model: 1 }, "model", "model must be a string."],
		["a long string", { model: "123456789" }, "model", "model must be at most 8 characters long."],
		["a line break", { model: "a\r\nb" }, "model", "model must be free of control characters."],
		["a string for a boolean", { model: "m", stream: "yes" }, "stream", "stream must be true or false."],
		["a string for a number", { model: "m", n: "1" }, "n", "n must be a number."],
		["a fraction", { model: "m", n: 1.5 }, "n", "n must be a whole number."],
		["infinity", { model: "m", n: Number.POSITIVE_INFINITY }, "n", "n must be a number."],
		["too little", { model: "m", n: 0 }, "n", "n must be at least 1."],
		["too much", { model: "m", n: 9 }, "n", "n must be at most 8."],
		["an unknown word", { model: "m", effort: "x" }, "effort", "effort must be one of low, high."],
		["an array for an object", { model: "m", schema: [] }, "schema", "schema must be an object."],
		[
			"no member of a union",
			{ model: "m", messages: [{ content: 5 }] },
			"messages[0].content",
			"messages[0].content must be a string or an array.",
		],
		[
			"a mistake inside a member of a union",
			{ model: "m", messages: [{ content: "a" }, { content: [{ text: "b" }, { text: 1 }] }] },
			"messages[1].content[1].text",
			"messages[1].content[1].text must be a string.",
		],
		[
			"a hole in a list",
			{ model: "m", messages: [{ content: [null] }] },
			"messages[0].content[0]",
			"messages[0].content[0] must be an object.",
		],
		["a long list", { model: "m", messages: [1, 2, 3, 4] }, "messages", "messages must be at most 3 items long."],
		["an odd key", { model: "m", metadata: { "a\nb": 1 } }, 'metadata["a\\nb"]', 'metadata["a\\nb"] must be a string.'],
	])("tells of %s", (_name, body, param, message) => {
		expect(refusal(body)).toEqual({ param, message });
	});

	it("gives the value without fields that are not in the schema", () => {
		expect(parseWith(schema, { model: "m", other: 1, messages: [{ content: [{ text: "a" }] }] })).toEqual({
			model: "m",
			messages: [{ content: [{ text: "a" }] }],
		});
	});

	it("finds a mistake far down a list", () => {
		const items = Array<unknown>(1000).fill("x").with(777, 5);
		expect(() => parseWith(z.object({ items: list(z.string()) }), { items })).toThrow("items[777] must be a string.");
	});

	it("stops at the first mistake in a list", () => {
		const result = schema
			.extend({ messages: list(z.string()) })
			.safeParse({ model: "m", messages: Array(1000).fill(1) });
		expect(result.error?.issues).toHaveLength(1);
	});
});

describe("toParam", () => {
	it("cuts what a client made endless", () => {
		expect(toParam(["a", "x".repeat(5000)]).length).toBeLessThanOrEqual(200);
	});
});
