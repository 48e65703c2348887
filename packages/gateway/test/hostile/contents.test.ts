// B8, B9, B10 and B13: bodies that are valid JSON of the right types, and strange all the same.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { readAnswer, readChunks } from "../kit/dialects/chat-chunks.ts";
import { expectRefusal, say, useRig } from "../kit/hostile/rig.ts";
import { expectSmallPauses } from "./loop-delay.ts";

const rig = useRig();
const answerOf = ({ body }: { body: string }) => JSON.parse(body).choices[0].message.content;
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("B8: a tool's schema", () => {
	const nested = (levels: number) => JSON.parse(`${'{"items":'.repeat(levels)}{}${"}".repeat(levels)}`);
	const cyclic = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };

	it.each<[string, object]>([
		["a reference to itself", { $ref: "#" }],
		["references in a circle", cyclic],
		["a pattern that never ends", { type: "string", pattern: "^(a+)+$" }],
		["no type", {}],
		["a type that does not exist", { type: "wish" }],
		["a wrong type", { type: 5, properties: [], required: "all" }],
		["a description of 1 MB", { type: "object", description: "x".repeat(1e6) }],
		["many levels", nested(40)],
		["limits that contradict each other", { type: "object", minProperties: 5, maxProperties: 1 }],
		["false", { not: {}, enum: [], const: null }],
	])("is data and nothing else: %s", async (_name, parameters) => {
		const tools = [{ type: "function", function: { name: "odd", parameters } }];
		expect(JSON.parse(answerOf(await rig.ask(say("schemas", { tools }))))).toEqual([["odd", parameters]]);
	});

	it.each([60, 110])("is refused where it has more levels than can be sent: %i", async (levels) => {
		const tools = [{ type: "function", function: { name: "odd", parameters: nested(levels) } }];
		expect(expectRefusal(await rig.ask(say("schemas", { tools })), 400).param).toMatch(/^tools/);
	});

	it("is not looked up where it says it lies", async () => {
		let seen = 0;
		const server = createServer((_request, response) => {
			seen += 1;
			response.end("{}");
		});
		server.on("connection", () => seen++);
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => void server.close());
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`;
		const parameters = { $schema: url, $id: url, $ref: url, properties: { a: { $ref: `${url}#/a` } } };
		const tools = [{ type: "function", function: { name: "odd", parameters } }];
		const format = { type: "json_schema", json_schema: { name: "odd", schema: { $ref: url } } };
		expect((await rig.ask(say("schemas", { tools }))).status).toBe(200);
		expect([200, 400, 502]).toContain((await rig.ask(say("schemas", { response_format: format }))).status);
		expect(seen).toBe(0);
	});
});

describe("a schema for the answer", () => {
	const ask = (answer: unknown, schema: object) => {
		const response_format = { type: "json_schema", json_schema: { name: "odd", strict: true, schema } };
		return rig.ask(say(`repeat ${JSON.stringify(answer)}`, { response_format }));
	};

	it.each<[string, object]>([
		["a pattern that never ends", { type: "string", pattern: "^(a+)+$" }],
		["a reference to itself", { $ref: "#" }],
		["two references to itself", { anyOf: [{ $ref: "#" }, { $ref: "#" }] }],
	])("is held against it for a while only: %s", async (_name, schema) => {
		expectRefusal(await expectSmallPauses(() => ask(`${"a".repeat(60)}!`, schema)), 502);
	});

	it.each<[string, object]>([
		["a type that does not exist", { type: "wish" }],
		["half a pattern", { pattern: "(" }],
		["a reference to nowhere", { $ref: "#/nowhere" }],
	])("is refused: %s", async (_name, schema) => {
		expect(expectRefusal(await ask("a", schema), 400).param).toMatch(/^response_format\.json_schema/);
	});
});

describe("B9: a conversation", () => {
	const call = (id: string, name = "look") => ({ id, type: "function", function: { name, arguments: "{}" } });
	const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => call(id)) });
	const result = (id: string, content: unknown = `result of ${id}`) => ({ role: "tool", tool_call_id: id, content });
	const deepCall = (levels: number) => ({
		id: "a",
		function: { name: "look", arguments: `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}` },
	});
	const user = { role: "user", content: "hello" };
	const send = (messages: object[], more: object = {}) => rig.ask({ model: "composer-1", messages, ...more });

	it.each<[string, object[]]>([
		["the same call id twice in a message", [user, calls("a", "a"), result("a"), user]],
		["the same call id in two messages", [user, calls("a"), result("a"), calls("a"), result("a"), user]],
		["two results of a call", [user, calls("a"), result("a"), result("a", "another"), user]],
		["a result before its call", [user, result("a"), calls("a"), user]],
		["a result without a call", [user, result("nobody-asked"), user]],
		["a call without a result", [user, calls("a", "b"), result("a"), user]],
		["results in another order", [user, calls("a", "b"), result("b"), result("a"), user]],
		["an assistant who speaks first", [{ role: "assistant", content: "Yes?" }, user]],
		["two users in a row", [user, user, user]],
		["an assistant who speaks last", [user, { role: "assistant", content: "And so" }]],
		["an empty text before", [{ role: "user", content: "" }, user]],
		["no content before", [user, { role: "assistant" }, user]],
		["an empty list before", [{ role: "user", content: [] }, user]],
		["an empty result", [user, calls("a"), result("a", ""), user]],
		["a result of no parts", [user, calls("a"), result("a", []), user]],
		[
			"arguments that are no JSON",
			[user, { ...calls(), tool_calls: [{ id: "a", function: { name: "x", arguments: "{" } }] }, result("a"), user],
		],
		["arguments of many levels", [user, { ...calls(), tool_calls: [deepCall(100)] }, result("a"), user]],
		["arguments of very many levels", [user, { ...calls(), tool_calls: [deepCall(100_000)] }, result("a"), user]],
		[
			"a part nobody knows",
			[
				{
					role: "user",
					content: [
						{ type: "hologram", data: 5 },
						{ type: "text", text: "hello" },
					],
				},
			],
		],
		["system messages alone", [{ role: "system", content: "hello" }]],
		["system messages at the end", [user, { role: "system", content: "Be brief." }]],
	])("with %s is put in order", async (_name, messages) => {
		const { status, body } = await send(messages);
		expect(status, body).toBe(200);
	});

	it.each<[string, object[], string]>([
		["no message", [], "messages"],
		["a role nobody has", [{ role: "oracle", content: "hello" }], "messages[0].role"],
		["a role of another case", [{ role: "User", content: "hello" }], "messages[0].role"],
		["a result that names no call", [user, { role: "tool", content: "x" }], "messages[1].tool_call_id"],
		[
			"a call of nothing",
			[user, { role: "assistant", tool_calls: [{ id: "a", type: "function" }] }],
			"messages[1].tool_calls[0].function",
		],
		["nothing but a result that answers no call", [result("a", "x")], "messages"],
		["only blanks said", [{ role: "user", content: "  \n" }], "messages"],
		[
			"sound",
			[{ role: "user", content: [{ type: "input_audio", input_audio: { data: "", format: "wav" } }] }],
			"messages[0].content[0]",
		],
		["a file", [{ role: "user", content: [{ type: "file", file: { file_id: "f" } }] }], "messages[0].content[0]"],
	])("with %s is refused by its place", async (_name, messages, param) => {
		const response = await send(messages);
		// Blanks are something to some, so that both is right; what is refused has to be named.
		if (response.status !== 200 || param !== "messages") {
			expect(expectRefusal(response, 400).param).toMatch(new RegExp(`^${param.replace(/[[\].]/g, "\\$&")}`));
		}
	});

	it("with two tools of one name has the first of them, and says so", async () => {
		const tool = (parameters: object) => ({ type: "function", function: { name: "odd", parameters } });
		const response = await rig.ask(say("schemas", { tools: [tool({ title: "first" }), tool({ title: "second" })] }));
		expect(JSON.parse(answerOf(response))).toEqual([["odd", { title: "first" }]]);
		expect(response.headers["x-cursorwire-warnings"]).toContain("tools[1]");
	});
});

describe("B10: an image", () => {
	const withImage = (url: unknown) =>
		say([
			{ type: "text", text: "hello" },
			{ type: "image_url", image_url: { url } },
		]);
	const data = (type: string, bytes: Buffer | string) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
	const svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";

	it("of a known type is taken, whatever its URL calls it", async () => {
		for (const type of ["image/png", "image/jpeg", "IMAGE/PNG", "text/html"]) {
			expect((await rig.ask(withImage(`data:${type};base64,${PNG}`))).status).toBe(200);
		}
	});

	it.each([
		["no bytes", "data:image/png;base64,"],
		["no data", "data:image/png"],
		["no base64", "data:image/png;base64,{}"],
		["no coding", `data:image/svg+xml,${svg}`],
		["svg", data("image/svg+xml", svg)],
		["svg that says it is a png", data("image/png", svg)],
		["html", data("text/html", "<script>alert(1)</script>")],
		["a bitmap", data("image/bmp", "BM000000")],
		["an executable", data("image/png", "\x7fELF")],
		["a file of this machine", "file:///etc/passwd"],
		["a page", "http://127.0.0.1/image.png"],
		["a page over TLS", "https://example.test/image.png"],
		["an address of an object", "blob:http://127.0.0.1/x"],
		["a script", "javascript:alert(1)"],
		["an empty address", ""],
		["an address of 1 MB", `data:${"x".repeat(1e6)},`],
		[
			"21 MiB",
			`data:image/png;base64,${Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(21 << 20)]).toString("base64")}`,
		],
	])("is refused: %s", async (_name, url) => {
		const error = expectRefusal(await rig.ask(withImage(url)), 400);
		expect(error).toMatchObject({ code: "image_refused", param: "messages[0].content[1].image_url.url" });
	});

	it("of 50 MB does not even come in", async () => {
		expectRefusal(await rig.ask(withImage(`data:image/png;base64,${"A".repeat(50e6)}`)), 413);
	});
});

describe("B13: a line break or a NUL", () => {
	const tool = (name: string) => ({ type: "function", function: { name } });
	const asked = (id: string) => [
		{ role: "user", content: "hello" },
		{ role: "assistant", tool_calls: [{ id, type: "function", function: { name: "look", arguments: "{}" } }] },
		{ role: "tool", tool_call_id: id, content: "x" },
	];
	const places: [string, (text: string) => object][] = [
		["model", (model) => say("hello", { model })],
		["metadata", (text) => say("hello", { metadata: { a: text } })],
		["a key of metadata", (text) => say("hello", { metadata: { [text]: "a" } })],
		["user", (user) => say("hello", { user })],
		["prompt_cache_key", (text) => say("hello", { prompt_cache_key: text })],
		["a call's id", (id) => ({ model: "composer-1", messages: asked(id) })],
		["a tool's name", (name) => say("hello", { tools: [tool(name)] })],
		[
			"a chosen tool",
			(name) => say("hello", { tools: [tool("a")], tool_choice: { type: "function", function: { name } } }),
		],
		["a speaker's name", (name) => ({ model: "composer-1", messages: [{ role: "user", name, content: "hello" }] })],
		["the effort", (text) => say("hello", { reasoning_effort: text })],
		["the response format", (type) => say("hello", { response_format: { type } })],
	];

	const FIELD =
		/^(?:model|metadata|user|prompt_cache_key|messages|tools|tool_choice|reasoning_effort|response_format)(?:[.[]|$)/;

	it.each(places)("in %s is refused", async (_name, body) => {
		for (const text of ["a\r\nx-injected: 1", "a\nb", "a\rb", "a\0b", "\u001b[31m"]) {
			const response = await rig.ask(body(text));
			expect(expectRefusal(response, 400).param).toMatch(FIELD);
			expect(response.headers).not.toHaveProperty("x-injected");
		}
	});

	it("in the name of a model that is asked for gets into no header", async () => {
		for (const name of ["a%0d%0ax-injected:%201", "a%00b", "%0a", "%e2%80%a8"]) {
			const response = await rig.answerTo(rig.head("GET", `/v1/models/${name}`));
			expectRefusal(response, 400, 404);
			expect(response.headers).not.toHaveProperty("x-injected");
		}
	});

	it("that is odd, but no control, gets into no header as it is", async () => {
		const { headers, status } = await rig.ask(say("hello", { reasoning_effort: "größte\u2028x\u{1f600}" }));
		expect(status).toBe(200);
		expect(headers["x-cursorwire-warnings"] ?? "").toMatch(/^[\x20-\x7e]*$/);
	});

	it("in a streamed answer breaks no event", async () => {
		const text = "a\r\n\r\ndata: [DONE]\n\nevent: x\ndata: {}\n\n: comment\n\0\u2028";
		const { body } = await rig.ask(say(text, { stream: true }));
		const { chunks, isDone } = readChunks(body);
		expect(isDone).toBe(true);
		expect(readAnswer(chunks).content).toBe(`you said ${text}`);
	});
});
