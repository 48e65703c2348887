import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainMessage } from "./plain-messages.ts";
import { messageSchema } from "./schema.ts";

const text = fc.oneof(fc.string(), fc.constantFrom("", "word", "two\nlines", "\u0085", "x".repeat(5_000)));
const odd = fc.oneof(fc.constantFrom(null, 1, true, "", "a\u0000b", [], {}), fc.anything());
const maybeOdd = (value: fc.Arbitrary<unknown>) =>
	fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: odd });
const rare = maybeOdd(fc.constant(null));
const role = fc.constantFrom("system", "developer", "user", "assistant", "tool", "function");
const part = fc.record(
	{ type: maybeOdd(fc.constantFrom("text", "image_url")), text: maybeOdd(text), refusal: rare, image_url: rare },
	{ requiredKeys: ["type", "text"] },
);
const call = fc.record(
	{
		id: maybeOdd(text),
		type: odd,
		function: maybeOdd(fc.record({ name: maybeOdd(text), arguments: maybeOdd(text) }, { requiredKeys: [] })),
		custom: rare,
	},
	{ requiredKeys: ["id", "function"] },
);
const message = fc.record(
	{
		role: maybeOdd(role),
		content: maybeOdd(fc.oneof(text, fc.array(maybeOdd(part), { maxLength: 3 }))),
		tool_calls: fc.oneof(rare, fc.array(maybeOdd(call), { maxLength: 3 })),
		tool_call_id: fc.oneof(rare, text),
		name: rare,
		refusal: rare,
		reasoning: rare,
		reasoning_content: fc.oneof(rare, text),
		function_call: rare,
		is_error: rare,
		unknown: odd,
	},
	{ requiredKeys: ["role"] },
);

/** Without the fields that a schema leaves aside. */
function known(value: unknown, like: unknown): unknown {
	if (Array.isArray(value)) return value.map((item, index) => known(item, (like as unknown[])[index]));
	if (typeof value !== "object" || value === null) return value;
	const names = Object.keys(like as object);
	return Object.fromEntries(names.map((name) => [name, known(value[name as never], (like as never)[name])]));
}

describe("a plain message", () => {
	it("is one that the schema accepts and leaves as it is", () => {
		let plain = 0;
		fc.assert(
			fc.property(fc.oneof({ weight: 20, arbitrary: message }, odd), (value) => {
				if (!isPlainMessage(value)) return;
				plain++;
				const parsed = messageSchema.parse(value);
				expect(known(value, parsed)).toEqual(parsed);
			}),
			{ numRuns: 5_000 },
		);
		expect(plain).toBeGreaterThan(50);
	});

	it.each([
		["a question", { role: "user", content: "Why?" }],
		["a question in parts", { role: "user", content: [{ type: "text", text: "Why?" }] }],
		["a system prompt", { role: "system", content: "Be brief." }],
		["a reply", { role: "assistant", content: "Because.", refusal: null, annotations: [] }],
		[
			"a reply with calls",
			{
				role: "assistant",
				content: null,
				reasoning_content: "Hm.",
				tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }],
			},
		],
		["a result", { role: "tool", tool_call_id: "call_1", content: "text" }],
	])("is %s", (_name, value) => expect(isPlainMessage(value)).toBe(true));
});
