import { describe, expect, it } from "vitest";
import { emptyRequest, type ToolCallPart, type TurnMessage } from "../turn/request.ts";
import { trailingOf } from "../turn/trailing.ts";
import { PrematureCalls } from "./premature-calls.ts";

const call = (id: string): ToolCallPart => ({ type: "tool-call", id, name: "t", arguments: "{}" });
const assistant = (...ids: string[]): TurnMessage => ({ role: "assistant", content: ids.map(call) });
const results = (...ids: string[]): TurnMessage => ({
	role: "tool",
	content: ids.map((callId) => ({ type: "tool-result", callId, content: [], isError: false })),
});
const user: TurnMessage = { role: "user", content: [{ type: "text", text: "by the way" }] };
const request = (...messages: TurnMessage[]) => ({ ...emptyRequest("m"), messages });

describe("answers that were given too early", () => {
	it("are answered together with the client's calls, before the client's last result", () => {
		const premature = new PrematureCalls();
		premature.add("caller", ["a", "b"], [call("own")]);
		const { messages } = premature.complete("caller", request(user, assistant("a", "b"), results("b", "a"), user));
		expect(messages[1]).toEqual(assistant("a", "b", "own"));
		const { results: trailing, userParts } = trailingOf(messages);
		expect(trailing.map(({ callId }) => callId)).toEqual(["own", "b", "a"]);
		expect(trailing[0]).toMatchObject({ isError: true });
		expect(userParts).toEqual(user.content);
	});

	it("belong to one caller, and to the newest message alone", () => {
		const premature = new PrematureCalls();
		premature.add("caller", ["a"], [call("own")]);
		const theirs = request(assistant("a"), results("a"));
		expect(premature.complete("another", theirs)).toBe(theirs);
		const later = request(assistant("a"), results("a"), assistant("b"), results("b"));
		expect(premature.complete("caller", later)).toBe(later);
		const withoutCalls = request(results("a"));
		expect(premature.complete("caller", withoutCalls)).toBe(withoutCalls);
	});

	it("stay what they were when they are seen again", () => {
		const premature = new PrematureCalls();
		expect(premature.isPremature("caller", "x", true)).toBe(true);
		expect(premature.isPremature("caller", "x", false)).toBe(true);
		expect(premature.isPremature("caller", "y", false)).toBe(false);
		expect(premature.isPremature("caller", "y", true)).toBe(false);
	});

	it("are forgotten, the oldest first", () => {
		const premature = new PrematureCalls();
		for (let n = 0; n < 1_001; n++) premature.add("caller", [`c${n}`], [call(`own${n}`)]);
		const forgotten = request(assistant("c0"), results("c0"));
		expect(premature.complete("caller", forgotten)).toBe(forgotten);
		const kept = request(assistant("c1"), results("c1"));
		expect(premature.complete("caller", kept)).not.toBe(kept);
	});
});
