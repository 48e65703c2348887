import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeChatRequest } from "./decode.ts";
import { isPlainRequest } from "./plain-request.ts";
import { chatRequestSchema } from "./schema.ts";

const odd = fc.oneof(
	fc.constantFrom(
		null,
		0,
		-1,
		-2,
		1,
		1.5,
		2 ** 53,
		Number.POSITIVE_INFINITY,
		true,
		"",
		"a\u0000b",
		"x".repeat(2_000),
		[],
		{},
	),
	fc.anything(),
);
const maybeOdd = (value: fc.Arbitrary<unknown>) =>
	fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: odd });
const tool = fc.record(
	{
		type: maybeOdd(fc.constant("function")),
		function: maybeOdd(
			fc.record(
				{
					name: maybeOdd(fc.string()),
					description: maybeOdd(fc.string()),
					parameters: maybeOdd(fc.constant({ type: "object" })),
					strict: maybeOdd(fc.boolean()),
				},
				{ requiredKeys: ["name"] },
			),
		),
	},
	{ requiredKeys: ["type", "function"] },
);
const usual: Record<string, fc.Arbitrary<unknown>> = {
	model: fc.constantFrom("auto", "gpt-5"),
	messages: fc.array(fc.anything(), { maxLength: 2 }),
	tools: fc.array(maybeOdd(tool), { maxLength: 3 }),
	tool_choice: fc.constantFrom("auto", "none"),
	stream: fc.boolean(),
	stream_options: fc.record({ include_usage: maybeOdd(fc.boolean()) }, { requiredKeys: [] }),
	temperature: fc.constantFrom(0, 0.7, 1),
	max_tokens: fc.nat(),
	max_completion_tokens: fc.nat(),
	n: fc.constantFrom(1, null),
	user: fc.constantFrom("ada", "bob"),
	unknown: fc.anything(),
};
/** Every field of the schema, most of them with the value that is usual, and now and then one that is not. */
const body = fc.record(
	Object.fromEntries(
		[...Object.keys(chatRequestSchema.shape), "unknown"].map((name) => [
			name,
			maybeOdd(usual[name] ?? fc.constantFrom(null, undefined, true, 1, "word")),
		]),
	),
	{ requiredKeys: ["model", "messages"] },
);
const common = fc.record(Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, maybeOdd(value)])), {
	requiredKeys: ["model", "messages"],
});

/** Without the fields that a schema leaves aside. */
function known(value: unknown, like: unknown): unknown {
	if (Array.isArray(value)) return value.map((item, index) => known(item, (like as unknown[])[index]));
	if (typeof value !== "object" || value === null) return value;
	const names = Object.keys(like as object);
	return Object.fromEntries(names.map((name) => [name, known(value[name as never], (like as never)[name])]));
}

describe("a plain request", () => {
	it("is one that the schema accepts and leaves as it is", () => {
		let plain = 0;
		fc.assert(
			fc.property(fc.oneof(common, body, odd), (value) => {
				if (!isPlainRequest(value)) return;
				plain++;
				const parsed = chatRequestSchema.parse(value);
				expect(known(value, parsed)).toEqual(parsed);
			}),
			{ numRuns: 5_000 },
		);
		expect(plain).toBeGreaterThan(50);
	});

	const question = { model: "auto", messages: [{ role: "user", content: "Why?" }] };
	it.each([
		["a question", question],
		["a streamed one", { ...question, stream: true, stream_options: { include_usage: true }, temperature: 0.2 }],
		["one with tools", { ...question, tools: [{ type: "function", function: { name: "read", parameters: {} } }] }],
		["one with fields that are unknown here", { ...question, extra: { anything: [1] }, stop: null }],
	])("is %s", (_name, value) => expect(isPlainRequest(value)).toBe(true));

	it("is not taken for a valid one where the schema has more to say", () => {
		for (const fields of [{ model: "" }, { messages: {} }, { stream: "yes" }, { temperature: "hot" }, { n: 0 }]) {
			expect(() => decodeChatRequest({ ...question, ...fields })).toThrow(`${Object.keys(fields)[0]} must be`);
		}
	});
});
