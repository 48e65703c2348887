import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { RawClient } from "../../test/kit/hostile/raw-client.ts";
import { readBody } from "./read-body.ts";

const SMALL = 100;
const LIMIT = 1000;

interface Outcome {
	request: IncomingMessage;
	text?: string;
	error?: unknown;
	asked: number;
}

/** A connection to a server that reads bodies; `outcome` resolves when it has read one, or has failed to. */
async function reader(beforeReading: (request: IncomingMessage) => Promise<void> | void = () => {}) {
	let tell: (outcome: Outcome) => void = () => {};
	const outcome = new Promise<Outcome>((resolve) => {
		tell = resolve;
	});
	const server = createServer(async (request, response) => {
		await beforeReading(request);
		const result: Outcome = { request, asked: 0 };
		const askForMore = async () => void result.asked++;
		try {
			const body = await new Promise((arrived, failed) => {
				readBody(request, { limit: LIMIT, smallBytes: SMALL, askForMore }, { arrived, failed });
			});
			result.text = String(body);
		} catch (error) {
			result.error = error;
		}
		response.end("read");
		tell(result);
	});
	onTestFinished(() => void server.close().closeAllConnections());
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const client = await RawClient.open((server.address() as AddressInfo).port);
	onTestFinished(() => client.close());
	return { client, outcome };
}

const declared = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
const CHUNKED = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Sends the pieces one by one, each when the server has had time for the one before. */
async function sendApart(client: RawClient, pieces: readonly string[]): Promise<void> {
	for (const piece of pieces) {
		await new Promise<void>((sent) => client.socket.write(piece, () => sent()));
		await new Promise((later) => setTimeout(later, 5));
	}
}

it.each([
	["no bytes", 0],
	["one byte", 1],
	["as many bytes as a small one may have", SMALL],
	["one more than that", SMALL + 1],
	["as many bytes as any may have", LIMIT],
])("a body of %s is read whole", async (_name, length) => {
	const { client, outcome } = await reader();
	client.send(declared(length) + "x".repeat(length));
	expect(await outcome).toMatchObject({ text: "x".repeat(length), asked: 0 });
});

it.each([10, SMALL, LIMIT])("a body of %i bytes may come in pieces of whatever length", async (length) => {
	const text = Array.from({ length }, (_, index) => String(index % 10)).join("");
	const { client, outcome } = await reader();
	await sendApart(client, [declared(length), text.slice(0, 1), text.slice(1, 4), text.slice(4, -1), text.slice(-1)]);
	expect(await outcome).toMatchObject({ text });
});

it("a body without a length is read to its end, and asks for room when it is no longer small", async () => {
	const small = await reader();
	await sendApart(small.client, [CHUNKED, chunk("a".repeat(SMALL - 1)), chunk("b"), chunk("")]);
	expect(await small.outcome).toMatchObject({ text: `${"a".repeat(SMALL - 1)}b`, asked: 0 });
	const longer = await reader();
	await sendApart(longer.client, [CHUNKED, chunk("a".repeat(SMALL)), chunk("b"), chunk("c"), chunk("")]);
	expect(await longer.outcome).toMatchObject({ text: `${"a".repeat(SMALL)}bc`, asked: 1 });
});

it("a body that is too long is refused while it arrives", async () => {
	const { client, outcome } = await reader();
	await sendApart(client, [CHUNKED, chunk("a".repeat(LIMIT)), chunk("b")]);
	const { error, request } = await outcome;
	expect(error).toMatchObject({ kind: "too-large" });
	// The client can still read why.
	expect(request.destroyed).toBe(false);
	expect((await client.response()).body).toBe("read");
});

it("bytes behind a body are the next request, not a part of it", async () => {
	const { client, outcome } = await reader();
	client.send(`${declared(2)}{}${declared(3)}[1]`);
	expect(await outcome).toMatchObject({ text: "{}" });
	expect((await client.response()).body).toBe("read");
	expect((await client.response()).body).toBe("read");
});

it.each([
	["small body", declared(SMALL)],
	["long body", declared(LIMIT)],
	["body without a length", CHUNKED + chunk("a")],
])("a client that leaves in the middle of a %s ends the reading", async (_name, head) => {
	const { client, outcome } = await reader();
	await sendApart(client, [head, "5"]);
	client.reset();
	const { error, request } = await outcome;
	expect(error).toBeInstanceOf(Error);
	expect(request).toMatchObject({ destroyed: true, complete: false });
});

it.each([0, 2, SMALL + 1])("a client that has left before its body of %i bytes is read ends it too", async (length) => {
	const gone = (request: IncomingMessage) => new Promise<void>((resolve) => request.once("close", resolve));
	const { client, outcome } = await reader(gone);
	await sendApart(client, [declared(length) + "x".repeat(length)]);
	client.reset();
	expect((await outcome).error).toBeInstanceOf(Error);
});
