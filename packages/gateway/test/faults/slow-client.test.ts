import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { GatewayError } from "../../src/turn/error.ts";
import { DEFAULT_STREAM_LIMITS } from "../../src/turns/stream-limits.ts";
import { StreamResponse } from "../../src/turns/stream-response.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ManualClock } from "../kit/manual-clock.ts";

const TEXT = "x".repeat(64 * 1024);
const { stalledClientMs } = DEFAULT_STREAM_LIMITS;

/** A streamed response whose client has its hand on the tap. */
async function open() {
	let begin: (response: ServerResponse) => void;
	const arrived = new Promise<ServerResponse>((resolve) => {
		begin = resolve;
	});
	const server = createServer((_request, response) => begin(response));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing(server);
	const client: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
	onTestFinished(() => void client.destroy());
	client.on("error", () => {}).pause();
	client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
	const response = await arrived;
	const clock = new ManualClock();
	const seen: string[] = [];
	const stream = new StreamResponse({
		response,
		clock,
		limits: DEFAULT_STREAM_LIMITS,
		encoder: { encode: () => TEXT, encodeError: () => "error\n" },
		headers: () => ({ "content-type": "text/event-stream" }),
		refuse: () => {},
		ended: ({ cancelled }) => seen.push(cancelled ? "cancelled" : "ended"),
	});
	stream.attach({
		pause: () => seen.push("pause"),
		resume: () => seen.push("resume"),
		cancel: () => seen.push("cancel"),
	});
	const say = () => stream.events([{ type: "text-delta", text: "" }]);
	return { client, response, clock, seen, say, stream };
}

/** Talks, as a run does that stops when it is told to, until the sockets hold no more. Returns how often it spoke. */
async function fill({ seen, say }: Awaited<ReturnType<typeof open>>): Promise<number> {
	let spoken = 0;
	for (let stopped = 0; stopped < 20 && spoken < 1000; ) {
		if (seen.at(-1) === "pause") stopped++;
		else {
			stopped = 0;
			spoken++;
			say();
		}
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	expect(seen.at(-1)).toBe("pause");
	seen.length = 0;
	return spoken;
}

it("L5: a client that does not read stops the run behind its answer", async () => {
	const opened = await open();
	// 1,000 pieces are 64 MB, which no pair of sockets holds.
	expect(await fill(opened)).toBeLessThan(1000);
	opened.say();
	expect(opened.seen).toEqual([]);
});

it("L5: a client that reads nothing for the whole limit is cut, and its run is cancelled", async () => {
	const opened = await open();
	await fill(opened);
	opened.clock.advance(stalledClientMs - 1);
	expect(opened.response.destroyed).toBe(false);
	opened.clock.advance(1);
	expect(opened.response.destroyed).toBe(true);
	await until(() => opened.seen.length > 1);
	expect(opened.seen).toEqual(["cancelled", "cancel"]);
	expect(opened.clock.armed).toBe(0);
});

it("L5: a client that reads again goes on, and is not cut for what was before", async () => {
	const opened = await open();
	await fill(opened);
	opened.clock.advance(stalledClientMs - 1);
	opened.client.resume();
	await until(() => opened.seen.includes("resume"));
	opened.clock.advance(stalledClientMs);
	expect(opened.response.destroyed).toBe(false);
	expect(opened.seen).toEqual(["resume"]);
});

/** More than any pair of sockets holds, in pieces that tell their number. */
function* longText(): Generator<string, void, undefined> {
	for (let index = 0; index < LONG_PIECES; index++) yield `${String(index).padStart(65_535, ".")}\n`;
}
const LONG_PIECES = 250;
const LINES = Array.from({ length: LONG_PIECES }, (_, index) => String(index));

/** The lines that the client got, without the chunks' own. */
async function linesOf({ client }: Awaited<ReturnType<typeof open>>): Promise<string[]> {
	let text = "";
	client.on("data", (chunk) => {
		text += chunk.toString("latin1").replaceAll(".", "");
	});
	client.resume();
	await until(() => text.endsWith("0\r\n\r\n"));
	const body = text.slice(text.indexOf("\r\n\r\n") + 4);
	return body
		.replace(/\r\n[0-9a-f]+\r\n/g, "")
		.replace(/^[0-9a-f]+\r\n/, "")
		.split("\n")
		.filter((line) => line.trim() !== "");
}

it("L5: a long text waits for the client to read it, piece by piece, and holds the run until it is written", async () => {
	const opened = await open();
	opened.stream.say("before\n");
	opened.stream.say(longText());
	opened.stream.say("behind\n");
	expect(opened.seen).toEqual(["pause"]);
	// It is not silent, but a comment would stand in the middle of an event.
	opened.clock.advance(DEFAULT_STREAM_LIMITS.commentMs);
	const read = linesOf(opened);
	await until(() => opened.seen.includes("resume"));
	opened.stream.end("end\n");
	expect(await read).toEqual(["before", ...LINES, "behind", "end"]);
	expect(opened.seen).toEqual(["pause", "resume", "ended"]);
	expect(opened.clock.armed).toBe(0);
});

it("L5: a stream that ends or fails behind a long text does so when that is written", async () => {
	const ended = await open();
	ended.stream.end(longText());
	ended.stream.say("too late\n");
	expect(ended.seen).toEqual(["pause"]);
	expect(await linesOf(ended)).toEqual(LINES);
	expect(ended.seen).toEqual(["pause", "ended"]);

	const failed = await open();
	failed.stream.say(longText());
	failed.stream.failed(new GatewayError("upstream-reset"));
	expect(failed.seen).toEqual(["pause"]);
	expect(await linesOf(failed)).toEqual([...LINES, "error"]);
	expect(failed.seen).toEqual(["pause", "ended", "cancel"]);
});

it("L5: a client that does not read a long text is cut like any other", async () => {
	const opened = await open();
	opened.stream.end(longText());
	await until(() => opened.response.writableNeedDrain);
	// The system's buffers may still be taking what the client does not read.
	await until(() => {
		opened.clock.advance(stalledClientMs);
		return opened.seen.length > 1;
	});
	expect(opened.seen).toEqual(["pause", "cancelled", "cancel"]);
	expect(opened.clock.armed).toBe(0);
});
