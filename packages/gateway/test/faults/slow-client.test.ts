import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { DEFAULT_STREAM_LIMITS, StreamResponse } from "../../src/server/stream-response.ts";
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
		encoder: { encode: () => TEXT, encodeError: () => "" },
		headers: () => ({ "content-type": "text/event-stream" }),
		refuse: () => {},
		over: ({ cancelled }) => seen.push(cancelled ? "cancelled" : "ended"),
	});
	stream.attach({
		pause: () => seen.push("pause"),
		resume: () => seen.push("resume"),
		cancel: () => seen.push("cancel"),
	});
	const say = () => stream.events([{ type: "text-delta", text: "" }]);
	return { client, response, clock, seen, say };
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
