// A run that is cancelled leaves nothing behind, whether its stream is open or still waits for a connection.
import { expect, it } from "vitest";
import type { OpenChannel } from "../../src/upstream/channels/channel.ts";
import { H2DuplexChannel } from "../../src/upstream/channels/h2-duplex.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import { closing, until } from "../kit/cleanup.ts";
import { frameServer } from "../kit/network/frame-server.ts";

const CANCEL = 8;

/** A server that says nothing and takes one stream at a time. */
async function setUp() {
	const server = await frameServer(() => [], { maxConcurrentStreams: 1 });
	const transport = closing(new H2Pool({ connect: createConnector(), maxSessions: 1 }));
	const heard: string[] = [];
	const listener = {
		message: () => heard.push("message"),
		batchEnd: () => heard.push("batch"),
		ended: () => heard.push("end"),
	};
	const request = { origin: server.origin, key: "", headers: {}, renewHeaders: async () => ({}) };
	const open = (): OpenChannel => new H2DuplexChannel(transport, "/run").open(request, Buffer.from("first"), listener);
	return { server, transport, heard, open };
}

it("a run that is cancelled while it connects never reaches the server", async () => {
	const { server, transport, heard, open } = await setUp();
	open().cancel();
	await until(() => transport.stats().waiting === 0 && transport.stats().connecting === 0);
	expect([server.opened(), heard]).toEqual([0, []]);
});

it("a run that is cancelled while it waits for room leaves the queue, and the next one gets the room", async () => {
	const { server, transport, heard, open } = await setUp();
	const first = open();
	await until(() => server.open() === 1);
	const second = open();
	const third = open();
	expect(transport.stats().waiting).toBe(2);
	second.cancel();
	expect(transport.stats().waiting).toBe(1);
	first.cancel();
	await until(() => server.opened() === 2 && server.open() === 1);
	expect([server.resets, transport.stats().waiting]).toEqual([[CANCEL], 0]);
	third.cancel();
	await until(() => server.open() === 0 && transport.stats().openStreams === 0);
	expect([server.resets, heard]).toEqual([[CANCEL, CANCEL], []]);
});

it("a run that is cancelled in the moment when its stream opens is reset", async () => {
	const { server, transport, heard, open } = await setUp();
	const first = open();
	await until(() => transport.stats().openStreams === 1);
	// The stream is there, and whoever opened it has not heard of it yet.
	const second = open();
	first.cancel();
	await until(() => transport.stats().waiting === 0);
	second.cancel();
	await until(() => transport.stats().openStreams === 0 && server.open() === 0);
	expect(heard).toEqual([]);
});
