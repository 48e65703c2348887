import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { until } from "../kit/cleanup.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { ANSWER, answer, call, format, PERSON, result, type Step, startRig, toldBySystem, tool, user } from "./rig.ts";

const ADA = { name: "Ada", age: 36 };
const ask = { messages: [user("who?")], response_format: format(PERSON) };
const lookTool = { ...ask, tools: [tool("look")] };

describe.each([false, true])("an answer by a schema (stream: %s)", (stream) => {
	it("is what the model gives to a tool that the client never sees", async () => {
		const rig = await startRig([{ thinking: "hm" }, { text: "Here you are." }, answer(ADA)]);
		const { text, finish, calls, completion } = await rig.ask(ask, stream);
		expect(JSON.parse(text!)).toEqual(ADA);
		expect({ finish, calls }).toEqual({ finish: "stop", calls: [] });
		expect(JSON.stringify(completion)).not.toContain(ANSWER);
		expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
		expect(rig.turns[0]!.tools).toMatchObject([{ name: ANSWER, inputSchema: PERSON }]);
		expect(toldBySystem(rig.turns[0]!)).toContain(ANSWER);
		await until(() => rig.emulator.stats().runs.cancelled.length === 1);
		expect(rig.gateway.parkedRuns()).toBe(0);
	});

	it.each([
		["plain", JSON.stringify(ADA)],
		["in a fence", `\`\`\`json\n${JSON.stringify(ADA)}\n\`\`\``],
		["in a fence among words", `Sure!\n\n\`\`\`\n${JSON.stringify(ADA)}\n\`\`\`\nAnything else?`],
	])("may be given as text, %s", async (_name, said) => {
		const rig = await startRig([{ text: said }]);
		const { text, finish } = await rig.ask(ask, stream);
		expect(text).toBe(JSON.stringify(ADA));
		expect(finish).toBe("stop");
		expect(rig.emulator.stats().runs).toMatchObject({ started: 1, ended: 1 });
	});

	it("is repaired once, in the same run", async () => {
		const rig = await startRig([answer({ name: "Ada", age: "36", more: 1 }), answer(ADA)]);
		const { text, completion } = await rig.ask(ask, stream);
		expect(JSON.parse(text!)).toEqual(ADA);
		expect(rig.results).toMatchObject([{ isError: true }]);
		expect(rig.results[0]!.text).toContain("/age must be integer");
		expect(rig.results[0]!.text).toContain('must NOT have additional properties: "more"');
		expect(rig.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 1 });
		expect(completion.choices).toHaveLength(1);
		await until(() => rig.gateway.parkedRuns() === 0);
	});

	it("is repaired in a new run where the model answered in words", async () => {
		const rig = await startRig([{ text: "Ada, she is 36." }], [answer(ADA)]);
		const { text } = await rig.ask(ask, stream);
		expect(JSON.parse(text!)).toEqual(ADA);
		const told = rig.turns[1]!;
		expect(told.prompt).toContain("it is not JSON");
		expect(JSON.stringify(told.messages)).toContain("Ada, she is 36.");
		expect(rig.emulator.stats().runs.started).toBe(2);
	});

	it.each<[string, Step[][]]>([
		["calls", [[answer({ name: "Ada" }), answer({ age: 36 })]]],
		["words", [[{ text: "Ada" }], [{ text: "really, Ada" }]]],
		["a call and words", [[answer({ name: "Ada" }), { text: "Ada" }]]],
	])("that stays wrong is an error and not an answer (%s)", async (_name, runs) => {
		const rig = await startRig(...runs);
		const failure = await rig.ask(ask, stream).catch((error) => error);
		expect(failure).toBeInstanceOf(OpenAI.APIError);
		expect(failure).toMatchObject({ status: 502, code: "output_invalid" });
		await until(() => rig.gateway.parkedRuns() === 0);
		await until(() => {
			const { started, ended, cancelled } = rig.emulator.stats().runs;
			return started === ended + cancelled.length;
		});
	});

	it("that fails when something was said already ends the stream with the error", async () => {
		const rig = await startRig([{ thinking: "hm" }, answer({}), answer({})]);
		const failure = await rig.ask(ask, stream).catch((error) => error);
		expect(failure).toMatchObject({ status: stream ? undefined : 502, code: "output_invalid" });
	});

	it("comes after calls of the client's own tools, over several responses of one run", async () => {
		const rig = await startRig([
			{ text: "Let me look." },
			call("look", { n: 1 }),
			call("look", { n: 2 }),
			(_turn, [found]) => answer({ name: found!.text, age: 1 }),
		]);
		const first = await rig.ask(lookTool, stream);
		expect(first).toMatchObject({ finish: "tool_calls", calls: [{ name: "look", arguments: '{"n":1}' }] });
		// Whatever stands in the content would be parsed as the answer.
		expect(first.text || null).toBeNull();
		const messages = [...ask.messages, first.message, result(first.calls[0]!.id, "r1")];
		const second = await rig.ask({ ...lookTool, messages }, stream);
		expect(second.calls).toMatchObject([{ name: "look", arguments: '{"n":2}' }]);
		messages.push(second.message, result(second.calls[0]!.id, "r2"));
		const third = await rig.ask({ ...lookTool, messages }, stream);
		expect(JSON.parse(third.text!)).toEqual({ name: "r2", age: 1 });
		expect(rig.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 2 });
	});

	it("that comes together with calls of the client's tools is asked for again", async () => {
		const both = [
			{ name: "look", arguments: {} },
			{ name: ANSWER, arguments: { name: "guess", age: 0 } },
		];
		const rig = await startRig([{ calls: both }, (_turn, [found]) => answer({ name: found!.text, age: 2 })]);
		const first = await rig.ask(lookTool, stream);
		expect(first.calls).toMatchObject([{ name: "look" }]);
		expect(JSON.stringify(first.completion)).not.toContain("guess");
		const messages = [...ask.messages, first.message, result(first.calls[0]!.id, "seen")];
		const second = await rig.ask({ ...lookTool, messages }, stream);
		expect(JSON.parse(second.text!)).toEqual({ name: "seen", age: 2 });
		expect(rig.results).toMatchObject([{ text: "seen", isError: false }, { isError: true }]);
		expect(rig.results[1]!.text).toContain("Call it again");
		expect(rig.emulator.stats().runs.started).toBe(1);
		// The same request once more is answered in the same way.
		const retried = await rig.ask({ ...lookTool, messages }, stream);
		expect(retried.text).toBe(second.text);
		expect(rig.emulator.stats().runs.started).toBe(1);
	});

	it("that was given before the result of the one call at a time is asked for again", async () => {
		const both = [
			{ name: "look", arguments: {} },
			{ name: ANSWER, arguments: { name: "guess", age: 0 } },
		];
		const rig = await startRig([{ calls: both }, (_turn, [found]) => answer({ name: found!.text, age: 3 })]);
		const params = { ...lookTool, parallel_tool_calls: false };
		const first = await rig.ask(params, stream);
		expect(first.calls).toMatchObject([{ name: "look" }]);
		const messages = [...ask.messages, first.message, result(first.calls[0]!.id, "seen")];
		const second = await rig.ask({ ...params, messages }, stream);
		expect(JSON.parse(second.text!)).toEqual({ name: "seen", age: 3 });
		const retried = await rig.ask({ ...params, messages }, stream);
		expect(retried.text).toBe(second.text);
		expect(rig.emulator.stats().runs.started).toBe(1);
	});

	it("may be one of no object: then it is text", async () => {
		const rig = await startRig([{ text: "[1, 2]" }]);
		const schema = { type: "array", items: { type: "integer" } };
		const { text } = await rig.ask({ ...ask, response_format: format(schema) }, stream);
		expect(text).toBe("[1, 2]");
		expect(rig.turns[0]!.tools).toEqual([]);
		expect(toldBySystem(rig.turns[0]!)).toContain(JSON.stringify(schema));
	});

	it("is cut by a limit as any text is", async () => {
		const rig = await startRig([answer({ name: "a long name ".repeat(20), age: 1 })]);
		const body = { model: "composer-1", ...ask, max_tokens: 5 };
		// The SDK's helper for streams takes a cut answer for an error, so the stream is read by hand.
		let text = "";
		let finish: string | null = null;
		if (stream) {
			for await (const { choices } of await rig.client.chat.completions.create({ ...body, stream: true })) {
				text += choices[0]?.delta.content ?? "";
				finish = choices[0]?.finish_reason ?? finish;
			}
		} else {
			const { choices } = await rig.client.chat.completions.create(body);
			text = choices[0]!.message.content!;
			finish = choices[0]!.finish_reason;
		}
		expect(finish).toBe("length");
		expect(text.length).toBeGreaterThan(0);
		expect(text.length).toBeLessThan(40);
		await until(() => rig.gateway.parkedRuns() === 0);
	});
});

describe("a schema", () => {
	it("made by the SDK's helper comes back as a typed answer", async () => {
		const Event = z.object({ title: z.string(), at: z.union([z.string(), z.null()]), with: z.array(z.string()) });
		const event = { title: "Tea", at: null, with: ["Ada"] };
		const rig = await startRig([answer(event)], [answer(event)]);
		const body = { model: "composer-1", messages: [user("x")], response_format: zodResponseFormat(Event, "event") };
		const whole = await rig.client.chat.completions.parse(body);
		expect(whole.choices[0]!.message.parsed).toEqual(event);
		const streamed = await rig.client.chat.completions.stream(body).finalChatCompletion();
		expect(streamed.choices[0]!.message.parsed).toEqual(event);
	});

	it("does not meet a client's tool of the same name as the gateway's own", async () => {
		const rig = await startRig([
			(turn) => call(ANSWER, { names: turn.tools.map(({ name }) => name) }),
			(_turn, [found]) => call(`${ANSWER}_2`, { name: found!.text, age: 4 }),
		]);
		const params = { ...ask, tools: [tool(ANSWER)] };
		const first = await rig.ask(params);
		expect(first.calls).toMatchObject([{ name: ANSWER, arguments: `{"names":["${ANSWER}","${ANSWER}_2"]}` }]);
		const messages = [...ask.messages, first.message, result(first.calls[0]!.id, "own")];
		expect(JSON.parse((await rig.ask({ ...params, messages })).text!)).toEqual({ name: "own", age: 4 });
	});

	it.each<[string, Record<string, unknown>, RegExp]>([
		["of no meaning", { type: "objekt" }, /must be equal to one of the allowed values/],
		["that refers to nothing", { type: "object", properties: { a: { $ref: "#/$defs/b" } } }, /can't resolve reference/],
		["that is somewhere else", { $ref: "https://example.test/schema.json" }, /can't resolve reference/],
		["with a broken pattern", { type: "object", properties: { a: { pattern: "(" } } }, /regular expression/],
		["of half a megabyte", { type: "object", description: "x".repeat(500_000) }, /characters/],
	])("%s is refused before anything is asked", async (_name, schema, reason) => {
		const rig = await startRig();
		const failure = await rig.ask({ ...ask, response_format: format(schema) }).catch((error) => error);
		expect(failure).toMatchObject({ status: 400, code: "invalid_request" });
		expect(failure.message).toMatch(reason);
		expect(rig.emulator.stats().runs.started).toBe(0);
	});

	it("with a pattern that takes for ever is an error after a while, and the gateway lives", async () => {
		const bomb = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
		const rig = await startRig([answer({ a: `${"a".repeat(40)}!` })], [{ text: "{}" }]);
		const failure = await rig.ask({ ...ask, response_format: format(bomb) }).catch((error) => error);
		expect(failure).toMatchObject({ status: 502, code: "output_invalid" });
		expect(failure.message).toContain("could not be checked");
		expect((await rig.ask({ ...ask, response_format: format(bomb) })).text).toBe("{}");
		expect(rig.gateway.parkedRuns()).toBe(0);
	});
});

describe("the conversation behind a schema", () => {
	it("goes on with what the client was told", async () => {
		const rig = await startRig([answer(ADA)], [answer({ name: "Bob", age: 1 })], [{ text: "words" }]);
		const first = await rig.ask(ask);
		const messages = [...ask.messages, first.message, user("and then?")];
		const second = await rig.ask({ ...ask, messages });
		expect(JSON.parse(second.text!).name).toBe("Bob");
		expect(rig.turns[1]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
		expect(rig.turns[1]!.messages[1]!.content).toEqual([{ type: "text", text: first.text }]);
		// Without the demand nothing of it is left.
		const third = await rig.ask({ messages: [...messages, second.message, user("in words?")] });
		expect(third.text).toBe("words");
		expect(rig.turns[2]!.tools).toEqual([]);
		expect(toldBySystem(rig.turns[2]!)).not.toContain(ANSWER);
	});

	it("offers the gateway's tool also where the client wants none of its own called", async () => {
		const rig = await startRig([answer(ADA)]);
		const { text } = await rig.ask({ ...lookTool, tool_choice: "none" });
		expect(JSON.parse(text!)).toEqual(ADA);
		expect(rig.turns[0]!.tools.map(({ name }) => name)).toEqual([ANSWER]);
	});

	it("ends upstream when the client leaves, also in the middle of a repair", async () => {
		const rig = await startRig([answer({}), { hang: true }]);
		const leaving = new AbortController();
		const asked = rig.client.chat.completions.create({ model: "composer-1", ...ask }, { signal: leaving.signal });
		await until(() => rig.results.length === 1);
		leaving.abort();
		await expect(asked).rejects.toThrow();
		await until(() => rig.emulator.stats().runs.cancelled.length === 1);
		expect(rig.gateway.parkedRuns()).toBe(0);
	});
});

describe.each([false, true])("an answer in JSON without a schema (stream: %s)", (stream) => {
	const json = { messages: [user("who?")], response_format: { type: "json_object" as const } };

	it("is text that was checked", async () => {
		const rig = await startRig([{ text: "```json\n" }, { text: '{"a": [1]}' }, { text: "\n```" }]);
		expect((await rig.ask(json, stream)).text).toBe('{"a": [1]}');
		expect(rig.turns[0]!.tools).toEqual([]);
		expect(toldBySystem(rig.turns[0]!)).toContain("one JSON object");
	});

	it.each(["words", "[1]", "null", '"text"', '{"a": 1'])("is repaired once where it is %s", async (wrong) => {
		const rig = await startRig([{ text: wrong }], [{ text: "{}" }]);
		expect((await rig.ask(json, stream)).text).toBe("{}");
		expect(rig.turns[1]!.messages[1]).toEqual({ role: "assistant", content: [{ type: "text", text: wrong }] });
	});

	it("that stays wrong is an error", async () => {
		const rig = await startRig([{ text: "words" }], [{ text: "more words" }], [{ text: "{}" }]);
		const failure = await rig.ask(json, stream).catch((error) => error);
		expect(failure).toMatchObject({ status: 502, code: "output_invalid" });
		expect(rig.emulator.stats().runs.started).toBe(2);
	});

	it("lets the client's tools be called before it", async () => {
		const rig = await startRig([call("look"), (_turn, [found]) => ({ text: `{"found":"${found!.text}"}` })]);
		const params = { ...json, tools: [tool("look")] };
		const first = await rig.ask(params, stream);
		const messages = [...json.messages, first.message, result(first.calls[0]!.id, "r")];
		expect((await rig.ask({ ...params, messages }, stream)).text).toBe('{"found":"r"}');
		expect(rig.emulator.stats().runs.started).toBe(1);
	});
});

it("the demo's model can do it, so that Claude Code gets its titles", async () => {
	const { url, key } = await startTestGateway({ emulator: { brain: "demo" } });
	const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
	const titled = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
	const params = { model: "auto", messages: [user("Name this.")], response_format: format(titled) };
	const { choices } = await client.chat.completions.create(params);
	expect(JSON.parse(choices[0]!.message.content!)).toEqual({ title: "Name this." });
});
