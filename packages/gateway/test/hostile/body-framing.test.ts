// B1, B2 and B11: bodies that are too long, too short, endless, packed, or whose length is told in several ways.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { CHAT, expectRefusal, say, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();
const MIB = 1 << 20;
const LIMIT = 32 * MIB;
const JSON_TYPE = "Content-Type: application/json";
const BODY = JSON.stringify(say("hello"));

const declared = (length: string) => rig.head("POST", CHAT, JSON_TYPE, `Content-Length: ${length}`);
const chunked = (...lines: string[]) => rig.head("POST", CHAT, JSON_TYPE, "Transfer-Encoding: chunked", ...lines);
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A request of exactly so many bytes: blanks behind JSON are JSON. */
const padded = (length: number) => Buffer.concat([Buffer.from(BODY), Buffer.alloc(length - BODY.length, " ")]);

describe("B1: a body", () => {
	it("of no bytes is refused", async () => {
		expectRefusal(await rig.ask(""), 400);
		expectRefusal(await rig.answerTo(`${chunked()}0\r\n\r\n`), 400);
		expectRefusal(await rig.answerTo(rig.head("POST", CHAT, JSON_TYPE)), 400);
	});

	it("of the largest size is taken, and one byte more is not", async () => {
		expect((await rig.ask(padded(LIMIT))).status).toBe(200);
		expectRefusal(await rig.ask(padded(LIMIT + 1)), 413);
	});

	it.each([33 * MIB, 100 * MIB, 10 * 1024 * MIB, Number.MAX_SAFE_INTEGER])(
		"that says it has %i bytes is refused before any of them comes",
		async (length) => {
			expectRefusal(await rig.answerTo(declared(String(length))), 413);
		},
	);

	it("in chunks is held to the same limit", async () => {
		const client = await rig.open();
		client.send(chunked());
		const mebibyte = Buffer.from(`${MIB.toString(16)}\r\n${" ".repeat(MIB)}\r\n`);
		for (let sent = 0; sent < 33; sent++) client.send(mebibyte);
		expectRefusal(await client.response(), 413);
		client.close();
	});

	it("is not read on once it is refused, and the connection is cut", async () => {
		const client = await rig.open();
		client.send(declared(String(10 * 1024 * MIB)));
		expectRefusal(await client.response(), 413);
		let taken = 0;
		const mebibyte = Buffer.alloc(MIB);
		while (!client.ended) {
			const isTaken = new Promise<void>((resolve) => client.socket.write(mebibyte, () => resolve()));
			await Promise.race([isTaken.then(() => taken++), client.end()]);
		}
		// What the system's own buffers hold is less than that.
		expect(taken).toBeLessThan(64);
	});

	it("that is too long does not keep an ordinary client from seeing why", async () => {
		const headers = { authorization: `Bearer ${rig.key}`, "content-type": "application/json" };
		const response = await fetch(`${rig.url}${CHAT}`, { method: "POST", headers, body: Buffer.alloc(40 * MIB, " ") });
		expect(response.status).toBe(413);
		expect(await response.json()).toMatchObject({ error: { code: "request_too_large" } });
	});
});

describe("B2: a length", () => {
	it("that is longer than the body starts nothing when the client hangs up", async () => {
		const { started } = rig.emulator.stats().runs;
		const client = await rig.open();
		client.send(`${declared(String(BODY.length + 10))}${BODY}`);
		client.socket.end();
		await client.end();
		expect(client.unread).not.toMatch(/^HTTP\/1.1 2/);
		expect(rig.emulator.stats().runs.started).toBe(started);
	});

	it("that is shorter than the body cuts it, and what is left is no request", async () => {
		const { started } = rig.emulator.stats().runs;
		const client = await rig.open();
		client.send(`${declared(String(BODY.length - 10))}${BODY}\r\n\r\n`);
		await client.end();
		for (const [, status] of client.unread.matchAll(/HTTP\/1.1 (\d+)/g)) expect(status).toBe("400");
		expect(rig.emulator.stats().runs.started).toBe(started);
	});

	const framings: [string, () => string][] = [
		["and chunks as well", () => `${chunked(`Content-Length: ${BODY.length}`)}${chunk(BODY)}0\r\n\r\n`],
		["twice, the same", () => rig.head("POST", CHAT, JSON_TYPE, "Content-Length: 2", "Content-Length: 2") + BODY],
		["twice, different", () => rig.head("POST", CHAT, JSON_TYPE, "Content-Length: 2", "Content-Length: 3") + BODY],
		["as a list", () => declared("2, 2") + BODY],
		["with a sign", () => declared(`+${BODY.length}`) + BODY],
		["below zero", () => declared("-1") + BODY],
		["in hexadecimal", () => declared("0x2") + BODY],
		["beyond all numbers", () => declared("9".repeat(40)) + BODY],
		["that is a word", () => declared("many") + BODY],
		["in a folded line", () => declared(`\r\n ${BODY.length}`) + BODY],
		["behind a bare line feed", () => declared(String(BODY.length)).replaceAll("\r\n", "\n") + BODY],
		["behind a blank before the colon", () => declared("2").replace("Content-Length:", "Content-Length :") + BODY],
	];

	it.each(framings)("given %s is refused", async (_name, request) => {
		const { started } = rig.emulator.stats().runs;
		const answer = await rig.refusalOf(request());
		if (answer) expectRefusal(answer, 400);
		expect(rig.emulator.stats().runs.started).toBe(started);
	});

	const codings: [string, () => string, number[]][] = [
		["of another kind", () => rig.head("POST", CHAT, JSON_TYPE, "Transfer-Encoding: gzip, chunked"), [400, 415]],
		["with chunks not last", () => rig.head("POST", CHAT, JSON_TYPE, "Transfer-Encoding: chunked, identity"), [400]],
		["that looks like chunks", () => rig.head("POST", CHAT, JSON_TYPE, "Transfer-Encoding: xchunked"), [400, 415]],
		["twice", () => chunked("Transfer-Encoding: chunked"), [400]],
		["with a chunk of no size", () => `${chunked()}zz\r\n{}\r\n0\r\n\r\n`, [400]],
		["with a chunk below zero", () => `${chunked()}-2\r\n{}\r\n0\r\n\r\n`, [400]],
		["with a chunk that is longer than it says", () => `${chunked()}1\r\n{}\r\n0\r\n\r\n`, [400]],
		["with a chunk beyond all numbers", () => `${chunked()}${"f".repeat(20)}\r\n{}\r\n0\r\n\r\n`, [400]],
		["with too much said about a chunk", () => `${chunked()}2;${"x".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`, [400, 413]],
	];

	it.each(codings)("left to a transfer coding %s is refused", async (_name, request, statuses) => {
		const { started } = rig.emulator.stats().runs;
		const answer = await rig.refusalOf(request());
		if (answer) expectRefusal(answer, ...statuses);
		expect(rig.emulator.stats().runs.started).toBe(started);
	});

	it("in chunks of one byte is as good as any", async () => {
		const client = await rig.open();
		client.send(chunked());
		for (const letter of BODY) client.send(chunk(letter));
		client.send("0\r\n\r\n");
		expect((await client.response()).status).toBe(200);
		client.close();
	});
});

describe("B11: a packed body", () => {
	const zeros = Buffer.alloc(10 * MIB);
	it.each([
		["gzip", gzipSync(BODY)],
		["gzip", gzipSync(zeros)],
		["br", brotliCompressSync(BODY)],
		["deflate", deflateSync(BODY)],
		["gzip, gzip", gzipSync(gzipSync(zeros))],
		["zstd", Buffer.from(BODY)],
		["identity, gzip", gzipSync(BODY)],
		["", gzipSync(BODY)],
	])("is refused: %s", async (encoding, bytes) => {
		expectRefusal(await rig.answerTo(rig.chat(bytes, `Content-Encoding: ${encoding}`)), 415);
	});

	it("is refused as well where nothing says that it is packed", async () => {
		expectRefusal(await rig.ask(gzipSync(BODY)), 400);
	});
});
