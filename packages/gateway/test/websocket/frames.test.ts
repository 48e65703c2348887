// What no client should send, and who may open a WebSocket at all.
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { clientFrame, openRawWebSocket } from "../kit/raw-web-socket.ts";

const open = (gateway: TestGateway, headers: Record<string, string> = {}) =>
	openRawWebSocket(gateway.url, "/v1/responses", { authorization: `Bearer ${gateway.key}`, ...headers });
const ASK = JSON.stringify({ type: "response.create", model: "composer-1", input: "hi", store: false });

describe("a WebSocket", () => {
	const broken: [string, Buffer, number][] = [
		["a frame without a mask", clientFrame(1, "{}", { isMasked: false }), 1002],
		["reserved bits", clientFrame(1, "{}", { reserved: 4 }), 1002],
		["an unknown type", clientFrame(3, "{}"), 1002],
		["a continuation of nothing", clientFrame(0, "{}"), 1002],
		["a message inside a message", Buffer.concat([clientFrame(1, "{", { isFinal: false }), clientFrame(1, "}")]), 1002],
		["a ping in pieces", clientFrame(9, "a", { isFinal: false }), 1002],
		["a ping of 126 bytes", clientFrame(9, Buffer.alloc(126)), 1002],
		["a binary message", clientFrame(2, "{}"), 1003],
		["a text that is not UTF-8", clientFrame(1, Buffer.from([0x22, 0xff, 0x22])), 1007],
		["a length beyond the limit", Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x10, 0, 0, 0]), 1009],
		["a length beyond all numbers", Buffer.from([0x81, 0xff, ...Array(8).fill(0xff)]), 1009],
		["a close of one byte", clientFrame(8, Buffer.from([3])), 1002],
		["a close with a code that nobody may send", clientFrame(8, Buffer.from([3, 237])), 1002],
	];
	it.each(broken)("is closed for %s", async (_, bytes, code) => {
		const gateway = await startTestGateway();
		const socket = await open(gateway);
		socket.write(bytes);
		expect(await socket.closeCode()).toBe(code);
		await socket.ended;
	});

	it("is closed for a message that becomes too large in pieces", async () => {
		const gateway = await startTestGateway({ settings: { maxBodyMiB: 1 } });
		const socket = await open(gateway);
		const piece = Buffer.alloc(300 * 1024, 0x20);
		socket.send(1, piece, { isFinal: false });
		for (let more = 0; more < 3; more++) socket.send(0, piece, { isFinal: false });
		expect(await socket.closeCode()).toBe(1009);
	});

	it("takes a message in pieces and byte by byte, with pings in between", async () => {
		const gateway = await startTestGateway();
		const socket = await open(gateway);
		const half = ASK.length >> 1;
		const bytes = Buffer.concat([
			clientFrame(1, ASK.slice(0, half), { isFinal: false }),
			clientFrame(9, "are you there?"),
			clientFrame(0, "", { isFinal: false }),
			clientFrame(0, ASK.slice(half)),
		]);
		socket.socket.setNoDelay(true);
		for (const byte of bytes) socket.write(Buffer.from([byte]));
		expect(await socket.frame()).toEqual({ opcode: 10, payload: Buffer.from("are you there?") });
		await socket.until("response.completed");
	});

	it.each([
		["no key", { authorization: "" }, 401],
		["a wrong key", { authorization: "Bearer cw_wrong" }, 401],
		["a foreign Host", { host: "evil.example:80" }, 403],
		["a foreign page", { origin: "http://evil.example" }, 403],
		["another version", { "sec-websocket-version": "8" }, 400],
		["a key of another length", { "sec-websocket-key": "AAAA" }, 400],
	])("is not opened with %s", async (_, headers, status) => {
		const gateway = await startTestGateway({ settings: { apiKey: "key_test" } });
		const socket = await open(gateway, headers);
		expect(socket.head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
		await socket.ended;
	});

	it("is refused with 426 where it is switched off", async () => {
		const gateway = await startTestGateway({ settings: { webSockets: false } });
		expect((await open(gateway)).head).toMatch(/^HTTP\/1\.1 426 /);
	});

	it("does not keep the gateway from stopping", async () => {
		const gateway = await startTestGateway();
		const socket = await open(gateway);
		await gateway.gateway.close();
		await socket.ended;
	});

	it("leaves requests alone that offer another protocol, with their bodies and the requests behind them", async () => {
		const gateway = await startTestGateway();
		const { hostname, port, host } = new URL(gateway.url);
		const socket = connect(Number(port), hostname);
		const body = JSON.stringify({ model: "composer-1", messages: [{ role: "user", content: "hi" }] });
		const head = (further: string) =>
			`POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${gateway.key}\r\n` +
			`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${further}\r\n`;
		socket.write(head("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"));
		socket.write(body);
		let said = "";
		for await (const chunk of socket) {
			said += chunk;
			if (said.split("chat.completion").length === 2 && !said.includes("again")) {
				said += "again";
				socket.write(head("Connection: close\r\n") + body);
			}
		}
		expect(said.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
	});
});
