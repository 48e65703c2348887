import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { connect as connectTls } from "node:tls";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { AgentClientMessageSchema, AgentServerMessageSchema, AgentService } from "@cursorwire/protocol/agent";
import { BidiService } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import { useEmulators } from "./kit/emulators.ts";
import { type ClientMessage, RunClient, textResult } from "./kit/run-client.ts";

const start = useEmulators();
const TOOLS = [{ name: "adder", schema: { type: "object", properties: { a: { type: "number" } } } }];

const WAYS = [
	{ way: "Run over cleartext HTTP/2", tls: false, httpVersion: "2", carrier: "Run", grpcWeb: false },
	{ way: "RunSSE over HTTP/1.1", tls: false, httpVersion: "1.1", carrier: "RunSSE", grpcWeb: false },
	{ way: "RunSSE over cleartext HTTP/2", tls: false, httpVersion: "2", carrier: "RunSSE", grpcWeb: false },
	{ way: "RunSSE over HTTP/1.1 in grpc-web", tls: false, httpVersion: "1.1", carrier: "RunSSE", grpcWeb: true },
	{ way: "Run over HTTP/2 in grpc-web", tls: false, httpVersion: "2", carrier: "Run", grpcWeb: true },
] as const;

describe.each(WAYS)("$way", ({ httpVersion, carrier, grpcWeb }) => {
	it("streams a text turn", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator, { httpVersion, grpcWeb });
		const outcome = await client.run({ prompt: "one two three", carrier });
		expect(outcome.text).toBe("one two three");
		expect(outcome.turnEnded).toBe(true);
		expect(outcome.updates.filter(({ case: kind }) => kind === "textDelta")).toHaveLength(3);
		expect(emulator.stats().runs).toMatchObject({ started: 1, ended: 1, failed: 0, cancelled: [] });
	});

	it("waits for a tool result and goes on in the same stream", async () => {
		const emulator = await start({
			async *brain() {
				const [first] = yield { calls: [{ name: "adder", arguments: { a: 1 } }] };
				const [second] = yield { calls: [{ name: "adder", arguments: { a: 2 } }] };
				yield { text: `${first.text}+${second.text}` };
			},
		});
		const client = await RunClient.connect(emulator, { httpVersion, grpcWeb });
		const outcome = await client.run({
			tools: TOOLS,
			carrier,
			onExec: (exec) => textResult(exec, exec.message.case === "mcpArgs" ? `r${exec.id}` : "?"),
		});
		expect(outcome.text).toMatch(/^r\d\+r\d$/);
		// One run, two tool results: nothing was started again.
		expect(emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 2 });
	});

	it("tells an error with its details at the end of the stream", async () => {
		const emulator = await start({
			async *brain() {
				yield { text: "partial" };
				const details = { error: "ERROR_PRO_USER_USAGE_LIMIT", title: "Limit", detail: "Come back later." } as const;
				yield { error: { code: "resource_exhausted", details } };
			},
		});
		const client = await RunClient.connect(emulator, { httpVersion, grpcWeb });
		const failure = await client.run({ carrier }).catch((error) => error);
		expect(failure).toMatchObject({ name: "ConnectError", rawMessage: "Error" });
		expect(failure.details[0]).toMatchObject({ type: "aiserver.v1.ErrorDetails" });
	});
});

describe("one port", () => {
	it("serves HTTP/1.1 and HTTP/2 side by side", async () => {
		const emulator = await start({ brain: "echo" });
		const [http1, http2] = await Promise.all([
			RunClient.connect(emulator, { httpVersion: "1.1" }),
			RunClient.connect(emulator, { httpVersion: "2" }),
		]);
		const [first, second] = await Promise.all([
			http1.run({ prompt: "by one", carrier: "RunSSE" }),
			http2.run({ prompt: "by two", carrier: "Run" }),
		]);
		expect([first.text, second.text]).toEqual(["by one", "by two"]);
		expect(emulator.stats().connections.h2).toBe(1);
		expect(emulator.stats().connections.http1).toBeGreaterThan(0);
	});

	it("takes a preface that arrives byte by byte", async () => {
		const emulator = await start({ brain: "echo" });
		const { connect } = await import("node:net");
		const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
		socket.setNoDelay(true);
		const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00";
		for (const character of preface) {
			socket.write(character, "latin1");
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
		const answer = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
		socket.destroy();
		// The server's own SETTINGS frame: 3 bytes of length, then type 4.
		expect(answer[3]).toBe(4);
	});

	it("answers Run over HTTP/1.1 with 464, as the real load balancer does", async () => {
		const emulator = await start();
		const status = await new Promise((resolve) => {
			const call = request(`${emulator.url}/agent.v1.AgentService/Run`, { method: "POST" }, (response) => {
				response.resume();
				resolve(response.statusCode);
			});
			call.setHeader("content-type", "application/connect+proto");
			call.end();
		});
		expect(status).toBe(464);
	});
});

describe("TLS", () => {
	const negotiate = (url: string, ca: string | undefined, alpn: string[]) =>
		new Promise<string | false | null>((resolve, reject) => {
			const { port } = new URL(url);
			const socket = connectTls({ port: Number(port), host: "localhost", ca, ALPNProtocols: alpn }, () => {
				resolve(socket.alpnProtocol);
				socket.destroy();
			});
			socket.on("error", reject);
		});

	it("offers h2 and http/1.1 by ALPN with a certificate that its own CA file vouches for", async () => {
		const emulator = await start({ tls: true });
		expect(emulator.url).toMatch(/^https:/);
		expect(await negotiate(emulator.url, emulator.ca, ["h2", "http/1.1"])).toBe("h2");
		expect(await negotiate(emulator.url, emulator.ca, ["http/1.1"])).toBe("http/1.1");
		await expect(negotiate(emulator.url, undefined, ["h2"])).rejects.toThrow(/self-signed|unable to verify/);
	});

	it("can play a network that takes h2 out of ALPN, and a certificate that is no good", async () => {
		const stripped = await start({ tls: { alpn: ["http/1.1"] } });
		expect(await negotiate(stripped.url, stripped.ca, ["h2", "http/1.1"])).toBe("http/1.1");
		const expired = await start({ tls: { expired: true } });
		await expect(negotiate(expired.url, expired.ca, ["h2"])).rejects.toThrow(/expired/);
		const other = await start({ tls: { hosts: ["elsewhere.test"] } });
		await expect(negotiate(other.url, other.ca, ["h2"])).rejects.toThrow(/does not match/);
	});
});

describe("compression", () => {
	it("compresses messages for a client that takes gzip", async () => {
		const emulator = await start({ brain: "echo", gzipFrom: 0 });
		const client = await RunClient.connect(emulator);
		expect((await client.run({ prompt: "squeezed" })).text).toBe("squeezed");
	});
});

describe("RunPoll", () => {
	it("hands out what has gathered, as hex text, until the end of the run", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator, { httpVersion: "1.1" });
		const call = { headers: client.headers() };
		const agent = createClient(AgentService, client.transport);
		const bidi = createClient(BidiService, client.transport);
		const requestId = { requestId: randomUUID() };
		let appendSeqno = 0n;
		const append = (message: ClientMessage) => {
			const bytes = toBinary(AgentClientMessageSchema, create(AgentClientMessageSchema, { message }));
			return bidi.bidiAppend({ requestId, appendSeqno: appendSeqno++, data: Buffer.from(bytes).toString("hex") }, call);
		};
		const userMessageAction = { userMessage: { text: "by polling" }, requestContext: {} };
		await append({
			case: "runRequest",
			value: {
				conversationState: {},
				action: { action: { case: "userMessageAction", value: userMessageAction } },
				mcpTools: {},
				requestedModel: { modelId: "composer-1" },
			},
		});
		let text = "";
		let eof = false;
		let expected = 0n;
		for (let polls = 0; !eof && polls < 20; polls++) {
			for await (const part of agent.runPoll({ requestId, startRequest: polls === 0 }, call)) {
				expect(part.seqno).toBe(expected++);
				eof = part.eof ?? false;
				if (eof) break;
				const { message } = fromBinary(AgentServerMessageSchema, Buffer.from(part.data, "hex"));
				const update = message.case === "interactionUpdate" ? message.value.message : undefined;
				if (update?.case === "textDelta") text += Buffer.from(update.value.text).toString();
				if (message.case === "kvServerMessage") {
					const { id } = message.value;
					await append({ case: "kvClientMessage", value: { id, message: { case: "setBlobResult", value: {} } } });
				}
			}
		}
		expect([text, eof]).toEqual(["by polling", true]);
		await expect(async () => {
			for await (const _ of agent.runPoll({ requestId: { requestId: "unknown" } }, call));
		}).rejects.toThrow();
	});
});
