// B1 to B13 on the routes of Responses and Messages. What the server sees to for every route is tested on one.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { OTHER_FORMS } from "../kit/hostile/dialect-forms.ts";
import { useRig } from "../kit/hostile/rig.ts";
import { expectSmallPauses } from "./loop-delay.ts";

const rig = useRig();
const many = (count: number, item: string) => `[${Array(count).fill(item).join(",")}]`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, key) => `"k${key}":1`).join(",")}}`;
const nested = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
const schemaOf = (levels: number) => JSON.parse(`${'{"items":'.repeat(levels)}{}${"}".repeat(levels)}`);

describe.each(OTHER_FORMS)("$path", (form) => {
	const ask = (body: unknown) => rig.answerTo(rig.post(form.path, body));
	/** A body with further fields, as text. */
	const withField = (field: string) => `${JSON.stringify(form.say("hello")).slice(0, -1)},${field}}`;
	/** A body whose user says this piece of JSON. */
	const saying = (content: string) => JSON.stringify(form.say("@")).replace('"@"', () => content);
	const list = form.path === "/v1/messages" ? "messages" : "input";

	describe("size", () => {
		it.each([
			["nested 1,000 deep", () => saying(nested(1e3))],
			["nested 1,000,000 deep", () => saying(nested(1e6))],
			["opened 1,000,000 times", () => `{"model":${'{"a":'.repeat(1e6)}`],
			["with 1,000,000 keys", () => withField(`"metadata":${keys(1e6)}`)],
			["with 2,000,000 empty tools", () => withField(`"tools":${many(2e6, "{}")}`)],
			["with 100,000 messages", () => withField(`"${list}":${many(1e5, '{"role":"user","content":"x"}')}`)],
			["with 65,000 wrong messages", () => withField(`"${list}":${many(65_000, "5")}`)],
			[
				"with 10,000 tools",
				() => form.say("x", { tools: Array.from({ length: 1e4 }, (_, at) => form.tool(`t${at}`, {})) }),
			],
			["with a model of 1 MB", () => withField(`"model":"${"x".repeat(1e6)}"`)],
		])("%s is refused, and others do not wait for it", async (_name, make) => {
			const request = rig.post(form.path, make());
			form.refusal(await expectSmallPauses(() => rig.answerTo(request)), 400);
		});

		it("beyond the limit, or of no bytes, is refused", async () => {
			form.refusal(await ask(Buffer.alloc(33 << 20, " ")), 413);
			form.refusal(await ask(""), 400);
			const packed = rig.post(form.path, gzipSync(JSON.stringify(form.say("hello"))), "Content-Encoding: gzip");
			form.refusal(await rig.answerTo(packed), 415);
		});
	});

	describe("encoding", () => {
		it.each([
			["half a character", [0xe2, 0x82]],
			["a surrogate in UTF-8", [0xed, 0xa0, 0x80]],
			["a NUL byte", [0]],
			["a line break in a text", [0x0a]],
		])("%s is refused", async (_name, bytes) => {
			const [before = "", after = ""] = JSON.stringify(form.say("@")).split("@");
			form.refusal(await ask(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])), 400);
		});

		it.each([
			["half a surrogate pair", '"a\\ud800b"', "a\ufffdb"],
			["a NUL", '"a\\u0000b"', "a\0b"],
			["line separators", '"a\\u2028b\\u2029c"', "a\u2028b\u2029c"],
			["characters of four bytes", `"${"😀𐍈".repeat(100)}"`, "😀𐍈".repeat(100)],
		])("%s reaches the model, and comes back", async (_name, content, expected) => {
			expect(form.answerOf(await ask(saying(content)))).toBe(`you said ${expected}`);
		});

		it("breaks no event of a stream", async () => {
			const text = "a\r\n\r\ndata: [DONE]\n\nevent: x\ndata: {}\n\n: comment\n\0\u2028";
			const { body } = await ask(form.say(text, { stream: true }));
			expect(form.streamedOf(body)).toBe(`you said ${text}`);
		});
	});

	it("takes names with a meaning in the language for names like others", async () => {
		const names = ["constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];
		const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
		const everywhere = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
		const body = JSON.stringify(form.say("schemas", { tools: names.map((name) => form.tool(name, schema)) }));
		const answer = form.answerOf(await ask(`${body.slice(0, -1)},${everywhere}}`));
		expect(JSON.parse(answer).sort()).toEqual(names.map((name) => [name, schema]).sort());
		expect({}).not.toHaveProperty("polluted");
	});

	it.each(["NaN", "1e400", "-1e400", "9007199254740993", "1.5", '"10"', "-2", "0"])(
		"refuses the number %s",
		async (number) => {
			const place = form.refusal(await ask(withField(`"${form.numberField}":${number}`)), 400);
			if (number !== "NaN") expect(place).toBe(form.numberField);
		},
	);

	it.each<[string, object]>([
		["references in a circle", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }],
		["a pattern that never ends", { type: "string", pattern: "^(a+)+$" }],
		["a wrong type", { type: 5, properties: [], required: "all" }],
		["a description of 1 MB", { type: "object", description: "x".repeat(1e6) }],
		["many levels", schemaOf(40)],
	])("takes a tool's schema for data: %s", async (_name, schema) => {
		const response = await ask(form.say("schemas", { tools: [form.tool("odd", schema)] }));
		expect(JSON.parse(form.answerOf(response))).toEqual([["odd", schema]]);
	});

	it("refuses a schema of more levels than can be sent, and two tools of one name have the first", async () => {
		expect(form.refusal(await ask(form.say("x", { tools: [form.tool("odd", schemaOf(60))] })), 400)).toMatch(/^tools/);
		const tools = [form.tool("odd", { title: "first" }), form.tool("odd", { title: "second" })];
		const response = await ask(form.say("schemas", { tools }));
		expect(JSON.parse(form.answerOf(response))).toEqual([["odd", { title: "first" }]]);
		expect(response.headers["x-cursorwire-warnings"]).toContain("tools[1]");
	});

	it.each(["", "data:image/png;base64,", "file:///etc/passwd", "http://127.0.0.1/image.png", "javascript:alert(1)"])(
		"refuses the image %s",
		async (url) => {
			const response = await ask(form.say([form.image(url)]));
			expect(form.refusal(response, 400)).toMatch(/^(?:input|messages)\[0\]/);
		},
	);

	it("refuses line breaks and NULs where they could become a header or a name", async () => {
		const places: ((text: string) => object)[] = [
			(model) => form.say("hello", { model }),
			(name) => form.say("hello", { tools: [form.tool(name, {})] }),
			(text) => form.say("hello", { metadata: { user_id: text } }),
		];
		for (const place of places) {
			for (const text of ["a\r\nx-injected: 1", "a\nb", "a\0b"]) {
				const response = await ask(place(text));
				expect(form.refusal(response, 400)).toMatch(/^(?:model|tools|metadata)/);
				expect(response.headers).not.toHaveProperty("x-injected");
			}
		}
	});
});

describe("B12: /v1/messages/count_tokens", () => {
	const count = (content: string) => {
		const body = { model: "composer-1", messages: [{ role: "user", content }] };
		const request = rig.post("/v1/messages/count_tokens", body);
		return expectSmallPauses(() => rig.answerTo(request));
	};

	it.each([
		["2 MB of one character", "x".repeat(2e6)],
		[
			"2 million Chinese characters",
			Array.from({ length: 2e6 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join(""),
		],
		["20 MB of one character", "x".repeat(20e6)],
		["10 MB of noise", Array.from({ length: 1e6 }, (_, at) => ((at * 2654435761) % 2 ** 32).toString(36)).join("")],
	])("counts %s without a stop", async (_name, content) => {
		const { status, body } = await count(content);
		expect(status).toBe(200);
		expect(JSON.parse(body).input_tokens).toBeGreaterThan(content.length / 20);
	});

	it("counts the same text alike, in one request or in many", async () => {
		const [once, again] = [await count("some words of a prompt"), await count("some words of a prompt")];
		expect(once.body).toBe(again.body);
		expect(JSON.parse(once.body).input_tokens).toBe(9);
	});
});
