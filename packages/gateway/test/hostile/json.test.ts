// B3, B4, B5 and B7: JSON that is huge, deep, oddly encoded, or full of names and numbers with a meaning of their own.
import { describe, expect, it } from "vitest";
import { expectRefusal, say, useRig } from "../kit/hostile/rig.ts";
import { expectSmallPauses } from "./loop-delay.ts";

const rig = useRig();
const text = (content: string) => `{"model":"composer-1","messages":[{"role":"user","content":${content}}]}`;
const withField = (field: string) => `{"model":"composer-1","messages":[{"role":"user","content":"hello"}],${field}}`;
const answerOf = ({ body }: { body: string }) => JSON.parse(body).choices[0].message.content;

describe("B3: size", () => {
	const nested = (depth: number) => text(`${"[".repeat(depth)}1${"]".repeat(depth)}`);
	const open = (depth: number) => `{"model":${'{"a":'.repeat(depth)}`;
	const many = (count: number, item: string) => `[${Array(count).fill(item).join(",")}]`;
	const keys = (count: number) => `{${Array.from({ length: count }, (_, key) => `"k${key}":1`).join(",")}}`;
	const message = '{"role":"user","content":"x"}';
	const tool = (index: number) => ({ type: "function", function: { name: `t${index}`, parameters: {} } });

	it.each([
		["nested 1,000 deep", () => nested(1e3)],
		["nested 10,000 deep", () => nested(1e4)],
		["nested 1,000,000 deep", () => nested(1e6)],
		["opened 1,000,000 times and never closed", () => open(1e6)],
		["closed 1,000,000 times and never opened", () => "]".repeat(1e6)],
		["with 1,000,000 keys", () => withField(`"metadata":${keys(1e6)}`)],
		["with 10,000,000 numbers", () => withField(`"stop":${many(1e7, "1")}`)],
		["with 2,000,000 empty objects", () => withField(`"tools":${many(2e6, "{}")}`)],
		["with 100,000 messages", () => `{"model":"composer-1","messages":${many(1e5, message)}}`],
		["with 65,000 wrong messages", () => `{"model":"composer-1","messages":${many(65_000, "5")}}`],
		[
			"with 10,000 tools",
			() => JSON.stringify(say("hello", { tools: Array.from({ length: 1e4 }, (_, at) => tool(at)) })),
		],
		["with 100,000 stop sequences", () => withField(`"stop":${many(1e5, '"x"')}`)],
		["with a name of 1 MB", () => withField(`"user":"${"x".repeat(1e6)}"`)],
		["with a key of 1 MB", () => withField(`"metadata":{"${"x".repeat(1e6)}":5}`)],
		["with 1 MB of quotes", () => withField(`"user":"${'\\"'.repeat(5e5)}"`)],
	])("%s is refused, and others do not wait for it", async (_name, make) => {
		const request = rig.chat(make());
		expectRefusal(await expectSmallPauses(() => rig.answerTo(request)), 400);
	});

	it("a body may be nested 128 deep where nobody looks, and no deeper", async () => {
		const unread = (depth: number) => withField(`"extra":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}`);
		expect(answerOf(await rig.ask(unread(128)))).toBe("you said hello");
		const response = await rig.ask(unread(129));
		expectRefusal(response, 400);
		expect(JSON.parse(response.body).error.message).toContain("nested deeper than 128 levels");
	});

	it("a body may hold 1,000,000 values where nobody looks, and no more", async () => {
		// Seven of them are not in the list.
		const unread = (count: number) => withField(`"extra":${many(count - 7, "1")}`);
		expect(answerOf(await rig.ask(unread(1e6)))).toBe("you said hello");
		const response = await rig.ask(unread(1e6 + 1));
		expectRefusal(response, 400);
		expect(JSON.parse(response.body).error.message).toContain("more than 1000000 values");
	});

	it.each([
		["a stop sequence", { stop: "x".repeat(1025) }, "stop", "1024 characters"],
		["one of several stop sequences", { stop: ["a", "x".repeat(1_900_000)] }, "stop[1]", "1024 characters"],
		["a message of many parts", say(Array(16_385).fill({ type: "text", text: "x" })), "messages[0].content", "16384"],
		[
			"a message of many calls",
			{ messages: [{ role: "assistant", tool_calls: Array(16_385).fill({ function: { name: "x" } }) }] },
			"messages[0].tool_calls",
			"16384",
		],
		[
			"what is said of tools",
			{ tools: [{ ...tool(1), function: { name: "t", description: "x".repeat(4 << 20) } }] },
			"tools[0]",
			"4194304 characters",
		],
	])("%s beyond the limit is refused with the limit in the message", async (_name, fields, param, limit) => {
		const response = await rig.ask({ ...say("hello"), ...fields });
		expect(expectRefusal(response, 400).param).toContain(param);
		expect(JSON.parse(response.body).error.message).toContain(limit);
	});

	it("a prompt of 2 MB of one character is the model's to refuse", async () => {
		const request = rig.chat(say("x".repeat(2e6)));
		const response = await expectSmallPauses(() => rig.answerTo(request));
		expect(["invalid_request", "context_length_exceeded"]).toContain(expectRefusal(response, 400).code);
	});

	it("an answer of 2 MB of one character is counted without a stop", async () => {
		const request = rig.chat(say("drone", { max_tokens: 1_000_000 }));
		const response = await expectSmallPauses(() => rig.answerTo(request));
		expect(answerOf(response)).toBe("x".repeat(2e6));
	});
});

describe("B4: encoding", () => {
	const bytes = (...content: number[]) =>
		Buffer.concat([Buffer.from(text('"').slice(0, -3)), Buffer.from(content), Buffer.from('"}]}')]);

	it.each([
		["a lone continuation byte", bytes(0x80)],
		["half a character", bytes(0xe2, 0x82)],
		["an overlong slash", bytes(0xc0, 0xaf)],
		["a surrogate in UTF-8", bytes(0xed, 0xa0, 0x80)],
		["a code point beyond the last", bytes(0xf5, 0x80, 0x80, 0x80)],
		["Latin-1", Buffer.from(text('"grüße"'), "latin1")],
		["UTF-16", Buffer.from(text('"hello"'), "utf16le")],
		["UTF-16 with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text('"hello"'), "utf16le")])],
		["a NUL byte", bytes(0)],
		["a line break in a text", bytes(0x0a)],
		["a second value", Buffer.from(`${text('"hello"')}{}`)],
		["a comment", Buffer.from(`/* */${text('"hello"')}`)],
		["no JSON", Buffer.from("model=composer-1&messages=hello")],
	])("%s is refused", async (_name, body) => {
		expectRefusal(await rig.ask(body), 400);
	});

	it("another character set is refused", async () => {
		const body = Buffer.from(text('"hello"'), "utf16le");
		const request = rig.chat(body).toString("latin1").replace("application/json", "application/json; charset=utf-16");
		expectRefusal(await rig.answerTo(Buffer.from(request, "latin1")), 415);
	});

	it("a byte order mark is no part of the body", async () => {
		expect(answerOf(await rig.ask(`\ufeff${text('"hello"')}`))).toBe("you said hello");
	});

	it.each([
		["half a surrogate pair", '"a\\ud800b"', "a\ufffdb"],
		["the pair in the wrong order", '"\\udc00\\ud800"', "\ufffd\ufffd"],
		["a whole pair", '"\\ud83d\\ude00"', "😀"],
		["a NUL", '"a\\u0000b"', "a\0b"],
		["controls", '"\\u0001\\u001b[31m\\u0085"', "\u0001\u001b[31m\u0085"],
		["line separators", '"a\\u2028b\\u2029c"', "a\u2028b\u2029c"],
		["controls of direction", '"\\u202eevil\\u2066"', "\u202eevil\u2066"],
		["characters of four bytes", `"${"😀𐍈".repeat(100)}"`, "😀𐍈".repeat(100)],
		["a noncharacter", '"\\uffff"', "\uffff"],
	])("%s reaches the model, and comes back", async (_name, content, expected) => {
		expect(answerOf(await rig.ask(text(content)))).toBe(`you said ${expected}`);
	});
});

describe("B5: names", () => {
	it("that come twice count once, the last time", async () => {
		const body = `{"model":"no-such","messages":5,${text('"hello"').slice(1)}`;
		expect(answerOf(await rig.ask(body))).toBe("you said hello");
	});

	it("with a meaning in the language are names like others", async () => {
		const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];
		const properties = `{${names.map((name) => `"${name}":{"type":"string","polluted":true}`).join()}}`;
		const tools = names.map(
			(name) =>
				`{"type":"function","function":{"name":"${name}","parameters":{"type":"object","properties":${properties}}}}`,
		);
		const everywhere = `"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}`;
		const body = `{"model":"composer-1",${everywhere},"metadata":{"__proto__":"x","constructor":"y"},"tools":[${tools}],"messages":[{"role":"user","content":"schemas",${everywhere}}]}`;
		const response = await rig.ask(body);
		const schemas: [string, { properties: object }][] = JSON.parse(answerOf(response));
		expect(schemas.map(([name]) => name).sort()).toEqual([...names].sort());
		// A map of the protocol cannot hold the first of them as a key; the schema then lacks it.
		for (const [, schema] of schemas) expect(Object.keys(schema.properties).sort()).toEqual(names.slice(1).sort());
		expect({}).not.toHaveProperty("polluted");
	});
});

describe("B7: numbers", () => {
	it.each([
		['"max_tokens":NaN', undefined],
		['"max_tokens":Infinity', undefined],
		['"max_tokens":0x10', undefined],
		['"max_tokens":01', undefined],
		['"max_tokens":1e400', "max_tokens"],
		['"max_tokens":-1e400', "max_tokens"],
		['"max_tokens":9007199254740993', "max_tokens"],
		['"max_tokens":1.5', "max_tokens"],
		['"max_tokens":"10"', "max_tokens"],
		['"max_tokens":-2', "max_tokens"],
		['"max_tokens":0', "max_tokens"],
		['"n":1e400', "n"],
		['"n":0', "n"],
		['"n":"1"', "n"],
		['"n":1000000', "n"],
		['"temperature":1e400', "temperature"],
		['"temperature":"1"', "temperature"],
		['"seed":-1e999', "seed"],
		['"top_logprobs":2.5', "top_logprobs"],
	])("%s is refused", async (field, param) => {
		expect(expectRefusal(await rig.ask(withField(field)), 400).param ?? undefined).toBe(param);
	});

	it.each(['"max_tokens":-0.0e0', '"max_tokens":1e2', '"temperature":-0', '"seed":9007199254740993', '"n":1.0'])(
		"%s is a number, or refused by its name",
		async (field) => {
			const response = await rig.ask(withField(field));
			if (response.status !== 200) expect(expectRefusal(response, 400).param).toBe(/"(\w+)"/.exec(field)![1]);
		},
	);
});
