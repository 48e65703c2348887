import fc from "fast-check";
import { expect, it } from "vitest";
import type { TurnMessage } from "./request.ts";
import { bringsResults, trailingOf } from "./trailing.ts";

const MESSAGES: Record<TurnMessage["role"], TurnMessage> = {
	user: { role: "user", content: [{ type: "text", text: "hi" }] },
	assistant: { role: "assistant", content: [{ type: "text", text: "yes" }] },
	tool: { role: "tool", content: [{ type: "tool-result", callId: "a", content: [], isError: false }] },
};

it("a request brings results exactly where some follow the last message of the assistant", () => {
	const history = fc.array(fc.constantFrom(...Object.values(MESSAGES)), { maxLength: 6 });
	fc.assert(
		fc.property(history, (messages) => {
			expect(bringsResults(messages)).toBe(trailingOf(messages).results.length > 0);
		}),
	);
});
