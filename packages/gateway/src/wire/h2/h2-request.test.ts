import { once } from "node:events";
import { connect, createServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startRequest } from "./h2-request.ts";

it("sends the headers of a request, and keeps none of them for as long as the stream is open", async () => {
	const server = createServer().listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await once(server, "listening");
	const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	const session = connect(origin);
	onTestFinished(() => session.destroy());
	const arrived = once(server, "stream") as Promise<[unknown, IncomingHttpHeaders]>;
	const headers = { authorization: "Bearer secret", "x-request-id": "r-1" };
	const stream = startRequest(session, { origin, key: "", path: "/run", headers });
	expect(stream.sentHeaders).toBeUndefined();
	const [, seen] = await arrived;
	expect(seen).toMatchObject({ ":method": "POST", ":path": "/run", ":authority": origin.host, ...headers });
});
