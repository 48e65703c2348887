import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { Listening } from "./listening.ts";

/** Of the loopback interface, which has an IPv6 one on most machines. */
const LOOPBACK = Object.values(networkInterfaces())
	.flatMap((addresses = []) => addresses)
	.filter(({ internal, address }) => internal && !/^fe80:/i.test(address))
	.map(({ address }) => address);
const FIRST = "127.0.0.1";
const UNKNOWN = "203.0.113.1";

function listening(addresses: string[]) {
	const newServer = () => createServer((_request, response) => void response.end("served"));
	const server = new Listening(newServer, async () => addresses);
	onTestFinished(() => server.stop());
	return server;
}

const textAt = async (address: string, port: number) => {
	const response = await fetch(`http://${address.includes(":") ? `[${address}]` : address}:${port}/`);
	return response.text();
};

it("localhost is served at all its addresses", async () => {
	const others = LOOPBACK.filter((address) => address !== FIRST);
	const server = listening([FIRST, ...others]);
	const port = await server.start("localhost", 0);
	for (const address of [FIRST, ...others]) expect(await textAt(address, port), address).toBe("served");
});

it("an address that this machine does not have is left out, unless it is the first", async () => {
	const port = await listening([FIRST, UNKNOWN]).start("localhost", 0);
	expect(await textAt(FIRST, port)).toBe("served");
	await expect(listening([UNKNOWN]).start("localhost", 0)).rejects.toMatchObject({ code: "EADDRNOTAVAIL" });
});

it("any other host is one address", async () => {
	const port = await listening([UNKNOWN]).start(FIRST, 0);
	expect(await textAt(FIRST, port)).toBe("served");
});

it("a port that is taken is an error", async () => {
	const port = await listening([FIRST]).start(FIRST, 0);
	await expect(listening([FIRST]).start(FIRST, port)).rejects.toMatchObject({ code: "EADDRINUSE" });
});

it("nothing listens any more after the end, and connections are ended", async () => {
	const server = listening([FIRST]);
	const port = await server.start("localhost", 0);
	expect(await textAt(FIRST, port)).toBe("served");
	await server.stop();
	await expect(textAt(FIRST, port)).rejects.toThrow();
});
