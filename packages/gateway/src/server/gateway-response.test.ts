import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { GatewayResponse } from "./gateway-response.ts";

/** The headers that a client gets, as pairs, of a response with a standing header that is written like this. */
async function headersOf(write: (response: GatewayResponse) => void): Promise<[string, string][]> {
	const server = createServer({ ServerResponse: GatewayResponse }, (_request, response) => {
		response.sendDate = false;
		response.addStanding("x-request-id", "req_1");
		write(response);
	});
	onTestFinished(() => void server.close().closeAllConnections());
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const raw = await new Promise<string[]>((resolve, reject) => {
		const { port } = server.address() as AddressInfo;
		get({ port, agent: false }, (response) => resolve(response.resume().rawHeaders)).on("error", reject);
	});
	const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1]!]] : []));
	return pairs.filter(([name]) => name.startsWith("x-"));
}

it.each<[string, (response: GatewayResponse) => void]>([
	["with an object", (response) => response.writeHead(200, { "x-other": "1" }).end()],
	["with a list", (response) => response.writeHead(200, ["x-other", "1"]).end()],
	["with a message", (response) => response.writeHead(200, "Fine", { "x-other": "1" }).end()],
	["one by one", (response) => response.setHeader("x-other", "1").end()],
])("standing headers go out beside those that are given %s", async (_name, write) => {
	expect((await headersOf(write)).sort()).toEqual([
		["x-other", "1"],
		["x-request-id", "req_1"],
	]);
});

it("a response that is ended without headers carries them too", async () => {
	expect(await headersOf((response) => response.end())).toEqual([["x-request-id", "req_1"]]);
});

it("whoever writes the response may give a standing header another value", async () => {
	const headers = await headersOf((response) => response.writeHead(200, { "x-request-id": "req_2" }).end());
	expect(headers).toEqual([["x-request-id", "req_2"]]);
});

it("a value that no header may have is refused", async () => {
	let refused: unknown;
	await headersOf((response) => {
		try {
			response.writeHead(200, { "x-other": "a\r\nx-more: b" });
		} catch (error) {
			refused = error;
		}
		response.end();
	});
	expect(refused).toBeInstanceOf(TypeError);
});
