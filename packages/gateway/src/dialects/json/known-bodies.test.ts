import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { atOnce } from "../../time/slices.ts";
import { chatRequest } from "../chat/decode.ts";
import { parseJsonBody } from "./json-body.ts";
import { MAX_JSON_NODES } from "./json-limits.ts";
import { BODIES_KNOWN_MS, KNOWN_BODIES, KNOWN_BODIES_PER_CALLER, KnownBodies } from "./known-bodies.ts";

interface Body {
	messages: object[];
}

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const conversation = (...contents: string[]) => ({
	model: "auto",
	messages: contents.map((content) => ({ role: "user", content })),
	tools: [],
});
const parser = (clock = new ManualClock()) => {
	const known = new KnownBodies(clock);
	return (body: unknown, caller = "me") => known.parse(bytesOf(body), caller) as Body;
};

/** What either way makes of a text: a value, or the kind of its error. */
function outcome(parse: () => unknown): string {
	try {
		return JSON.stringify(parse());
	} catch (error) {
		return (error as Error).name;
	}
}

describe("bodies that a caller has sent before", () => {
	it("are parsed into what they would be otherwise, however they were changed in between", () => {
		const content = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom('a "quoted" text', "\\", "}]"));
		const message = fc.oneof(
			{ weight: 9, arbitrary: fc.record({ role: fc.constant("user"), content }) },
			fc.constantFrom([1, "]"], "text", 7, null),
		);
		const text = fc
			.tuple(
				fc.constantFrom("messages", "input", "mess\\u0061ges", 'x\\"messages'),
				fc.array(message, { maxLength: 8 }),
				fc.constantFrom("", ',"messages":[{"a":1}]', ',"mess\\u0061ges":[{"a":1}]', ',"input":null', ',"tools":[{}]'),
				fc.constantFrom("", " ", "\n\t"),
			)
			.map(([name, messages, more, blank]) => {
				const list = messages.map((each) => JSON.stringify(each)).join(`${blank},${blank}`);
				return `{${blank}"model":"m","${name}"${blank}:${blank}[${list}${blank}]${more}}`;
			});
		const edit = fc.record({
			at: fc.nat(400),
			remove: fc.nat(3),
			insert: fc.constantFrom("", "x", "}", ",", '{"a":2},', '"'),
		});
		fc.assert(
			fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.array(edit, { maxLength: 6 }), (texts, edits) => {
				const known = new KnownBodies(new ManualClock());
				const edited = edits.map(({ at, remove, insert }, index) => {
					const before = texts[index % texts.length]!;
					return before.slice(0, at) + insert + before.slice(at + remove);
				});
				for (const each of [...texts, ...edited, ...texts]) {
					// An edit may cut a character in two.
					const bytes = Buffer.from(each);
					expect(outcome(() => known.parse(bytes, "me"))).toBe(outcome(() => JSON.parse(bytes.toString())));
				}
			}),
			{ numRuns: 1_500 },
		);
	});

	it("are not parsed again as far as they are the same", () => {
		const parse = parser();
		const first = parse(conversation("a", "b"));
		const second = parse(conversation("a", "b", "c"));
		expect(second).toEqual(conversation("a", "b", "c"));
		expect(second.messages[0]).toBe(first.messages[0]);
		expect(second.messages[1]).toBe(first.messages[1]);
		const edited = parse(conversation("a", "B", "c"));
		expect(edited).toEqual(conversation("a", "B", "c"));
		expect(edited.messages[0]).toBe(first.messages[0]);
		expect(edited.messages[2]).not.toBe(second.messages[2]);
	});

	it("belong to the caller: another one's are parsed from its own bytes", () => {
		const parse = parser();
		const mine = parse(conversation("a", "b"));
		const yours = parse(conversation("a", "b"), "you");
		expect(yours).toEqual(mine);
		expect(yours.messages[0]).not.toBe(mine.messages[0]);
	});

	it("are forgotten after a while, and where there are too many", () => {
		const clock = new ManualClock();
		const parse = parser(clock);
		const first = parse(conversation("a"));
		clock.advance(BODIES_KNOWN_MS);
		const again = parse(conversation("a"));
		expect(again.messages[0]).not.toBe(first.messages[0]);
		for (let other = 0; other < KNOWN_BODIES_PER_CALLER; other++) parse(conversation(`other ${other}`));
		const third = parse(conversation("a"));
		expect(third.messages[0]).not.toBe(again.messages[0]);
		for (let other = 0; other < KNOWN_BODIES; other++) parse(conversation("a"), `caller ${other}`);
		expect(parse(conversation("a")).messages[0]).not.toBe(third.messages[0]);
	});

	it("count with all their values", () => {
		const known = new KnownBodies(new ManualClock());
		const item = `{"a":[${"1,".repeat(299_996)}1]}`;
		const body = (items: string[]) => Buffer.from(`{"messages":[${items.join()}]}`);
		const fits = [item, item, item];
		for (let count = 1; count <= 3; count++) known.parse(body(fits.slice(0, count)), "me");
		const rest = (values: number) => body([...fits, `[${"1,".repeat(values - 2)}1]`]);
		for (const values of [100_000, 100_001, 99_000, 101_000]) {
			const expected = outcome(() => parseJsonBody(rest(values)));
			expect(outcome(() => known.parse(rest(values), "me")).length).toBe(expected.length);
		}
		expect(() => known.parse(rest(MAX_JSON_NODES), "me")).toThrow("holds more than");
	});

	it("are not changed by those who read them", () => {
		const parse = parser();
		const call = { id: "1", type: "function", function: { name: "read", arguments: { path: "a" } } };
		const body = {
			model: "auto",
			messages: [
				{ role: "system", content: [{ type: "text", text: "Be brief." }] },
				{ role: "user", name: "Ada", content: [{ type: "text", text: "Why?" }] },
				{ role: "assistant", content: "", reasoning_content: "Hm.", tool_calls: [call, call] },
				{ role: "tool", tool_call_id: "1", content: "text" },
			],
		};
		const read = () => JSON.stringify(atOnce(chatRequest(parse(body))));
		expect(read()).toBe(read());
		expect(parse(body)).toEqual(body);
	});
});
