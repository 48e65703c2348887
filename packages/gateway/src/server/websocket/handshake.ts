import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../turn/error.ts";

/** Of RFC 6455, so that a server shows that it has understood. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/** Whether a request asks to go on as a WebSocket. */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
	return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/** The response that begins a WebSocket, with further headers. Throws a `GatewayError` for a handshake that is not valid. */
export function handshake({ headers }: IncomingMessage, further: readonly string[]): string {
	const key = headers["sec-websocket-key"];
	if (headers["sec-websocket-version"] !== "13" || key === undefined || !KEY.test(key)) {
		throw new GatewayError("invalid-request", "The WebSocket handshake is not valid.", {
			nextStep: "Send Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key of 16 bytes.",
		});
	}
	const accept = createHash("sha1")
		.update(key + GUID)
		.digest("base64");
	const lines = [
		"HTTP/1.1 101 Switching Protocols",
		"upgrade: websocket",
		"connection: Upgrade",
		`sec-websocket-accept: ${accept}`,
		...further,
	];
	return `${lines.join("\r\n")}\r\n\r\n`;
}
