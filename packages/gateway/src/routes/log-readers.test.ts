// A reader that stops reading, on a real socket: what it misses is counted, and nothing is kept for it.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import { LogBook } from "../observe/log-book.ts";
import { yieldToEventLoop } from "../time/slices.ts";
import { LogReaders } from "./log-readers.ts";

const TOTAL = 6_000;
const HEARTBEAT_MS = 15_000;

async function setUp() {
	const clock = new ManualClock();
	const book = new LogBook({ info() {}, warn() {}, error() {} }, () => 0);
	const readers = new LogReaders(book, clock);
	let response!: ServerResponse;
	const server = createServer((_request, given) => {
		response = given;
		readers.add(given);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const socket = connect((server.address() as { port: number }).port, "127.0.0.1");
	onTestFinished(() => void socket.destroy());
	socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
	await once(socket, "readable");
	return { clock, book, readers, socket, response };
}

async function writeAll(book: LogBook, response: ServerResponse): Promise<number> {
	let mostWaiting = 0;
	for (let number = 0; number < TOTAL; number++) {
		book.write("info", { text: "x".repeat(4_000) }, "x");
		mostWaiting = Math.max(mostWaiting, response.writableLength);
		if (number % 50 === 0) await yieldToEventLoop();
	}
	return mostWaiting;
}

it("costs no memory, and is told how many entries it missed when it reads again", async () => {
	const { book, readers, socket, response } = await setUp();
	expect(await writeAll(book, response)).toBeLessThan(100_000);
	const text: string[] = [];
	socket.setEncoding("latin1").on("data", (chunk) => text.push(String(chunk)));
	readers.close();
	while (!text.slice(-2).join("").includes("event: end")) await once(socket, "data");
	const all = text.join("");
	const dropped = Array.from(all.matchAll(/"dropped":(\d+)/g), ([, count]) => Number(count)).reduce((a, b) => a + b);
	expect(dropped).toBeGreaterThan(0);
	expect(Array.from(all.matchAll(/^id: \d+$/gm)).length + dropped).toBe(TOTAL);
});

it("is cut off after a minute in which it took nothing; one that reads is not", async () => {
	const { clock, book, response } = await setUp();
	await writeAll(book, response);
	for (let beat = 0; beat < 3; beat++) clock.advance(HEARTBEAT_MS);
	expect(response.destroyed).toBe(false);
	clock.advance(HEARTBEAT_MS);
	expect(response.destroyed).toBe(true);
	await once(response, "close");
	expect(clock.armed).toBe(0);

	const reading = await setUp();
	reading.socket.resume();
	for (let beat = 0; beat < 10; beat++) reading.clock.advance(HEARTBEAT_MS);
	expect(reading.response.destroyed).toBe(false);
});
