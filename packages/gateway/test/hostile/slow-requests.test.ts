// B1: requests that never end. On a server with short limits, as the product's own are a minute.
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { jsonBodyParser } from "../../src/dialects/json/json-body.ts";
import { dialectOf } from "../../src/routes/dialects.ts";
import { sendJson } from "../../src/server/send-json.ts";
import { GatewayServer } from "../../src/server/server.ts";
import { DEFAULT_SERVER_LIMITS } from "../../src/server/server-limits.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { expectRefusal } from "../kit/hostile/rig.ts";

const HEAD = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

/** Gives connections to a server that has little patience. */
async function listen(): Promise<() => Promise<RawClient>> {
	const server = new GatewayServer(
		{
			limits: { ...DEFAULT_SERVER_LIMITS, headersMs: 200, requestMs: 400 },
			door: { isPublic: () => false, guard() {}, admit: () => ({ id: "someone" }) },
			formOf: dialectOf,
			parseBody: jsonBodyParser(),
			newId: () => "id",
			reportBug: (error) => expect.fail(String(error)),
		},
		[{ method: "POST", path: "/echo", handler: ({ response, body }) => sendJson(response, 200, {}, { body }) }],
	);
	onTestFinished(() => server.close());
	const port = await server.listen("127.0.0.1", 0);
	return () => RawClient.open(port);
}

it("B1: what does not end is answered with 408, and its connection ends", async () => {
	const connect = await listen();
	const beginnings = [
		"",
		HEAD,
		`${HEAD}Content-Length: 100\r\n\r\n{`,
		`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
	];
	const answers = beginnings.map(async (bytes) => {
		const client = await connect();
		client.send(bytes);
		expectRefusal(await client.response(), 408);
		await client.end();
	});
	const trickle = async () => {
		const client = await connect();
		client.send(HEAD);
		const more = setInterval(() => client.send("X-More: x\r\n"), 50);
		onTestFinished(() => clearInterval(more));
		expectRefusal(await client.response(), 408);
		await client.end();
	};
	await Promise.all([...answers, trickle()]);
});

it("a connection that waits for its next request is not cut", async () => {
	const client = await (await listen())();
	const request = `${HEAD}Content-Length: 2\r\n\r\n{}`;
	client.send(request);
	expect((await client.response()).status).toBe(200);
	// The limits are timers of Node's own server, which no clock of ours moves.
	await new Promise((resolve) => setTimeout(resolve, 1_600));
	client.send(request);
	expect((await client.response()).status).toBe(200);
});

it("a client that reads its refusal and stays is hung up on", async () => {
	const client = await (await listen())();
	client.send("nonsense\r\n\r\n");
	expectRefusal(await client.response(), 400);
	await once(client.socket, "end");
	client.socket.on("error", () => {});
	while (!client.socket.destroyed) {
		client.socket.write("more");
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
});
