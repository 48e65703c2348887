import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../text/canonical-json.ts";
import { isMissingResult, normalizeForComparison, repairHistory } from "./normalize.ts";
import type { AssistantMessage, TextPart, ToolCallPart, ToolResultPart, TurnMessage } from "./request.ts";

const text = (value: string): TextPart => ({ type: "text", text: value });
const user = (...values: string[]): TurnMessage => ({ role: "user", content: values.map(text) });
const call = (id: string, args = "{}"): ToolCallPart => ({ type: "tool-call", id, name: "read", arguments: args });
const result = (callId: string, value = `result of ${callId}`): ToolResultPart => ({
	type: "tool-result",
	callId,
	content: [text(value)],
	isError: false,
});
const assistant = (...content: AssistantMessage["content"]): TurnMessage => ({ role: "assistant", content });
const tool = (...content: ToolResultPart[]): TurnMessage => ({ role: "tool", content });
const missing = (callId: string): ToolResultPart => ({
	type: "tool-result",
	callId,
	content: [text("No result was given for this call.")],
	isError: true,
});

/** Few ids and texts, so that duplicates, orphans, empty parts and late results are the rule. */
const id = fc.constantFrom("a", "b", "a-2", "");
const words = fc.constantFrom("", "x", "y");
const message: fc.Arbitrary<TurnMessage> = fc.oneof(
	fc.array(words, { maxLength: 3 }).map((values) => user(...values)),
	fc
		.array(
			fc.oneof(
				words.map(text),
				words.map((value) => ({ type: "thinking" as const, text: value })),
				id.map((value) => call(value)),
			),
			{ maxLength: 4 },
		)
		.map((content) => assistant(...content)),
	fc
		.array(fc.tuple(id, words), { maxLength: 3 })
		.map((pairs) => tool(...pairs.map(([of, value]) => result(of, value)))),
);
const history = fc.array(message, { maxLength: 10 });

type Part = TurnMessage["content"][number];
const parts = (messages: readonly TurnMessage[]) => messages.flatMap(({ content }): Part[] => content);
const callsOf = (messages: readonly TurnMessage[]) =>
	parts(messages).filter((part): part is ToolCallPart => part.type === "tool-call");
const resultsOf = (messages: readonly TurnMessage[]) =>
	parts(messages).filter((part): part is ToolResultPart => part.type === "tool-result");

describe("repairHistory", () => {
	it("changes nothing in what it has repaired, and finds nothing more to tell", () => {
		fc.assert(
			fc.property(history, (messages) => {
				const once = repairHistory(messages).messages;
				expect(repairHistory(once)).toEqual({ messages: once, warnings: [] });
			}),
			{ numRuns: 1000 },
		);
	});

	it("gives every call exactly one result, right after it and in the order of the calls", () => {
		fc.assert(
			fc.property(history, (messages) => {
				const repaired = repairHistory(messages).messages;
				const ids = callsOf(repaired).map((part) => part.id);
				expect(new Set(ids).size).toBe(ids.length);
				expect(resultsOf(repaired).map(({ callId }) => callId)).toEqual(ids);
				repaired.forEach((entry, index) => {
					const expected = callsOf([entry]).map((part) => part.id);
					if (entry.role === "assistant" && expected.length > 0)
						expect(resultsOf(repaired.slice(index + 1, index + 2)).map(({ callId }) => callId)).toEqual(expected);
				});
			}),
			{ numRuns: 1000 },
		);
	});

	it("loses no text and no call, and leaves its input alone", () => {
		fc.assert(
			fc.property(history, (messages) => {
				const before = structuredClone(messages);
				const repaired = repairHistory(messages).messages;
				const said = (list: readonly TurnMessage[]) =>
					parts(list.filter(({ role }) => role !== "tool")).flatMap((part) =>
						part.type === "text" && part.text !== "" ? [part.text] : [],
					);
				expect(said(repaired)).toEqual(said(messages));
				expect(callsOf(repaired).length).toBe(callsOf(messages).length);
				expect(messages).toEqual(before);
			}),
		);
	});

	it.each<[string, TurnMessage[], TurnMessage[], string[]]>([
		[
			"a sound history",
			[user("hi"), assistant(call("a")), tool(result("a"))],
			[user("hi"), assistant(call("a")), tool(result("a"))],
			[],
		],
		["an assistant first", [assistant(text("Hello")), user("hi")], [assistant(text("Hello")), user("hi")], []],
		["users in a row", [user("one"), user("two")], [user("one"), user("two")], []],
		["empty parts and messages", [user("", "hi", ""), assistant(text("")), user("")], [user("hi")], []],
		[
			"thinking and nothing else",
			[user("hi"), assistant({ type: "thinking", text: "hm" }), user("more")],
			[user("hi"), user("more")],
			[],
		],
		[
			"a missing result",
			[assistant(call("a"), call("b")), tool(result("b"))],
			[assistant(call("a"), call("b")), tool(missing("a"), result("b"))],
			["messages: calls without a result get an error as their result (1)"],
		],
		[
			"orphans: no such call, and a second result",
			[tool(result("a")), assistant(call("a")), tool(result("a"), result("a"), result("z"))],
			[assistant(call("a")), tool(result("a"))],
			["messages: results without a matching call are ignored (3)"],
		],
		[
			"results in the order in which they were ready",
			[assistant(call("a"), call("b")), tool(result("b")), tool(result("a"))],
			[assistant(call("a"), call("b")), tool(result("a"), result("b"))],
			[],
		],
		[
			"a message between call and result",
			[assistant(call("a")), user("info"), tool(result("a"))],
			[assistant(call("a")), tool(result("a")), user("info")],
			[],
		],
		[
			"text and calls of one turn as two messages",
			[assistant(text("I look.")), assistant(call("a")), tool(result("a"))],
			[assistant(text("I look."), call("a")), tool(result("a"))],
			[],
		],
		[
			"the same id in every turn",
			[assistant(call("a")), tool(result("a", "1")), assistant(call("a")), tool(result("a", "2"))],
			[assistant(call("a")), tool(result("a", "1")), assistant(call("a-2")), tool(result("a-2", "2"))],
			["messages: call ids that were used before are replaced (1)"],
		],
		[
			"the same id twice in a turn, beside the name the second would get",
			[assistant(call("a"), call("a"), call("a-2")), tool(result("a", "1"), result("a", "2"), result("a-2", "3"))],
			[assistant(call("a"), call("a-3"), call("a-2")), tool(result("a", "1"), result("a-3", "2"), result("a-2", "3"))],
			["messages: call ids that were used before are replaced (1)"],
		],
		[
			"an id used again after it went unanswered: the result belongs to the newer call",
			[assistant(call("a")), user("again"), assistant(call("a")), tool(result("a"))],
			[
				assistant(call("a")),
				tool(missing("a")),
				user("again"),
				assistant(call("a-2")),
				tool({ ...result("a"), callId: "a-2" }),
			],
			[
				"messages: calls without a result get an error as their result (1)",
				"messages: call ids that were used before are replaced (1)",
			],
		],
		[
			"an empty result, which is a result all the same",
			[assistant(call("a")), tool(result("a", ""))],
			[assistant(call("a")), tool({ ...result("a"), content: [] })],
			[],
		],
	])("repairs %s", (_name, messages, repaired, warnings) => {
		expect(repairHistory(messages)).toEqual({ messages: repaired, warnings });
	});

	it("marks the results that it had to make up", () => {
		const { messages } = repairHistory([
			assistant(call("a"), call("b")),
			tool({ ...result("b", "failed"), isError: true }),
		]);
		expect(resultsOf(messages).map(isMissingResult)).toEqual([true, false]);
	});

	it("keeps up with a hundred thousand equal ids", () => {
		const many = Array.from({ length: 100_000 });
		const turns = many.flatMap(() => [assistant(call("a")), user("next")]);
		const inOneTurn = [assistant(...many.map(() => call("a"))), tool(...many.map(() => result("a")))];
		expect(callsOf(repairHistory(turns).messages)).toHaveLength(100_000);
		expect(resultsOf(repairHistory(inOneTurn).messages).at(-1)?.callId).toBe("a-100000");
	});
});

describe("normalizeForComparison", () => {
	const image = (data: number[]) => ({ type: "image" as const, mediaType: "image/png", data: Uint8Array.from(data) });

	it("has one entry for each message", () => {
		fc.assert(
			fc.property(history, (messages) => {
				const repaired = repairHistory(messages).messages;
				expect(normalizeForComparison(repaired)).toHaveLength(repaired.length);
			}),
		);
	});

	it.each<[string, TurnMessage, TurnMessage]>([
		["text in one part or in three", user("Hello"), user("He", "", "llo")],
		["call ids", assistant(call("a")), assistant(call("b"))],
		[
			"spelling of the arguments",
			assistant(call("a", '{"x":1,"y":[2]}')),
			assistant(call("a", ' { "y": [ 2 ], "x": 1.0 }')),
		],
		["arguments left empty", assistant(call("a", "")), assistant(call("a", "{}"))],
		["thinking", assistant({ type: "thinking", text: "hm" }, text("Yes")), assistant(text("Yes"))],
		["text before or after the call", assistant(text("A"), call("a")), assistant(call("a"), text("A"))],
		["result ids and error marks", tool(result("a", "1")), tool({ ...result("b", "1"), isError: true })],
	])("does not depend on %s", (_name, one, other) => {
		expect(normalizeForComparison([one])).toEqual(normalizeForComparison([other]));
	});

	it.each<[string, TurnMessage, TurnMessage]>([
		["the role", user("Hello"), assistant(text("Hello"))],
		["the text", user("Hello"), user("Hello ")],
		["the tool", assistant(call("a")), assistant({ ...call("a"), name: "write" })],
		["the arguments", assistant(call("a", '{"x":1}')), assistant(call("a", '{"x":2}'))],
		["text that looks like a call", user('{"call":"read","arguments":"{}"}'), assistant(call("a"))],
		["the number of results", tool(result("a", "1"), result("b", "1")), tool(result("a", "11"))],
		["an image", { role: "user", content: [image([1])] }, { role: "user", content: [image([2])] }],
		[
			"where the image stands",
			{ role: "user", content: [image([1]), text("x")] },
			{ role: "user", content: [text("x"), image([1])] },
		],
	])("depends on %s", (_name, one, other) => {
		expect(normalizeForComparison([one])).not.toEqual(normalizeForComparison([other]));
	});
});

describe("canonicalJson", () => {
	it("gives equal JSON one spelling and keeps its value", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const canonical = canonicalJson(JSON.stringify(value));
				expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)));
				expect(canonicalJson(JSON.stringify(value, null, 2))).toBe(canonical);
			}),
		);
	});

	it.each([
		["no JSON", "not json"],
		["too deep", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
	])("leaves text alone that is %s", (_name, value) => {
		expect(canonicalJson(value)).toBe(value);
	});

	it("keeps a key called __proto__ a key", () => {
		expect(canonicalJson('{"b":1,"__proto__":{"x":1}}')).toBe('{"__proto__":{"x":1},"b":1}');
	});
});
