import { describe, expect, it } from "vitest";
import { isMarkedReminder, placeReminders, reminderMessage } from "./reminders.ts";
import type { TextPart, TurnMessage } from "./request.ts";

const text = (value: string): TextPart => ({ type: "text", text: value });
const user = (...values: string[]): TurnMessage => ({ role: "user", content: values.map(text) });
const said = (value: string): TurnMessage => ({ role: "assistant", content: [text(value)] });
const results = (...values: string[][]): TurnMessage => ({
	role: "tool",
	content: values.map((each, index) => ({
		type: "tool-result",
		callId: `${index}`,
		content: each.map(text),
		isError: false,
	})),
});
const note = (...values: string[]) => reminderMessage(values.map(text));
const marked = (value: string) => `<system-reminder>\n${value}\n</system-reminder>`;

describe("a reminder", () => {
	it("is marked once", () => {
		expect(note("a", "", marked("b"), " <system-reminder>c</system-reminder>\n").content).toEqual(
			[marked("a"), marked("b"), " <system-reminder>c</system-reminder>\n"].map(text),
		);
		expect(isMarkedReminder("<system-reminder>a</system-reminder> and a question")).toBe(false);
	});

	it.each([
		["behind the newest message", [user("q"), note("n")], [user("q", marked("n"))]],
		["several of them", [user("q"), note("n"), note("m", "o")], [user("q", marked("n"), marked("m"), marked("o"))]],
		[
			"behind an earlier message",
			[user("q"), note("n"), said("a"), user("p")],
			[user("q", marked("n")), said("a"), user("p")],
		],
		[
			"in front of a message",
			[user("q"), said("a"), note("n"), user("p")],
			[user("q"), said("a"), user(marked("n"), "p")],
		],
		["behind results", [said("a"), results(["r"], ["s"]), note("n")], [said("a"), results(["r"], ["s", marked("n")])]],
		["behind an answer", [user("q"), said("a"), note("n")], [user("q"), said("a"), user(marked("n"))]],
		["between two answers", [said("a"), note("n"), said("b")], [said("a"), user(marked("n")), said("b")]],
		["none", [user("q"), user("p")], [user("q"), user("p")]],
		["nothing else", [note("n")], [user(marked("n"))]],
		["nothing at all", [], []],
	])("has its place: %s", (_where, messages, placed) => {
		const before = structuredClone(messages);
		expect(placeReminders(messages)).toEqual(placed);
		expect(messages).toEqual(before);
	});
});
