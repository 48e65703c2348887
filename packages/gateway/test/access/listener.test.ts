// The guard behind a real listener: what Node's parser makes of odd requests must not get around it.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowedHosts, checkRequest, presentedKey } from "../../src/access/guard.ts";
import { GatewayError } from "../../src/turn/error.ts";

const KEY = "cw_right";
let port = 0;
const server = createServer((request, response) => {
	const { method = "", url: target = "", rawHeaders } = request;
	const refusal = checkRequest({ method, target, rawHeaders, allowedHosts: allowedHosts(port) });
	const key = presentedKey(rawHeaders);
	const status = refusal?.status ?? (key instanceof GatewayError || key !== KEY ? 401 : 200);
	request.resume();
	response.writeHead(status, { connection: "close" }).end();
});
beforeAll(async () => {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Sends the bytes and gives the status of the first answer; 0 where the connection was just closed. */
async function statusOf(request: string): Promise<number> {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => {});
	socket.end(request, "latin1");
	const chunks: Buffer[] = [];
	socket.on("data", (chunk: Buffer) => chunks.push(chunk));
	await once(socket, "close");
	return Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString("latin1"))?.[1] ?? 0);
}

const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;
const get = (target: string, ...headers: string[]) => lines(`GET ${target} HTTP/1.1`, ...headers);
const host = () => `Host: localhost:${port}`;
const key = `Authorization: Bearer ${KEY}`;

describe("behind a listener", () => {
	it("a plain request passes", async () => {
		expect(await statusOf(get("/v1/models", host(), key))).toBe(200);
		expect(await statusOf(get("/v1/models", host(), `x-api-key: ${KEY}`))).toBe(200);
	});

	it("a request needs the key, and not in the query", async () => {
		expect(await statusOf(get("/v1/models", host()))).toBe(401);
		expect(await statusOf(get(`/v1/models?key=${KEY}&api_key=${KEY}&access_token=${KEY}`, host()))).toBe(401);
		expect(await statusOf(get("/v1/models", host(), `Cookie: key=${KEY}`))).toBe(401);
	});

	it("two keys are none", async () => {
		expect(await statusOf(get("/v1/models", host(), key, "x-api-key: other"))).toBe(401);
		expect(await statusOf(get("/v1/models", host(), key, key))).toBe(400);
	});

	it.each([
		["two hosts", () => get("/", host(), "Host: evil.test", key)],
		["two hosts, the other way round", () => get("/", "Host: evil.test", host(), key)],
		["the same host twice", () => get("/", host(), host(), key)],
		["no host", () => get("/", key)],
		["an empty host", () => get("/", "Host:", key)],
		["HTTP/1.0 without a host", () => lines("GET / HTTP/1.0", key)],
		["a whole URL, ours", () => get(`http://localhost:${port}/`, host(), key)],
		["a whole URL, another", () => get("http://evil.test/", host(), key)],
		["a whole URL and another host", () => get(`http://localhost:${port}/`, "Host: evil.test", key)],
		["an asterisk", () => lines("OPTIONS * HTTP/1.1", host(), key)],
		["a host with a path", () => get("/", `${host()}/`, key)],
		["a folded host", () => get("/", "Host: evil.test", ` localhost:${port}`, key)],
		["a blank before the colon", () => get("/", `Host : localhost:${port}`, key)],
		["a bare line feed", () => `GET / HTTP/1.1\n${host()}\n${key}\n\n`.replace(host(), "Host: evil.test")],
		[
			"the host in a trailer",
			() => `${lines("POST / HTTP/1.1", "Transfer-Encoding: chunked", "Trailer: Host", key)}0\r\n${host()}\r\n\r\n`,
		],
		["a name with high bytes", () => get("/", `Host: localhost\xa0:${port}`, key)],
	])("%s is refused", async (_name, request) => {
		expect([400, 403, 0]).toContain(await statusOf(request()));
	});

	it("blanks around the host, which are not part of it, do no harm", async () => {
		expect(await statusOf(get("/", `Host: \t localhost:${port} \t`, key))).toBe(200);
	});

	it.each([
		["a form", "Content-Type: application/x-www-form-urlencoded", 415],
		["plain text", "Content-Type: text/plain", 415],
		["two types", "Content-Type: application/json\r\nContent-Type: text/plain", 400],
		["a packed body", "Content-Type: application/json\r\nContent-Encoding: gzip", 415],
		["a page's origin", "Content-Type: application/json\r\nOrigin: http://evil.test", 403],
		["no origin to speak of", "Content-Type: application/json\r\nOrigin: null", 403],
		["another site", "Content-Type: application/json\r\nSec-Fetch-Site: cross-site", 403],
		["JSON", "Content-Type: application/json", 200],
	])("a POST with %s", async (_name, headers, status) => {
		expect(await statusOf(`${lines("POST /v1/messages HTTP/1.1", host(), key, "Content-Length: 2", headers)}{}`)).toBe(
			status,
		);
	});

	it("headers with names of the language's own things do nothing", async () => {
		const odd = ["__proto__: x", "constructor: x", "toString: x", "hasOwnProperty: x"];
		expect(await statusOf(get("/v1/models", host(), ...odd, key))).toBe(200);
		expect(await statusOf(get("/v1/models", host(), ...odd))).toBe(401);
	});
});
