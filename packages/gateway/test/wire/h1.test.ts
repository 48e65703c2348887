import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import type { WireRequest } from "../../src/wire/stream.ts";
import { unary } from "../../src/wire/unary.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { ExchangeLog } from "../kit/network/exchange-log.ts";

async function listen(handler: RequestListener): Promise<{ origin: URL; server: Server; sockets: Set<Socket> }> {
	const server = createServer(handler);
	const sockets = new Set<Socket>();
	server.on("connection", (socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing({
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	});
	return { origin: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), server, sockets };
}

/** A server that answers the first bytes of each connection with `answer` and then does `then`. */
async function listenRaw(answer: string, then: (socket: Socket) => void = () => {}): Promise<URL> {
	const server = createTcpServer((socket) => {
		socket.on("error", () => {});
		socket.once("data", () => socket.write(answer, () => then(socket)));
		closeAtEnd.add(socket);
	});
	const closeAtEnd = new Set<Socket>();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing({
		close: () => {
			for (const socket of closeAtEnd) socket.destroy();
			server.close();
		},
	});
	return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function createClient(clock?: ManualClock): H1Client {
	return closing(new H1Client({ connect: createConnector(), clock }));
}

function requestTo(origin: URL, overrides: Partial<WireRequest> = {}): WireRequest {
	return { origin, key: "account", path: "/service/Method", headers: { "x-test": "1" }, ...overrides };
}

async function openOn(client: H1Client, origin: URL, overrides: Partial<WireRequest> = {}) {
	const exchange = new ExchangeLog();
	const stream = await client.open(requestTo(origin, overrides), exchange);
	return { exchange, stream };
}

async function readBody(request: IncomingMessage): Promise<string> {
	let text = "";
	for await (const chunk of request) text += chunk;
	return text;
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const body = await readBody(request);
	const { host, "content-length": length, "x-test": test } = request.headers;
	response.end(JSON.stringify({ method: request.method, url: request.url, host, length, test, body }));
}

describe("unary", () => {
	it("sends one body and returns one", async () => {
		const { origin } = await listen(echo);
		const { status, headers, body } = await unary(createClient(), requestTo(origin), Buffer.from("question"));
		expect([status, headers["content-length"]]).toEqual([200, String(body.length)]);
		expect(JSON.parse(body.toString())).toEqual({
			method: "POST",
			url: "/service/Method",
			host: origin.host,
			length: "8",
			test: "1",
			body: "question",
		});
	});

	it("returns any status and never follows a redirect", async () => {
		let requests = 0;
		const { origin } = await listen((_request, response) => {
			requests++;
			response.writeHead(307, { location: "/elsewhere" }).end("moved");
		});
		const { status, headers, body } = await unary(createClient(), requestTo(origin), Buffer.alloc(0));
		expect([status, headers.location, body.toString(), requests]).toEqual([307, "/elsewhere", "moved", 1]);
	});

	it("refuses a body over the limit and drops the connection", async () => {
		const { origin, sockets } = await listen((_request, response) => void response.end(Buffer.alloc(1001)));
		const client = createClient();
		const call = unary(client, requestTo(origin), Buffer.alloc(0), 1000);
		await expect(call).rejects.toMatchObject({ code: "body-too-large" });
		await until(() => [...sockets].every((socket) => socket.destroyed));
		const { origin: other } = await listen((_request, response) => void response.end(Buffer.alloc(1000)));
		expect((await unary(client, requestTo(other), Buffer.alloc(0), 1000)).body).toHaveLength(1000);
	});
});

describe("connections", () => {
	it("are kept alive, and never shared between keys", async () => {
		const { origin, sockets } = await listen(echo);
		const client = createClient();
		for (const key of ["one", "one", "two", "one", "two"]) {
			await unary(client, requestTo(origin, { key }), Buffer.from("x"));
			// The agent takes the socket back one iteration of the event loop after the end of the response.
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(sockets.size).toBe(2);
	});

	it("leave nothing behind for a key when the last one is gone, even if none was ever made", async () => {
		const { origin } = await listen((_request, response) => response.end());
		const client = closing(new H1Client({ connect: createConnector(), idleMs: 20 }));
		for (const key of ["a", "b"]) await unary(client, { origin, key, path: "/", headers: {} }, Buffer.alloc(0));
		expect(client.stats()).toMatchObject({ agents: 2, connections: 2 });
		await until(() => client.stats().agents === 0);
		const nowhere = new URL("http://127.0.0.1:9");
		await expect(
			unary(client, { origin: nowhere, key: "", path: "/", headers: {} }, Buffer.alloc(0)),
		).rejects.toThrow();
		expect(client.stats()).toEqual({ agents: 0, connections: 0, openStreams: 0 });
	});

	it("can be refused, which is safe to retry", async () => {
		const { origin, server } = await listen(echo);
		server.close();
		const call = unary(createClient(), requestTo(origin), Buffer.alloc(0));
		await expect(call).rejects.toMatchObject({ code: "connect-failed", safeToRetry: true });
	});

	it("are not made after close()", async () => {
		const { origin } = await listen(echo);
		const client = createClient();
		client.close();
		await expect(openOn(client, origin)).rejects.toMatchObject({ code: "aborted", safeToRetry: true });
	});
});

describe("streaming", () => {
	it("delivers head, data as it comes, trailers and the end", async () => {
		let respond: ServerResponse | undefined;
		const { origin } = await listen((_request, response) => {
			respond = response;
			response.writeHead(200, { "content-type": "application/connect+proto", trailer: "x-late" });
			response.write("one ");
		});
		const { exchange, stream } = await openOn(createClient(), origin);
		stream.end();
		await exchange.received(4);
		expect((await exchange.head).headers["content-type"]).toBe("application/connect+proto");
		respond?.write("two");
		await exchange.received(7);
		respond?.addTrailers({ "x-late": "yes" });
		respond?.end();
		expect(await exchange.success()).toMatchObject({ "x-late": "yes" });
		expect(exchange.body.toString()).toBe("one two");
		await stream.closed;
	});

	it.each([
		["a cut chunked body", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n"],
		["a body shorter than announced", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\npart"],
		["an answer cut in its headers", "HTTP/1.1 200 OK\r\ncontent-le"],
		["no answer at all", ""],
	])("reports %s", async (_name, answer) => {
		for (const cut of ["end", "resetAndDestroy"] as const) {
			const origin = await listenRaw(answer, (socket) => setTimeout(() => socket[cut](), 10));
			const { exchange, stream } = await openOn(createClient(), origin);
			stream.end();
			expect(await exchange.failure()).toMatchObject({ code: "connection-lost", safeToRetry: false });
			await stream.closed;
		}
	});

	it("reports a peer that does not speak HTTP", async () => {
		const origin = await listenRaw("SSH-2.0-OpenSSH_9.6\r\n");
		const { exchange, stream } = await openOn(createClient(), origin);
		stream.end();
		expect(await exchange.failure()).toMatchObject({ code: "connection-lost", cause: { code: /^HPE_/ } });
	});

	it("accepts a response that comes before the request is complete, and drops the rest of the request", async () => {
		const origin = await listenRaw("HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno");
		const { exchange, stream } = await openOn(createClient(), origin);
		stream.write(Buffer.from("first part"));
		await exchange.success();
		expect([(await exchange.head).status, exchange.body.toString()]).toEqual([413, "no"]);
		await stream.closed;
		stream.write(Buffer.from("late"));
		expect(stream.unsent).toBe(0);
		await stream.drained();
	});

	it("cancels by closing the connection, and reports it once", async () => {
		const { origin, sockets } = await listen((_request, response) => void response.write("x"));
		const { exchange, stream } = await openOn(createClient(), origin);
		stream.end();
		await exchange.received(1);
		stream.cancel();
		stream.cancel();
		expect((await exchange.failure()).code).toBe("aborted");
		await until(() => [...sockets].every((socket) => socket.destroyed));
	});

	it("gives up when the signal aborts, also while it waits for a connection, or the deadline passes", async () => {
		const { origin } = await listen((_request, response) => void response.write("x"));
		const clock = new ManualClock();
		const client = createClient(clock);
		const controller = new AbortController();
		const aborted = await openOn(client, origin, { signal: controller.signal });
		aborted.stream.end();
		await aborted.exchange.received(1);
		controller.abort();
		expect((await aborted.exchange.failure()).code).toBe("aborted");
		await expect(openOn(client, origin, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });

		const late = await openOn(client, origin, { deadlineMs: 5000 });
		late.stream.end();
		await late.exchange.received(1);
		clock.advance(5000);
		expect((await late.exchange.failure()).code).toBe("deadline-exceeded");

		const stuck = closing(new H1Client({ connect: () => new Promise(() => {}) }));
		const second = new AbortController();
		const attempt = openOn(stuck, origin, { signal: second.signal });
		second.abort();
		await expect(attempt).rejects.toMatchObject({ code: "aborted", safeToRetry: true });
	});

	it("turns a bug in the handler into a cancelled stream", async () => {
		const { origin } = await listen((_request, response) => void response.end("x"));
		const { exchange, stream } = await openOn(createClient(), origin);
		exchange.onChunk = () => {
			throw new Error("bug");
		};
		stream.end();
		expect(await exchange.failure()).toMatchObject({ code: "aborted", cause: new Error("bug") });
	});

	it("refuses a bad header or path", async () => {
		const { origin } = await listen(echo);
		const refusal = { code: "bad-request", safeToRetry: true };
		await expect(openOn(createClient(), origin, { headers: { "bad name": "1" } })).rejects.toMatchObject(refusal);
		await expect(openOn(createClient(), origin, { path: "/a b" })).rejects.toMatchObject(refusal);
	});

	it("a paused reader stops the peer, and loses nothing when it goes on", async () => {
		const total = 64 * 1024 * 1024;
		let sent = 0;
		const { origin } = await listen((_request, response) => {
			const chunk = Buffer.alloc(64 * 1024);
			const flood = () => {
				while (sent < total) {
					sent += chunk.length;
					if (!response.write(chunk)) return void response.once("drain", flood);
				}
				response.end();
			};
			flood();
		});
		const { exchange, stream } = await openOn(createClient(), origin);
		stream.pause();
		stream.end();
		await exchange.head;
		// The server goes on until the kernel's buffers are full, which tell nobody: it has stopped when it is still.
		let settled = -1;
		while (settled !== sent) {
			settled = sent;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(exchange.bytes).toBe(0);
		// Minus the content of the kernel's two socket buffers, whose size the kernel chooses.
		expect(sent).toBeLessThan(total / 2);
		stream.resume();
		await exchange.success();
		expect(exchange.bytes).toBe(total);
	});

	it("unsent says that the peer does not keep up, and drained() when it does again", async () => {
		let arrived: (exchange: { request: IncomingMessage; response: ServerResponse }) => void;
		const arrival = new Promise<{ request: IncomingMessage; response: ServerResponse }>((resolve) => {
			arrived = resolve;
		});
		const { origin } = await listen((request, response) => arrived({ request, response }));
		const { exchange, stream } = await openOn(createClient(), origin);
		for (let chunks = 0; chunks < 1000; chunks++) stream.write(Buffer.alloc(64 * 1024));
		// Minus the content of the kernel's socket buffers.
		expect(stream.unsent).toBeGreaterThan(16 << 20);
		const { request, response } = await arrival;
		request.on("data", () => {}).on("end", () => response.end());
		await stream.drained();
		expect(stream.unsent).toBe(0);
		stream.end();
		await exchange.success();
	});
});

describe("the connections of a key that is released", () => {
	it("are closed: unused ones now, the others when their exchange has ended", async () => {
		const held: ServerResponse[] = [];
		const { origin, sockets } = await listen((request, response) => {
			if (request.url === "/held") held.push(response);
			else response.end("now");
		});
		const client = createClient();
		const open = () => [...sockets].filter(({ destroyed }) => !destroyed).length;
		await unary(client, requestTo(origin, { key: "owner" }), Buffer.from("x"));
		const late = unary(client, requestTo(origin, { key: "guest", path: "/held" }), Buffer.from("x"));
		await until(() => held.length === 1);
		await unary(client, requestTo(origin, { key: "guest" }), Buffer.from("x"));
		expect(open()).toBe(3);
		client.release("guest");
		await until(() => open() === 2);
		held[0]!.end("late");
		expect((await late).body.toString()).toBe("late");
		await until(() => open() === 1);
		await unary(client, requestTo(origin, { key: "guest" }), Buffer.from("x"));
		expect(sockets.size).toBe(4);
	});
});
