// A size of the context window behind a model's name, and what of it the answer tells.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";

/** Says as which model it was called. */
const mirror: Brain = async function* ({ model }) {
	const { id, parameters, maxMode } = model;
	yield { text: JSON.stringify({ id, parameters, maxMode }) };
};
const LONG = { id: "claude-4.6-opus", parameters: { context: "1m" }, maxMode: true };
const USUAL = { id: "claude-4.6-opus", parameters: {}, maxMode: false };

const FORMS = [
	["/v1/chat/completions", { messages: [{ role: "user", content: "hi" }] }],
	["/v1/responses", { input: "hi" }],
	["/v1/messages", { max_tokens: 100, messages: [{ role: "user", content: "hi" }] }],
] as const;

async function ask(gateway: TestGateway, path: string, body: object, headers: Record<string, string> = {}) {
	const response = await gateway.post(path, body, { headers });
	const text = await response.text();
	return { response, text, model: response.headers.get("x-cursorwire-model") };
}

/** What the model said of itself, and the first `model` of the answer: whole or streamed. */
function said(text: string): { called: object; model: string } {
	const called = /\{\\"id\\":.*?\\"maxMode\\":(?:true|false)\}/.exec(text)![0];
	return { called: JSON.parse(JSON.parse(`"${called}"`)), model: /"model":"([^"]*)"/.exec(text)![1]! };
}

describe.each(FORMS)("a window behind a name at %s", (path, body) => {
	it.each([
		["claude-opus-4-6[1m]", LONG, "claude-4.6-opus[1m]", "claude-4.6-opus context=1m max-mode"],
		["claude-4.6-opus[1M]", LONG, "claude-4.6-opus[1m]", "claude-4.6-opus context=1m max-mode"],
		["claude-4.6-opus:1m", LONG, "claude-4.6-opus[1m]", "claude-4.6-opus context=1m max-mode"],
		["claude-4.6-opus-1m", LONG, "claude-4.6-opus[1m]", "claude-4.6-opus context=1m max-mode"],
		["claude-4.6-opus[200k]", USUAL, "claude-4.6-opus", "claude-4.6-opus"],
		["claude-4.6-opus", USUAL, "claude-4.6-opus", "claude-4.6-opus"],
		[
			"claude-4.6-opus-high-thinking[1m]",
			{ ...LONG, parameters: { thinking: "true", effort: "high", context: "1m" } },
			"claude-4.6-opus-high-thinking[1m]",
			"claude-4.6-opus thinking=true effort=high context=1m max-mode",
		],
		["auto", { ...USUAL, id: "default" }, "auto", "auto"],
	])("%s chooses it, and the answer tells what answered", async (name, called, model, described) => {
		const gateway = await startTestGateway({
			emulator: { brain: mirror, switches: ["max-mode=required-for-long-context"] },
		});
		const answer = await ask(gateway, path, { ...body, model: name });
		expect(answer.response.status, answer.text).toBe(200);
		expect(said(answer.text)).toEqual({ called, model });
		expect(answer.model).toBe(described);
		expect(answer.response.headers.get("x-cursorwire-warnings")).toBeNull();
	});

	it("that the model has not is left out, with a warning", async () => {
		const gateway = await startTestGateway({ emulator: { brain: mirror } });
		const answer = await ask(gateway, path, { ...body, model: "gpt-5.4[1m]" });
		expect(said(answer.text)).toEqual({ called: { ...USUAL, id: "gpt-5.4" }, model: "gpt-5.4" });
		expect(answer.model).toBe("gpt-5.4");
		expect(answer.response.headers.get("x-cursorwire-warnings")).toContain("no context window of 1m");
	});

	it("is told in a stream too", async () => {
		const gateway = await startTestGateway({ emulator: { brain: mirror } });
		const { text, model } = await ask(gateway, path, { ...body, model: "claude-opus-4-6[1m]", stream: true });
		const models = [...text.matchAll(/"model":"([^"]*)"/g)].map(([, name]) => name);
		expect(new Set(models)).toEqual(new Set(["claude-4.6-opus[1m]"]));
		expect(model).toBe("claude-4.6-opus context=1m max-mode");
	});
});

describe("a window", () => {
	it("is asked for by Claude Code in a header: it takes the suffix off the name", async () => {
		const gateway = await startTestGateway({ emulator: { brain: mirror } });
		const [path, body] = FORMS[2];
		const headers = { "anthropic-beta": "claude-code-20250219,context-1m-2025-08-07,effort-2025-11-24" };
		const { text } = await ask(gateway, path, { ...body, model: "claude-opus-4-6" }, headers);
		expect(said(text)).toEqual({ called: LONG, model: "claude-4.6-opus[1m]" });
	});

	it("is found by a backend that knows no parameters as well", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: mirror, switches: ["model-form=flattened", "wrong-model-form=not-found"] },
		});
		const [path, body] = FORMS[0];
		const { text } = await ask(gateway, path, { ...body, model: "claude-4.6-opus[1m]" });
		expect(said(text).called).toMatchObject({ id: "claude-4.6-opus", maxMode: true });
	});

	it("can be picked from the list, and tells the same when the conversation goes on", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					yield { calls: [{ name: "look" }] };
					yield { text: "seen" };
				},
			},
		});
		const { data } = JSON.parse(await (await gateway.fetch("/v1/models")).text());
		const listed = data.find(({ id }: { id: string }) => id === "claude-4.6-opus[1m]");
		expect(listed).toMatchObject({ context_window: 1_000_000, variant_of: "claude-4.6-opus" });
		const [path] = FORMS[0];
		const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
		const question = { role: "user", content: "hi" };
		const first = await ask(gateway, path, { model: listed.id, tools, messages: [question] });
		const { message } = JSON.parse(first.text).choices[0];
		const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "it" };
		for (const _ of ["first", "repeated"]) {
			const next = await ask(gateway, path, { model: listed.id, tools, messages: [question, message, result] });
			expect(next.response.headers.get("x-cursorwire-path")).toBe("parked");
			expect(next.model).toBe(first.model);
			expect(JSON.parse(next.text).model).toBe(listed.id);
		}
	});
});
