import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H2Pool, type H2PoolOptions } from "../../src/wire/h2/h2-pool.ts";
import type { WireRequest } from "../../src/wire/stream.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { ExchangeLog } from "../kit/network/exchange-log.ts";
import {
	FrameFlag,
	FrameType,
	frames,
	H2_ERROR_NAMES,
	RawPeer,
	type RawPeerOptions,
	readSettings,
	Setting,
} from "../kit/network/h2-raw.ts";

const OK = { ":status": "200" };

function createPool(options: Partial<H2PoolOptions> = {}): H2Pool {
	return closing(new H2Pool({ connect: createConnector(), ...options }));
}

async function listen(options?: RawPeerOptions): Promise<RawPeer> {
	return closing(await RawPeer.listen(options));
}

function requestTo(origin: URL, overrides: Partial<WireRequest> = {}): WireRequest {
	return { origin, key: "account", path: "/service/Method", headers: { "x-test": "1" }, ...overrides };
}

async function openOn(pool: H2Pool, origin: URL, overrides: Partial<WireRequest> = {}) {
	const exchange = new ExchangeLog();
	const stream = await pool.open(requestTo(origin, overrides), exchange);
	return { exchange, stream };
}

/** Answers each request with its number among the connections of the peer, and ends it. */
const answering: RawPeerOptions = {
	onConnection(connection, index) {
		let last = 0;
		connection.socket.on("data", () => {
			for (const { type, streamId } of connection.received) {
				if (type !== FrameType.HEADERS || streamId <= last) continue;
				last = streamId;
				connection.send(frames.headers(streamId, OK), frames.data(streamId, `${index}`, FrameFlag.END_STREAM));
			}
		});
	},
};

/** Accepts connections and never sends anything. */
const silent: RawPeerOptions = {
	settings: false,
	onConnection(connection) {
		connection.isAnswering = false;
	},
};

/** A stream to a peer with large windows that stopped reading, with more written than the kernel buffers. */
async function openOnStalledPeer(options: Partial<H2PoolOptions> = {}) {
	const peer = await listen({ settings: { [Setting.INITIAL_WINDOW_SIZE]: 2 ** 31 - 1 } });
	const pool = createPool(options);
	const opened = await openOn(pool, peer.origin);
	const connection = await peer.connection();
	connection.isAnswering = false;
	connection.send(frames.windowUpdate(0, 2 ** 30));
	opened.stream.write(Buffer.alloc(1));
	await connection.waitForType(FrameType.DATA);
	connection.socket.pause();
	for (let megabytes = 0; megabytes < 32; megabytes++) opened.stream.write(Buffer.alloc(1024 * 1024));
	// Lets the kernel's buffers fill up.
	await new Promise((resolve) => setTimeout(resolve, 20));
	return { pool, ...opened };
}

describe("one exchange", () => {
	it("delivers head, data, trailers and the end, and frees the slot", async () => {
		const peer = await listen();
		const pool = createPool();
		const { exchange, stream } = await openOn(pool, peer.origin);
		stream.write(Buffer.from("question"));
		const connection = await peer.connection();
		const sent = await connection.waitForType(FrameType.DATA);
		expect(sent.payload.toString()).toBe("question");
		expect(pool.stats()).toEqual({ lanes: 1, sessions: 1, connecting: 0, openStreams: 1, waiting: 0 });
		connection.send(
			frames.headers(1, { ...OK, "content-type": "application/connect+proto" }),
			frames.data(1, "one "),
			frames.data(1, "two"),
			frames.headers(1, { "x-trailer": "late" }, FrameFlag.END_STREAM),
		);
		expect(await exchange.success()).toMatchObject({ "x-trailer": "late" });
		const head = await exchange.head;
		expect([head.status, head.headers["content-type"]]).toEqual([200, "application/connect+proto"]);
		expect(exchange.body.toString()).toBe("one two");
		await stream.closed;
		// Our half was still open, which would occupy the slot at the peer.
		await connection.waitFor(({ type, flags }) => type === FrameType.DATA && (flags & FrameFlag.END_STREAM) !== 0);
		expect(pool.stats().openStreams).toBe(0);
	});

	it("sends method, path, authority and headers", async () => {
		const server = createServer();
		const seen = new Promise<IncomingHttpHeaders>((resolve) => {
			server.on("stream", (stream, headers) => {
				resolve(headers);
				stream.respond({ ":status": 204 }, { endStream: true });
			});
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		closing(server);
		const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		const { exchange } = await openOn(createPool(), origin);
		expect(await seen).toMatchObject({
			":method": "POST",
			":path": "/service/Method",
			":authority": origin.host,
			":scheme": "http",
			"x-test": "1",
		});
		await exchange.success();
	});

	it("announces windows of 1 MiB per stream and 16 MiB per connection, and no push", async () => {
		const peer = await listen();
		await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		const settings = await connection.waitFor(({ type, flags }) => type === FrameType.SETTINGS && flags === 0);
		expect(readSettings(settings.payload)).toMatchObject({ [Setting.INITIAL_WINDOW_SIZE]: 2 ** 17, 2: 0 });
		const update = await connection.waitForType(FrameType.WINDOW_UPDATE, 0);
		expect(update.payload.readUInt32BE()).toBe(2 ** 24 - 65_535);
	});

	it("U11: survives empty DATA frames, padding and unknown frame types", async () => {
		const peer = await listen();
		const { exchange } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		const empty = Array.from({ length: 500 }, () => frames.data(1, ""));
		const padded = frames.data(1, Buffer.from([2, 0x68, 0x69, 0, 0]), FrameFlag.PADDED);
		const unknown = Buffer.from([0, 0, 1, 0xfa, 0, 0, 0, 0, 1, 7]);
		connection.send(frames.headers(1, OK), ...empty, unknown, padded, frames.data(1, "", FrameFlag.END_STREAM));
		await exchange.success();
		expect(exchange.body.toString()).toBe("hi");
	});

	it("cancels with RST_STREAM(CANCEL) and reports it once", async () => {
		const peer = await listen();
		const { exchange, stream } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		connection.send(frames.headers(1, OK), frames.data(1, "x"));
		await exchange.received(1);
		stream.cancel();
		expect(await exchange.failure()).toMatchObject({ code: "aborted", safeToRetry: false });
		expect((await connection.waitForType(FrameType.RST_STREAM)).payload.readUInt32BE()).toBe(8);
		await stream.closed;
		stream.write(Buffer.from("too late"));
		expect(stream.unsent).toBe(0);
		await stream.drained();
		stream.end();
		stream.cancel();
	});

	it("cancels at once even if the peer stopped reading", async () => {
		const { pool, exchange, stream } = await openOnStalledPeer();
		stream.cancel();
		expect((await exchange.failure()).code).toBe("aborted");
		await stream.closed;
		expect(pool.stats().openStreams).toBe(0);
	});

	it("gives up when the signal aborts or the deadline passes", async () => {
		const peer = await listen();
		const clock = new ManualClock();
		const pool = createPool({ clock });
		const controller = new AbortController();
		const aborted = await openOn(pool, peer.origin, { signal: controller.signal });
		const late = await openOn(pool, peer.origin, { deadlineMs: 5000 });
		controller.abort();
		expect((await aborted.exchange.failure()).code).toBe("aborted");
		clock.advance(5000);
		expect((await late.exchange.failure()).code).toBe("deadline-exceeded");
		await expect(openOn(pool, peer.origin, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
	});

	it("turns a bug in the handler into a cancelled stream and leaves the others alone", async () => {
		const peer = await listen();
		const pool = createPool();
		const first = await openOn(pool, peer.origin);
		const second = await openOn(pool, peer.origin);
		first.exchange.onChunk = () => {
			throw new Error("bug");
		};
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS, 3);
		for (const id of [1, 3]) connection.send(frames.headers(id, OK), frames.data(id, "x", FrameFlag.END_STREAM));
		expect(await first.exchange.failure()).toMatchObject({ code: "aborted", cause: new Error("bug") });
		await second.exchange.success();
	});

	it("refuses a bad header without harming the session", async () => {
		const peer = await listen();
		const pool = createPool();
		const good = await openOn(pool, peer.origin);
		for (const [name, value] of [
			["bad name", "1"],
			["name", "line\nbreak"],
			["connection", "close"],
		] as const) {
			const bad = openOn(pool, peer.origin, { headers: { [name]: value } });
			await expect(bad).rejects.toMatchObject({ code: "bad-request", safeToRetry: true });
		}
		const connection = await peer.connection();
		connection.send(frames.headers(1, OK, FrameFlag.END_STREAM));
		await good.exchange.success();
		await good.stream.closed;
		expect(pool.stats()).toMatchObject({ sessions: 1, openStreams: 0 });
	});
});

describe("U4: RST_STREAM", () => {
	const code = (rstCode: number) => {
		if (H2_ERROR_NAMES[rstCode] === "REFUSED_STREAM") return "refused-stream";
		return H2_ERROR_NAMES[rstCode] === "HTTP_1_1_REQUIRED" ? "http1-required" : "stream-reset";
	};
	const cases = H2_ERROR_NAMES.map((name, rstCode) => ({ name, rstCode })).filter(({ rstCode }) => rstCode !== 0);

	it.each(cases)("$name before the head", async ({ rstCode }) => {
		const peer = await listen();
		const { exchange, stream } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.rst(1, rstCode));
		const expected = code(rstCode);
		expect(await exchange.failure()).toMatchObject({
			code: expected,
			rstCode,
			safeToRetry: expected !== "stream-reset",
		});
		await stream.closed;
	});

	it.each(cases)("$name after the head and in the middle of the data: never safe to retry", async ({ rstCode }) => {
		const peer = await listen();
		const { exchange } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.headers(1, OK), frames.data(1, "partial"), frames.rst(1, rstCode));
		expect(await exchange.failure()).toMatchObject({ code: code(rstCode), rstCode, safeToRetry: false });
		expect(exchange.body.toString()).toBe("partial");
	});

	it.each([{ name: "NO_ERROR", rstCode: 0 }, ...cases])("$name after the end is a success", async ({ rstCode }) => {
		const peer = await listen();
		const { exchange, stream } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.headers(1, OK), frames.data(1, "all", FrameFlag.END_STREAM), frames.rst(1, rstCode));
		await exchange.success();
		expect(exchange.body.toString()).toBe("all");
		await stream.closed;
	});

	it("an unknown code is named by its number", async () => {
		const peer = await listen();
		const { exchange } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.rst(1, 0x77));
		expect(await exchange.failure()).toMatchObject({ code: "stream-reset", rstCode: 0x77, safeToRetry: false });
	});
});

describe("GOAWAY", () => {
	it("U1: NO_ERROR in the middle of a stream: it finishes, the next one goes to a new session", async () => {
		const peer = await listen({ allowHalfOpen: true });
		const pool = createPool();
		const first = await openOn(pool, peer.origin);
		const old = await peer.connection();
		await old.waitForType(FrameType.HEADERS);
		old.send(frames.headers(1, OK), frames.data(1, "before "), frames.goaway(1, 0));
		await first.exchange.received(7);
		await old.waitForType(FrameType.GOAWAY);
		const second = await openOn(pool, peer.origin);
		const fresh = await peer.connection(1);
		await fresh.waitForType(FrameType.HEADERS);
		expect(pool.stats()).toMatchObject({ sessions: 2, openStreams: 2 });
		old.send(frames.data(1, "after", FrameFlag.END_STREAM));
		await first.exchange.success();
		expect(first.exchange.body.toString()).toBe("before after");
		fresh.send(frames.headers(1, OK, FrameFlag.END_STREAM));
		await second.exchange.success();
		// The old connection must close although the peer keeps it open.
		await until(() => pool.stats().sessions === 1);
	});

	it("U2: with a last stream id below ours: safe to retry, the lower stream goes on", async () => {
		const peer = await listen();
		const pool = createPool();
		const low = await openOn(pool, peer.origin);
		const high = await openOn(pool, peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS, 3);
		connection.send(frames.goaway(1, 0));
		expect(await high.exchange.failure()).toMatchObject({ code: "goaway", rstCode: 0, safeToRetry: true });
		connection.send(frames.headers(1, OK, FrameFlag.END_STREAM));
		await low.exchange.success();
	});

	it("U3: INTERNAL_ERROR: streams fail, and only those above the last stream id are safe to retry", async () => {
		const peer = await listen();
		const pool = createPool();
		const low = await openOn(pool, peer.origin);
		const high = await openOn(pool, peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS, 3);
		connection.send(frames.goaway(1, 2));
		expect(await low.exchange.failure()).toMatchObject({ code: "goaway", rstCode: 2, safeToRetry: false });
		expect(await high.exchange.failure()).toMatchObject({ code: "goaway", rstCode: 2, safeToRetry: true });
		await until(() => pool.stats().sessions === 0);
	});

	it("HTTP_1_1_REQUIRED asks for the other protocol", async () => {
		const peer = await listen();
		const { exchange } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.goaway(0, 13));
		expect(await exchange.failure()).toMatchObject({ code: "http1-required", safeToRetry: true });
	});

	it("U3: ENHANCE_YOUR_CALM doubles the ping interval of later sessions", async () => {
		const peer = await listen();
		const clock = new ManualClock();
		const pool = createPool({ clock, pingIntervalMs: 1000, pingTimeoutMs: 5000 });
		const first = await openOn(pool, peer.origin);
		const nervous = await peer.connection();
		await nervous.waitForType(FrameType.HEADERS);
		clock.advance(1000);
		await nervous.waitForType(FrameType.PING);
		nervous.send(frames.goaway(1, 11, "too_many_pings"));
		expect(await first.exchange.failure()).toMatchObject({ code: "goaway", rstCode: 11 });
		await openOn(pool, peer.origin);
		const calm = await peer.connection(1);
		await calm.waitForType(FrameType.HEADERS);
		clock.advance(1999);
		await calm.roundTrip();
		expect(calm.pings()).toBe(0);
		clock.advance(1);
		await until(() => calm.pings() === 1);
	});

	it("NO_ERROR and then a broken connection is not the end of the response", async () => {
		const peer = await listen();
		const { exchange } = await openOn(createPool(), peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.headers(1, OK), frames.data(1, "x"), frames.goaway(1, 0));
		await connection.waitForType(FrameType.GOAWAY);
		connection.socket.resetAndDestroy();
		expect(await exchange.failure()).toMatchObject({ code: "connection-lost", safeToRetry: false });
	});

	it("on an idle session closes it", async () => {
		const peer = await listen(answering);
		const pool = createPool();
		await (await openOn(pool, peer.origin)).exchange.success();
		const connection = await peer.connection();
		connection.send(frames.goaway(1, 0));
		await until(() => pool.stats().sessions === 0);
		const next = await openOn(pool, peer.origin);
		await next.exchange.success();
		expect(next.exchange.body.toString()).toBe("1");
	});
});

describe("sessions", () => {
	it("shares one between many streams and many waiting requests", async () => {
		const peer = await listen(answering);
		const pool = createPool();
		const all = await Promise.all(Array.from({ length: 50 }, () => openOn(pool, peer.origin)));
		await Promise.all(all.map(({ exchange }) => exchange.success()));
		expect(peer.connections).toHaveLength(1);
	});

	it("never shares one between keys or origins", async () => {
		const [here, there] = [await listen(answering), await listen(answering)];
		const pool = createPool();
		await openOn(pool, here.origin, { key: "one" });
		await openOn(pool, here.origin, { key: "two" });
		await openOn(pool, there.origin, { key: "one" });
		expect([here.connections.length, there.connections.length]).toEqual([2, 1]);
	});

	it("are closed for a key that is released, each when its last stream has ended", async () => {
		const [busy, idle] = [await listen(), await listen(answering)];
		const pool = createPool();
		const { exchange } = await openOn(pool, busy.origin, { key: "guest" });
		await (await openOn(pool, idle.origin, { key: "guest" })).exchange.success();
		await (await openOn(pool, idle.origin, { key: "owner" })).exchange.success();
		expect(pool.stats().sessions).toBe(3);
		pool.release("guest");
		await until(() => pool.stats().sessions === 2);
		const connection = await busy.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.headers(1, OK), frames.data(1, "late", FrameFlag.END_STREAM));
		await exchange.success();
		await until(() => pool.stats().sessions === 1);
		// A later request of the same key gets a new connection.
		await (await openOn(pool, idle.origin, { key: "guest" })).exchange.success();
		expect(idle.connections).toHaveLength(3);
	});

	it("opens more only when the peer's limit of 1 is reached, and uses a raised limit", async () => {
		const peer = await listen({ settings: { [Setting.MAX_CONCURRENT_STREAMS]: 1 } });
		const pool = createPool();
		const all = await Promise.all([1, 2, 3].map(() => openOn(pool, peer.origin)));
		await until(() => peer.connections.length === 3);
		for (const connection of peer.connections) {
			await connection.waitForType(FrameType.HEADERS);
			expect(connection.count(FrameType.HEADERS)).toBe(1);
		}
		// A free slot is used before another session is made.
		peer.connections[0]?.send(frames.headers(1, OK, FrameFlag.END_STREAM));
		await until(() => pool.stats().openStreams === 2);
		all.push(await openOn(pool, peer.origin));
		expect(pool.stats()).toMatchObject({ sessions: 3, openStreams: 3 });
		const acksBefore = peer.connections[1]?.count(FrameType.SETTINGS) ?? 0;
		peer.connections[1]?.send(frames.settings({ [Setting.MAX_CONCURRENT_STREAMS]: 3 }));
		await until(() => (peer.connections[1]?.count(FrameType.SETTINGS) ?? 0) > acksBefore);
		all.push(await openOn(pool, peer.origin), await openOn(pool, peer.origin));
		await until(() => peer.connections[1]?.count(FrameType.HEADERS) === 3);
		expect(pool.stats()).toMatchObject({ sessions: 3, openStreams: 5 });
	});

	it("lets requests wait for a slot when no more sessions are allowed", async () => {
		const peer = await listen({ ...answering, settings: { [Setting.MAX_CONCURRENT_STREAMS]: 1 } });
		const pool = createPool({ maxSessions: 2 });
		const all = await Promise.all(Array.from({ length: 20 }, () => openOn(pool, peer.origin)));
		await Promise.all(all.map(({ exchange }) => exchange.success()));
		expect(peer.connections.length).toBeLessThanOrEqual(2);
	});

	it("does not collect sessions of a peer that allows no stream", async () => {
		const peer = await listen({ settings: { [Setting.MAX_CONCURRENT_STREAMS]: 0 } });
		const pool = createPool({ queueTimeoutMs: 100 });
		await expect(openOn(pool, peer.origin)).rejects.toMatchObject({ code: "refused-stream", safeToRetry: true });
		expect(peer.connections).toHaveLength(1);
		const raised = openOn(pool, peer.origin);
		peer.connections[0]?.send(frames.settings({ [Setting.MAX_CONCURRENT_STREAMS]: 1 }));
		await raised;
	});

	it("rotates by age: no new streams on an old session, which closes after its last one", async () => {
		const peer = await listen();
		const clock = new ManualClock();
		const pool = createPool({ clock, maxAgeMs: 60_000, pingIntervalMs: 1e9, idleMs: 1e9 });
		const first = await openOn(pool, peer.origin);
		clock.advance(60_000);
		await openOn(pool, peer.origin);
		expect(peer.connections).toHaveLength(1);
		clock.advance(1);
		await openOn(pool, peer.origin);
		expect(peer.connections).toHaveLength(2);
		const [old] = peer.connections;
		await old?.waitForType(FrameType.HEADERS, 3);
		old?.send(frames.headers(1, OK, FrameFlag.END_STREAM));
		await first.stream.closed;
		expect(pool.stats()).toMatchObject({ sessions: 2, openStreams: 2 });
		old?.send(frames.headers(3, OK, FrameFlag.END_STREAM));
		await until(() => pool.stats().sessions === 1);
	});

	it("closes an idle session, and only an idle one", async () => {
		const peer = await listen();
		const clock = new ManualClock();
		const pool = createPool({ clock, idleMs: 1000, pingIntervalMs: 1e9 });
		const { exchange, stream } = await openOn(pool, peer.origin);
		clock.advance(5000);
		expect(pool.stats().sessions).toBe(1);
		const connection = await peer.connection();
		connection.send(frames.headers(1, OK, FrameFlag.END_STREAM));
		await exchange.success();
		await stream.closed;
		clock.advance(999);
		await new Promise((resolve) => setImmediate(resolve));
		expect(pool.stats().sessions).toBe(1);
		clock.advance(1);
		await until(() => pool.stats().sessions === 0);
	});

	it("reports a connection that closes or breaks under a stream", async () => {
		const peer = await listen();
		const pool = createPool();
		for (const [index, cut] of (["end", "destroy", "resetAndDestroy"] as const).entries()) {
			const { exchange } = await openOn(pool, peer.origin);
			const connection = await peer.connection(index);
			await connection.waitForType(FrameType.HEADERS);
			connection.send(frames.headers(1, OK), frames.data(1, "x"));
			await exchange.received(1);
			connection.socket[cut]();
			expect(await exchange.failure()).toMatchObject({ code: "connection-lost", safeToRetry: false });
		}
		await until(() => pool.stats().sessions === 0);
	});

	it("leave nothing behind for a key when the last one is gone, even if none was ever made", async () => {
		const peer = await listen();
		const pool = createPool();
		for (const key of ["a", "b", "c"]) {
			const { stream } = await openOn(pool, peer.origin, { key });
			stream.cancel();
		}
		expect(pool.stats().lanes).toBe(3);
		await until(() => peer.connections.length === 3);
		for (const { socket } of peer.connections) socket.destroy();
		await until(() => pool.stats().lanes === 0);
		await peer.close();
		await expect(openOn(pool, peer.origin, { key: "d" })).rejects.toMatchObject({ code: "connect-failed" });
		expect(pool.stats()).toEqual({ lanes: 0, sessions: 0, connecting: 0, openStreams: 0, waiting: 0 });
	});

	it("close() lets open streams finish within the grace and refuses new ones", async () => {
		const peer = await listen();
		const pool = createPool();
		const { exchange } = await openOn(pool, peer.origin);
		const closed = pool.close(10_000);
		await expect(openOn(pool, peer.origin)).rejects.toMatchObject({ code: "aborted", safeToRetry: true });
		const connection = await peer.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(frames.headers(1, OK), frames.data(1, "done", FrameFlag.END_STREAM));
		await exchange.success();
		await closed;
		expect(pool.stats()).toMatchObject({ sessions: 0, openStreams: 0 });
	});

	it("close() also ends a session that was still being made", async () => {
		const peer = await listen(silent);
		const pool = createPool();
		const attempt = openOn(pool, peer.origin);
		const connection = await peer.connection();
		const closed = pool.close();
		await expect(attempt).rejects.toMatchObject({ code: "aborted", safeToRetry: true });
		await closed;
		connection.send(frames.settings());
		await until(() => connection.socket.destroyed);
		expect(pool.stats()).toEqual({ lanes: 0, sessions: 0, connecting: 0, openStreams: 0, waiting: 0 });
	});

	it("close() ends streams that do not finish", async () => {
		const peer = await listen();
		const pool = createPool();
		const { exchange } = await openOn(pool, peer.origin);
		await pool.close(20);
		expect((await exchange.failure()).code).toBe("aborted");
		expect(pool.stats()).toEqual({ lanes: 0, sessions: 0, connecting: 0, openStreams: 0, waiting: 0 });
	});
});

describe("ping", () => {
	it("U7: detects a peer that stopped responding, and fails its streams", async () => {
		const peer = await listen();
		const pool = createPool({ pingIntervalMs: 30, pingTimeoutMs: 60 });
		const { exchange, stream } = await openOn(pool, peer.origin);
		const connection = await peer.connection();
		await connection.waitForType(FrameType.PING);
		connection.isAnswering = false;
		expect(await exchange.failure()).toMatchObject({ code: "ping-timeout", safeToRetry: false });
		await stream.closed;
		await until(() => pool.stats().sessions === 0);
	});

	it("detects it even if the socket is full of unsent bytes", async () => {
		const { pool, exchange, stream } = await openOnStalledPeer({ pingIntervalMs: 30, pingTimeoutMs: 60 });
		expect((await exchange.failure()).code).toBe("ping-timeout");
		await stream.drained();
		await until(() => pool.stats().sessions === 0);
	});

	it("is sent only while a stream is open, and at once on a session that was silent for long", async () => {
		const peer = await listen(answering);
		const clock = new ManualClock();
		const pool = createPool({ clock, pingIntervalMs: 1000, idleMs: 1e9, maxAgeMs: 1e9 });
		const first = await openOn(pool, peer.origin);
		await first.exchange.success();
		await first.stream.closed;
		clock.advance(10_000);
		const connection = await peer.connection();
		await connection.roundTrip();
		expect(connection.pings()).toBe(0);
		await openOn(pool, peer.origin);
		await until(() => connection.pings() === 1);
	});

	it("U5: of a session that was destroyed does not throw", async () => {
		const peer = await listen();
		const clock = new ManualClock();
		const pool = createPool({ clock, pingIntervalMs: 1000 });
		const { exchange } = await openOn(pool, peer.origin);
		const connection = await peer.connection();
		connection.socket.resetAndDestroy();
		await exchange.failure();
		expect(() => clock.advance(60_000)).not.toThrow();
	});

	it("ends a connection that the HTTP/2 engine gave up without an event", async () => {
		const peer = await listen();
		const pool = createPool({ pingIntervalMs: 30, pingTimeoutMs: 60 });
		const { exchange } = await openOn(pool, peer.origin);
		const connection = await peer.connection();
		connection.send(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"));
		expect((await exchange.failure()).safeToRetry).toBe(false);
	});
});

describe("connecting", () => {
	it("reports a refused connection to all requests that wait for it, and recovers", async () => {
		const peer = await RawPeer.listen();
		await peer.close();
		const pool = createPool();
		const attempts = await Promise.allSettled([1, 2, 3].map(() => openOn(pool, peer.origin)));
		for (const attempt of attempts) {
			expect(attempt).toMatchObject({ status: "rejected", reason: { code: "connect-failed", safeToRetry: true } });
		}
		expect(pool.stats()).toEqual({ lanes: 0, sessions: 0, connecting: 0, openStreams: 0, waiting: 0 });
	});

	it("times out on a peer that accepts and sends nothing", async () => {
		const peer = await listen(silent);
		const pool = createPool({ connectTimeoutMs: 80 });
		await expect(openOn(pool, peer.origin)).rejects.toMatchObject({ code: "connect-timeout", safeToRetry: true });
		await until(() => peer.connections[0]?.socket.destroyed === true);
	});

	it("does not take an HTTP/1.1 server for an HTTP/2 one", async () => {
		const peer = await listen({
			settings: false,
			onConnection: ({ socket }) => void socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"),
		});
		const attempt = openOn(createPool({ connectTimeoutMs: 1000 }), peer.origin);
		await expect(attempt).rejects.toMatchObject({ code: "connect-failed", safeToRetry: true });
	});

	it("stops waiting when the signal aborts", async () => {
		const peer = await listen(silent);
		const pool = createPool({ connectTimeoutMs: 1000 });
		const controller = new AbortController();
		const attempt = openOn(pool, peer.origin, { signal: controller.signal });
		await peer.connection();
		controller.abort();
		await expect(attempt).rejects.toMatchObject({ code: "aborted", safeToRetry: true });
		expect(pool.stats().waiting).toBe(0);
	});
});

describe("backpressure", () => {
	/** A server that sends as fast as possible and counts what it has sent. */
	async function listenFlood() {
		const state = { sent: 0 };
		const server = createServer();
		server.on("stream", (stream: ServerHttp2Stream) => {
			stream.on("error", () => {});
			stream.respond({ ":status": 200 });
			const chunk = Buffer.alloc(16 * 1024);
			const flood = () => {
				while (!stream.destroyed && state.sent < 64 * 1024 * 1024) {
					state.sent += chunk.length;
					if (!stream.write(chunk)) return void stream.once("drain", flood);
				}
				stream.end();
			};
			flood();
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		closing(server);
		return { state, origin: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
	}

	it("a paused reader stops the peer after one stream window, and loses nothing when it goes on", async () => {
		const { state, origin } = await listenFlood();
		const streamWindow = 256 * 1024;
		const pool = createPool({ streamWindow });
		const { exchange, stream } = await openOn(pool, origin);
		await exchange.received(1);
		stream.pause();
		const seen = exchange.bytes;
		// The server goes on until all buffers on the way are full, of which only it knows: it has stopped when it is still.
		let settled = -1;
		while (settled !== state.sent) {
			settled = state.sent;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(exchange.bytes).toBe(seen);
		// One window here or in transit, plus what the server's own stream object buffers.
		expect(state.sent - seen).toBeLessThan(2 * streamWindow);
		// The paused stream does not block another stream of the session.
		const other = await openOn(pool, origin);
		await other.exchange.received(8 * streamWindow);
		other.stream.cancel();
		stream.resume();
		await exchange.success();
		expect(exchange.bytes).toBeGreaterThan(8 * streamWindow);
	});

	it("unsent says that the peer does not keep up, and drained() when it does again", async () => {
		const peer = await listen({ settings: { [Setting.INITIAL_WINDOW_SIZE]: 1000 } });
		const { stream } = await openOn(createPool(), peer.origin);
		stream.write(Buffer.alloc(100_000));
		expect(stream.unsent).toBe(100_000);
		let isDrained = false;
		const drained = stream.drained().then(() => {
			isDrained = true;
		});
		const connection = await peer.connection();
		await connection.waitForType(FrameType.DATA);
		expect(isDrained).toBe(false);
		connection.send(frames.windowUpdate(1, 200_000), frames.windowUpdate(0, 200_000));
		await drained;
		expect(stream.unsent).toBe(0);
	});
});
