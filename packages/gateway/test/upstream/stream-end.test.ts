import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { ChannelEnd } from "../../src/upstream/channels/channel.ts";
import { H2DuplexChannel } from "../../src/upstream/channels/h2-duplex.ts";
import { ResponseReader } from "../../src/upstream/channels/response-reader.ts";
import { ServerStreamChannel } from "../../src/upstream/channels/server-stream.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { H2Pool, type H2PoolOptions } from "../../src/wire/h2/h2-pool.ts";
import type { Transport } from "../../src/wire/stream.ts";
import { closing, until } from "../kit/cleanup.ts";
import { END_STREAM, frameServer } from "../kit/network/frame-server.ts";

const CANCEL = 8;
const PIECE = Buffer.alloc(64 * 1024);

const pool = (options: Partial<H2PoolOptions> = {}) =>
	closing(new H2Pool({ connect: createConnector(), idleMs: 60_000, ...options }));

function envelopeHeader(flags: number, length: number): Buffer {
	const header = Buffer.alloc(5);
	header[0] = flags;
	header.writeUInt32BE(length, 1);
	return header;
}

/** One run to its end. */
function run(transport: Transport, origin: URL, http1 = false): Promise<ChannelEnd> {
	const channel = http1
		? new ServerStreamChannel(transport, "/run", { isHttp2: false })
		: new H2DuplexChannel(transport, "/run");
	return new Promise((resolve) => {
		channel.open({ origin, key: "", headers: {}, renewHeaders: async () => ({}) }, Buffer.from("first"), {
			message: () => {},
			batchEnd: () => {},
			ended: resolve,
		});
	});
}

/** Ends that a server may tell and then not close. */
const ENDS: [string, Buffer, ChannelEnd["kind"]][] = [
	["a length that is too large", envelopeHeader(0, 0xffff_ffff), "broken"],
	["reserved flags", Buffer.concat([envelopeHeader(0x40, 1), Buffer.from("x")]), "broken"],
	["an end that is no JSON", encodeEnvelope(2, Buffer.from("{")), "broken"],
	["an RPC error", encodeEnvelope(2, Buffer.from('{"error":{"code":"internal"}}')), "error"],
	["a good end", END_STREAM, "complete"],
];

describe("a stream that the server leaves open", () => {
	it.each(ENDS)("is reset after %s", async (_name, bytes, kind) => {
		const server = await frameServer(() => [bytes]);
		const transport = pool();
		expect((await run(transport, server.origin)).kind).toBe(kind);
		await until(() => server.open() === 0 && transport.stats().openStreams === 0);
		expect(server.resets).toEqual([CANCEL]);
	});

	it.each(ENDS)("after %s does not use up the streams of a connection", async (_name, bytes, kind) => {
		const server = await frameServer(() => [bytes], { maxConcurrentStreams: 1 });
		const transport = pool({ maxSessions: 1 });
		for (let turn = 0; turn < 3; turn++) expect((await run(transport, server.origin)).kind).toBe(kind);
		expect(transport.stats()).toMatchObject({ sessions: 1, waiting: 0 });
	});

	it.each(ENDS)("does not go on pouring after %s", async (_name, bytes) => {
		const server = await frameServer(function* () {
			yield bytes;
			for (;;) yield PIECE;
		});
		await run(pool(), server.origin);
		await until(() => server.open() === 0);
		// A window of one stream, and what the server's own objects hold.
		expect(server.sent()).toBeLessThan(8 << 20);
	});

	it("is reset when an error has said enough, however long its body goes on", async () => {
		const server = await frameServer(
			function* () {
				for (;;) yield PIECE;
			},
			{ status: 500, contentType: "text/plain" },
		);
		expect((await run(pool(), server.origin)).kind).toBe("broken");
		await until(() => server.open() === 0);
		expect(server.sent()).toBeLessThan(8 << 20);
	});
});

it("an error body of many small pieces costs no more than its bytes", () => {
	const ends: ChannelEnd[] = [];
	const reader = new ResponseReader({ message: () => {}, batchEnd: () => {}, ended: (how) => ends.push(how) }, 0);
	reader.onHead({ status: 500, headers: { "content-type": "text/plain" } });
	const piece = Buffer.from("x");
	const before = process.cpuUsage();
	for (let count = 0; count < 60_000; count++) reader.onData(piece);
	reader.onEnd({});
	const { user, system } = process.cpuUsage(before);
	expect(ends).toMatchObject([{ kind: "broken", error: { kind: "upstream-error" } }]);
	// A hundredth of it is needed; to add up all pieces at each of them takes three seconds.
	expect((user + system) / 1000).toBeLessThan(1000);
});

it.each([0, 1, 2, 3, 7, 8, 11])(
	"U4: RST_STREAM with code %s behind the end-of-stream message is a success",
	async (code) => {
		const server = await frameServer(async function* (stream) {
			yield END_STREAM;
			await new Promise((resolve) => setTimeout(resolve, 20));
			stream.close(code);
		});
		expect((await run(pool(), server.origin)).kind).toBe("complete");
		await until(() => server.open() === 0);
	},
);

it("a good end that the server closes leaves the connection in use, and nobody is reset", async () => {
	const server = await frameServer(async function* (stream) {
		yield END_STREAM;
		stream.end();
	});
	const transport = pool();
	for (let turn = 0; turn < 3; turn++) await run(transport, server.origin);
	await until(() => server.open() === 0);
	expect(server.resets).toEqual([0, 0, 0]);
	expect(transport.stats()).toMatchObject({ sessions: 1, openStreams: 0 });
});

describe("over HTTP/1.1", () => {
	async function serve(bytes: Buffer, thenEnd: boolean) {
		let accepted = 0;
		let open = 0;
		const server = createServer((request, response) => {
			request.resume();
			response.writeHead(200, { "content-type": "application/connect+proto" });
			if (thenEnd) response.end(bytes);
			else response.write(bytes);
		});
		server.on("connection", (socket) => {
			accepted++;
			open++;
			socket.on("close", () => open--).on("error", () => {});
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		closing({ close: () => server.closeAllConnections() });
		closing(server);
		const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		return { origin, accepted: () => accepted, open: () => open };
	}

	it.each(ENDS)("the connection of a body that stays open is closed after %s, and not used again", async (...row) => {
		const [, bytes, kind] = row;
		const server = await serve(bytes, false);
		const transport = closing(new H1Client({ connect: createConnector() }));
		for (let turn = 1; turn <= 2; turn++) {
			expect((await run(transport, server.origin, true)).kind).toBe(kind);
			await until(() => server.open() === 0);
			expect(server.accepted()).toBe(turn);
		}
		expect(transport.stats()).toEqual({ agents: 0, connections: 0, openStreams: 0 });
	});

	it("a good end leaves the connection for the next turn", async () => {
		const server = await serve(END_STREAM as Buffer, true);
		const transport = closing(new H1Client({ connect: createConnector() }));
		for (let turn = 0; turn < 3; turn++) {
			await run(transport, server.origin, true);
			await until(() => transport.stats().openStreams === 0);
		}
		expect(server.accepted()).toBe(1);
	});
});
