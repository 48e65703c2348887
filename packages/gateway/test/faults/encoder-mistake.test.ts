// A mistake in a dialect's encoder: it ends the response that it happens in, and nothing else of the gateway.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { StreamEncoder } from "../../src/dialects/dialect.ts";
import type { GatewayError } from "../../src/turn/error.ts";
import type { TurnEvent } from "../../src/turn/event.ts";
import { DEFAULT_STREAM_LIMITS } from "../../src/turns/stream-limits.ts";
import { StreamResponse } from "../../src/turns/stream-response.ts";
import { closing } from "../kit/cleanup.ts";
import { ManualClock } from "../kit/manual-clock.ts";

const SAYS: TurnEvent = { type: "text-delta", text: "hello" };
const BREAKS: TurnEvent = { type: "text-delta", text: "" };

const mistake = (): never => {
	throw new TypeError("a mistake");
};

/** Writes texts, and makes a mistake at an empty one. */
const encoder: StreamEncoder = {
	encode: ([event]) => (event as typeof SAYS).text || mistake(),
	encodeError: ({ kind }) => `[${kind}]`,
};

interface Scene {
	encoder?: Partial<StreamEncoder>;
	refuse?(response: ServerResponse, error: GatewayError): void;
	batches: TurnEvent[];
}

/** What the client of such a stream gets, how the response ended, and whether its run was cancelled. */
async function stream({ encoder: other, refuse = mistake, batches }: Scene) {
	const seen: string[] = [];
	const server = createServer((_request, response) => {
		const stream = new StreamResponse({
			response,
			clock: new ManualClock(),
			limits: DEFAULT_STREAM_LIMITS,
			encoder: { ...encoder, ...other },
			headers: () => ({ "content-type": "text/event-stream" }),
			refuse: (error) => refuse(response, error),
			ended: ({ error }) => seen.push(`ended: ${error?.kind}`),
		});
		stream.attach({ pause: () => {}, resume: () => {}, cancel: () => seen.push("cancelled") });
		for (const [turn, event] of batches.entries()) setTimeout(() => stream.events([event]), turn * 5);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing(server);
	const response = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	const text = await response.then((it) => it.text()).catch(() => "cut");
	return { text, seen };
}

const FAILED = ["ended: internal", "cancelled"];

it("before anything was written, the client gets an error as a plain response", async () => {
	const refuse = (response: ServerResponse, { kind }: GatewayError) => response.writeHead(500).end(kind);
	expect(await stream({ refuse, batches: [BREAKS] })).toEqual({ text: "internal", seen: FAILED });
});

it("in the middle of a stream, the error follows what was said", async () => {
	expect(await stream({ batches: [SAYS, BREAKS] })).toEqual({ text: "hello[internal]", seen: FAILED });
});

it("an error that cannot be written either cuts the response", async () => {
	expect(await stream({ batches: [BREAKS] })).toEqual({ text: "cut", seen: FAILED });
	const cut = await stream({ encoder: { encodeError: mistake }, batches: [SAYS, BREAKS] });
	expect(cut).toEqual({ text: "cut", seen: FAILED });
});

it("a mistake inside a long text cuts the response", async () => {
	function* long(): Generator<string, void, undefined> {
		yield "a part of it";
		mistake();
	}
	expect(await stream({ encoder: { encode: long }, batches: [SAYS] })).toEqual({ text: "cut", seen: FAILED });
});
