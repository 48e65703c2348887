// Cross-check against connect-node, both ways: our client with its server, its client with a server of ours.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Code, type ConnectError } from "@connectrpc/connect";
import {
	compressionBrotli,
	compressionGzip,
	connectNodeAdapter,
	createConnectTransport,
} from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { inflate, inflateEnvelope } from "../../src/wire/framing/compression.ts";
import { parseErrorBody } from "../../src/wire/framing/end-stream.ts";
import { EnvelopeFlag, EnvelopeReader, encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import { unary } from "../../src/wire/unary.ts";
import { closing } from "../kit/cleanup.ts";
import { openTexts, sendText, TextStream } from "../kit/network/connect-call.ts";
import {
	decodeText,
	echoClient,
	echoPath,
	echoRoutes,
	encodeText,
	errorWithDetail,
} from "../kit/network/echo-service.ts";

const LONG = "a long text, easy to compress; ".repeat(200);
const VERSIONS = ["1.1", "2"] as const;
type Version = (typeof VERSIONS)[number];
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(version: Version, handler: Handler): Promise<URL> {
	const server: Server =
		version === "2"
			? createHttp2Server(handler as unknown as (q: Http2ServerRequest, s: Http2ServerResponse) => void)
			: createHttpServer(handler);
	const sockets = new Set<Socket>();
	server.on("connection", (socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing({
		close: () => {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	});
	return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const ourTransport = (version: Version) => {
	const connect = createConnector();
	return closing(version === "2" ? new H2Pool({ connect }) : new H1Client({ connect }));
};

describe.each(VERSIONS)("our client over HTTP/%s and a connect-node server", (version) => {
	const refusal = () => errorWithDetail("no more", Code.ResourceExhausted, { "x-meta": "late" }, "the detail");

	const routes = echoRoutes({
		say({ value }) {
			if (value === "refuse") throw refusal();
			return { value: `you said ${value}` };
		},
		async *count({ value }) {
			for (let number = 1; number <= 3; number++) yield { value: `${number} ${value}` };
			if (value === "refuse") throw refusal();
		},
		async *talk(messages) {
			for await (const { value } of messages) yield { value: `re: ${value}` };
		},
	});

	const listenConnect = () => listen(version, connectNodeAdapter({ routes, compressMinBytes: 0 }) as Handler);
	const proto = { "content-type": "application/proto", "connect-protocol-version": "1" };
	const say = (origin: URL, text: string, headers: Readonly<Record<string, string>> = {}) => {
		const request = { origin, key: "account", path: echoPath("Say"), headers: { ...proto, ...headers } };
		return unary(ourTransport(version), request, encodeText(text));
	};

	it("unary", async () => {
		const { status, body } = await say(await listenConnect(), "hello");
		expect([status, decodeText(body)]).toEqual([200, "you said hello"]);
	});

	it.each(["gzip", "br"])("unary, answered in %s", async (coding) => {
		const { headers, body } = await say(await listenConnect(), LONG, { "accept-encoding": coding });
		expect(headers["content-encoding"]).toBe(coding);
		expect(decodeText(inflate(body, coding))).toBe(`you said ${LONG}`);
	});

	it("unary error with a detail", async () => {
		const { status, headers, body } = await say(await listenConnect(), "refuse");
		expect([status, headers["x-meta"]]).toEqual([429, "late"]);
		const error = parseErrorBody(body);
		expect(error).toMatchObject({ code: "resource_exhausted", message: "no more" });
		expect(error.details.map(({ type, value }) => [type, decodeText(value)])).toEqual([
			["google.protobuf.StringValue", "the detail"],
		]);
	});

	it("server streaming", async () => {
		const received = new TextStream();
		const stream = await openTexts(ourTransport(version), await listenConnect(), echoPath("Count"), received);
		sendText(stream, "sheep");
		stream.end();
		expect(await received.finished).toEqual({ metadata: {} });
		expect(received.texts).toEqual(["1 sheep", "2 sheep", "3 sheep"]);
		await stream.closed;
	});

	it.each(["gzip", "br"])("server streaming, answered in %s", async (coding) => {
		const received = new TextStream();
		const headers = { "connect-accept-encoding": coding };
		const stream = await openTexts(ourTransport(version), await listenConnect(), echoPath("Count"), received, headers);
		sendText(stream, LONG);
		stream.end();
		await received.finished;
		expect(received.texts).toEqual([`1 ${LONG}`, `2 ${LONG}`, `3 ${LONG}`]);
		expect(received.compressed).toBeGreaterThanOrEqual(3);
	});

	it.each([
		["gzip", gzipSync],
		["br", brotliCompressSync],
	] as const)("server streaming, asked in %s", async (coding, compress) => {
		const received = new TextStream();
		const headers = { "connect-content-encoding": coding };
		const stream = await openTexts(ourTransport(version), await listenConnect(), echoPath("Count"), received, headers);
		stream.write(encodeEnvelope(EnvelopeFlag.COMPRESSED, compress(encodeText(LONG))));
		stream.end();
		await received.finished;
		expect(received.texts[2]).toBe(`3 ${LONG}`);
	});

	it("an error with a detail after three messages", async () => {
		const received = new TextStream();
		const stream = await openTexts(ourTransport(version), await listenConnect(), echoPath("Count"), received);
		sendText(stream, "refuse");
		stream.end();
		const { error, metadata } = await received.finished;
		expect(received.texts).toHaveLength(3);
		expect(error).toMatchObject({ code: "resource_exhausted", message: "no more" });
		expect(error?.details.map(({ value }) => decodeText(value))).toEqual(["the detail"]);
		expect(metadata).toEqual({ "x-meta": ["late"] });
	});

	it("a method that does not exist", async () => {
		const received = new TextStream();
		const stream = await openTexts(ourTransport(version), await listenConnect(), "/test.Echo/Missing", received);
		stream.end();
		await expect(received.finished).rejects.toThrow("without an end-of-stream envelope");
		expect(received.head?.status).toBe(404);
	});

	if (version === "2")
		it("both ways, each message waiting for the answer to the one before", async () => {
			const received = new TextStream();
			const stream = await openTexts(ourTransport(version), await listenConnect(), echoPath("Talk"), received);
			received.onText = () =>
				received.texts.length < 20 ? sendText(stream, `${received.texts.length}`) : stream.end();
			sendText(stream, "0");
			await received.finished;
			expect(received.texts).toEqual(Array.from({ length: 20 }, (_, index) => `re: ${index}`));
			await stream.closed;
		});
});

describe.each(VERSIONS)("a connect-node client over HTTP/%s and a server of ours", (version) => {
	const texts = async (stream: AsyncIterable<{ value: string }>) => {
		const all: string[] = [];
		for await (const { value } of stream) all.push(value);
		return all;
	};

	/** Answers each message of a stream with the same message, in the client's preferred coding, then ends with `end`. */
	function echoServer(end: object): Handler {
		return (request, response) => {
			const accepted = String(request.headers["connect-accept-encoding"] ?? "").split(",")[0];
			const compress = accepted === "br" ? brotliCompressSync : gzipSync;
			const sent = request.headers["connect-content-encoding"] as string | undefined;
			const reader = new EnvelopeReader();
			const coding = accepted === "" ? {} : { "connect-content-encoding": accepted };
			response.writeHead(200, { "content-type": "application/connect+proto", ...coding });
			request.on("data", (chunk: Buffer) => {
				reader.push(chunk);
				for (let envelope = reader.next(); envelope !== undefined; envelope = reader.next()) {
					const message = inflateEnvelope(envelope, sent);
					if (accepted === "") response.write(encodeEnvelope(0, message));
					else response.write(encodeEnvelope(EnvelopeFlag.COMPRESSED, compress(message)));
				}
			});
			request.on("end", () => {
				reader.finish();
				response.end(encodeEnvelope(EnvelopeFlag.END_STREAM, Buffer.from(JSON.stringify(end))));
			});
		};
	}

	function theirClient(origin: URL, options: Partial<Parameters<typeof createConnectTransport>[0]> = {}) {
		const transport = createConnectTransport({
			baseUrl: origin.origin,
			httpVersion: version,
			acceptCompression: [],
			...options,
		} as Parameters<typeof createConnectTransport>[0]);
		return echoClient(transport);
	}

	it("server streaming", async () => {
		const client = theirClient(await listen(version, echoServer({})));
		expect(await texts(client.count({ value: "hello" }))).toEqual(["hello"]);
	});

	it.each([compressionGzip, compressionBrotli])("server streaming in $name, both directions", async (compression) => {
		const client = theirClient(await listen(version, echoServer({})), {
			acceptCompression: [compression],
			sendCompression: compression,
			compressMinBytes: 0,
		});
		expect(await texts(client.count({ value: LONG }))).toEqual([LONG]);
	});

	it("an error with a detail after a message", async () => {
		const value = Buffer.from(encodeText("the detail")).toString("base64").replaceAll("=", "");
		const error = {
			code: "resource_exhausted",
			message: "no more",
			details: [{ type: "google.protobuf.StringValue", value }],
		};
		const client = theirClient(await listen(version, echoServer({ error, metadata: { "x-meta": ["late"] } })));
		const received: string[] = [];
		const failure = await (async () => {
			for await (const { value: text } of client.count({ value: "hello" })) received.push(text);
		})().catch((reason: unknown) => reason as ConnectError);
		expect(received).toEqual(["hello"]);
		expect(failure).toMatchObject({ code: Code.ResourceExhausted, rawMessage: "no more" });
		expect(failure?.details.map((detail) => decodeText(detail.value as Uint8Array))).toEqual(["the detail"]);
		expect(failure?.metadata.get("x-meta")).toBe("late");
	});

	if (version === "2")
		it("both ways", async () => {
			const client = theirClient(await listen(version, echoServer({})));
			const sent = Array.from({ length: 200 }, (_, index) => `${index} `.repeat(index));
			async function* messages() {
				for (const value of sent) yield { value };
			}
			expect(await texts(client.talk(messages()))).toEqual(sent);
		});
});
