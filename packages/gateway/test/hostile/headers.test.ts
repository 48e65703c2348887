// B14: header lines that no client should send.
import { describe, expect, it } from "vitest";
import { expectRefusal, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();
const MODELS = "/v1/models";
const get = (...lines: string[]) => rig.head("GET", MODELS, ...lines);
/** A request with these header lines in place of the key. */
const unsigned = (...lines: string[]) =>
	`${[`GET ${MODELS} HTTP/1.1`, `Host: 127.0.0.1:${rig.port}`, ...lines].join("\r\n")}\r\n\r\n`;

describe("B14: a header", () => {
	it("may be named like things of the language", async () => {
		const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
		const odd = names.flatMap((name) => [`${name}: polluted`, `${name}: again`]);
		expect((await rig.answerTo(get(...odd))).status).toBe(200);
		expectRefusal(await rig.answerTo(unsigned(...odd)), 401);
	});

	it.each([
		["one of 17 KB", () => [`X-Long: ${"x".repeat(17_000)}`]],
		["a thousand of 100 bytes", () => Array.from({ length: 1000 }, (_, at) => `X-${at}: ${"x".repeat(100)}`)],
		["a name of 17 KB", () => [`${"X".repeat(17_000)}: x`]],
		["a key of 1 MB", () => [`Authorization: Bearer ${"x".repeat(1e6)}`]],
	])("may not take up more than there is room for: %s", async (_name, lines) => {
		const answer = await rig.refusalOf(unsigned(...lines()));
		if (answer) expectRefusal(answer, 431);
	});

	it("may come in numbers", async () => {
		const many = Array.from({ length: 1000 }, (_, at) => `x${at}: y`);
		const answer = await rig.answerTo(get(...many));
		if (answer.status !== 200) expectRefusal(answer, 431);
		expectRefusal(await rig.answerTo(unsigned(...many)), 401, 431);
	});

	it.each([
		["a NUL", "X-Odd: a\0b"],
		["a return alone", "X-Odd: a\rb"],
		["a blank in its name", "X Odd: a"],
		["no colon", "nonsense"],
		["no name", ": a"],
		["a name of other letters", "X-Ödd: a"],
	])("with %s is refused", async (_name, line) => {
		const answer = await rig.refusalOf(Buffer.from(get(line), "latin1"));
		if (answer) expectRefusal(answer, 400);
	});

	it.each([
		"Expect: 100-continue",
		"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
		"Trailer: Host",
		"Range: bytes=0-10",
	])("%s changes nothing", async (line) => {
		const { status, body } = await rig.answerTo(get(line));
		expect(status).toBe(200);
		expect(JSON.parse(body).data.length).toBeGreaterThan(0);
	});
});

describe("B14: a key", () => {
	const injection = "' OR '1'='1' --";
	it.each([
		["nothing", ""],
		["the word alone", "Bearer"],
		["blanks", "Bearer    "],
		["quotes", 'Bearer "x"'],
		["SQL", `Bearer ${injection}`],
		["SQL without blanks", "Bearer x'/**/OR/**/1=1--"],
		["a statement", "Bearer x';DROP/**/TABLE/**/keys;--"],
		["a pattern", "Bearer %"],
		["a star", "Bearer *"],
		["null", "Bearer null"],
		["undefined", "Bearer undefined"],
		["an object", "Bearer [object Object]"],
		["JSON", 'Bearer {"$ne":null}'],
		["a path", "Bearer ../../etc/passwd"],
		["letters beyond ASCII", "Bearer sch\u00fcssel"],
		["a byte order mark", "Bearer \u00ef\u00bb\u00bfx"],
		["many bytes", `Bearer ${"x".repeat(10_000)}`],
		["another scheme", "Basic dXNlcjpwYXNz"],
		["two tokens", "Bearer a b"],
		["a list", "Bearer a, Bearer b"],
	])("that is %s is none", async (_name, value) => {
		for (const name of ["Authorization", "X-Api-Key"]) {
			const shown = name === "Authorization" ? value : value.replace(/^Bearer ?/, "");
			const request = Buffer.from(unsigned(`${name}: ${shown}`), "latin1");
			expectRefusal(await rig.answerTo(request), 401);
		}
	});
});
