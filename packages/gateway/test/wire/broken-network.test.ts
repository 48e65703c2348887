// Both transports behind a TCP proxy that breaks things: every exchange ends, in success or in a typed error, and
// what was delivered is always a prefix of what was sent.
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { WireError } from "../../src/wire/errors.ts";
import { encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import type { Transport } from "../../src/wire/stream.ts";
import { closing, until } from "../kit/cleanup.ts";
import { openTexts, sendText, TextStream } from "../kit/network/connect-call.ts";
import { encodeText } from "../kit/network/echo-service.ts";
import { TcpProxy } from "../kit/network/tcp-proxy.ts";

const TEXTS = Array.from({ length: 8 }, (_, index) => `text number ${index} – with an accent é`);
const BODY = Buffer.concat([
	...TEXTS.map((text) => encodeEnvelope(0, encodeText(text))),
	encodeEnvelope(2, Buffer.from("{}")),
]);

const VERSIONS = ["1.1", "2"] as const;
type Version = (typeof VERSIONS)[number];

/** Pings have enough time on a busy machine in tests that are not about pings. */
const ourTransport = (version: Version, pingTimeoutMs = 10_000): Transport => {
	const connect = createConnector();
	const timing = { connectTimeoutMs: 10_000, pingIntervalMs: 50, pingTimeoutMs };
	return closing(version === "2" ? new H2Pool({ connect, ...timing }) : new H1Client({ connect, ...timing }));
};

/** A server that answers with `BODY`, behind a fault proxy. */
async function listenBroken(version: Version): Promise<TcpProxy> {
	const answer = (_request: unknown, response: ServerResponse | Http2ServerResponse) => void response.end(BODY);
	const server: Server = version === "2" ? createHttp2Server(answer) : createHttpServer(answer);
	const sockets = new Set<Socket>();
	server.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
	server.on("sessionError", () => {});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing({
		close: () => {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	});
	return closing(await TcpProxy.listen(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)));
}

/** One exchange: the texts that arrived, and how it ended. */
async function exchange(transport: Transport, origin: URL): Promise<{ texts: string[]; failure: unknown }> {
	const received = new TextStream();
	try {
		const stream = await openTexts(transport, origin, "/any", received);
		sendText(stream, "go");
		stream.end();
		await received.finished;
		return { texts: received.texts, failure: undefined };
	} catch (failure) {
		return { texts: received.texts, failure };
	}
}

describe.each(VERSIONS)("HTTP/%s", (version) => {
	it("U26: survives slices of a few bytes, latency with jitter and a narrow line", async () => {
		const proxy = await listenBroken(version);
		proxy.add({ type: "slicer", averageSize: 4, sizeVariation: 3 });
		proxy.add({ type: "slicer", averageSize: 4, sizeVariation: 3 }, "upstream");
		proxy.add({ type: "latency", latency: 5, jitter: 5 });
		expect(await exchange(ourTransport(version), proxy.origin)).toEqual({ texts: TEXTS, failure: undefined });
		proxy.clear();
		proxy.add({ type: "bandwidth", rate: 8 });
		proxy.add({ type: "slow_close", delay: 20 });
		expect(await exchange(ourTransport(version), proxy.origin)).toEqual({ texts: TEXTS, failure: undefined });
	});

	it("U6: ends well or with a typed error when the connection closes after any number of bytes", async () => {
		const proxy = await listenBroken(version);
		const seen = new Set<string>();
		for (let bytes = 0; bytes < BODY.length + 300; bytes += 7) {
			proxy.clear();
			proxy.add({ type: "limit_data", bytes });
			const { texts, failure } = await exchange(ourTransport(version), proxy.origin);
			expect(TEXTS.slice(0, texts.length)).toEqual(texts);
			if (failure === undefined) expect(texts).toEqual(TEXTS);
			else expect(failure).toBeInstanceOf(WireError);
			seen.add(failure === undefined ? "success" : (failure as WireError).code);
		}
		expect(seen).toContain("success");
		expect(seen).toContain("connection-lost");
	});

	it("reports a reset, and works again when the network does", async () => {
		const proxy = await listenBroken(version);
		const transport = ourTransport(version);
		proxy.add({ type: "latency", latency: 500 });
		proxy.add({ type: "reset_peer", timeout: 30 });
		const { failure } = await exchange(transport, proxy.origin);
		expect(failure).toBeInstanceOf(WireError);
		proxy.clear();
		expect(await exchange(transport, proxy.origin)).toEqual({ texts: TEXTS, failure: undefined });
	});

	it("reports a network that is down, and works again when it is up", async () => {
		const proxy = await listenBroken(version);
		const transport = ourTransport(version);
		expect((await exchange(transport, proxy.origin)).failure).toBeUndefined();
		await proxy.down();
		await until(() => proxy.connections === 0);
		expect((await exchange(transport, proxy.origin)).failure).toMatchObject({ code: "connect-failed" });
		await proxy.up();
		expect(await exchange(transport, proxy.origin)).toEqual({ texts: TEXTS, failure: undefined });
	});
});

it("U7: HTTP/2 detects by ping that nothing gets through any more", async () => {
	const proxy = await listenBroken("2");
	const transport = ourTransport("2", 500);
	expect((await exchange(transport, proxy.origin)).failure).toBeUndefined();
	proxy.add({ type: "timeout", timeout: 0 });
	expect((await exchange(transport, proxy.origin)).failure).toMatchObject({ code: "ping-timeout", safeToRetry: false });
});
