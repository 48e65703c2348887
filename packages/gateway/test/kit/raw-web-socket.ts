// A WebSocket whose frames a test writes by itself, byte for byte.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawWebSocket {
	socket: Socket;
	/** The status line and headers of the response. */
	head: string;
	/** A frame as clients send it. */
	send(opcode: number, payload: Buffer | string, options?: FrameOptions): void;
	write(bytes: Buffer): void;
	json(message: object): void;
	/** The next frame; rejects when the connection ends. */
	frame(): Promise<{ opcode: number; payload: Buffer }>;
	/** The next text as JSON. Pings are passed over. */
	// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
	message(): Promise<any>;
	/** Messages up to one of this type. */
	// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
	until(...types: string[]): Promise<any[]>;
	/** The code of the close frame that comes next. */
	closeCode(): Promise<number>;
	/** Resolves when nothing more comes. */
	ended: Promise<void>;
}

interface FrameOptions {
	isFinal?: boolean;
	reserved?: number;
	isMasked?: boolean;
}

export function clientFrame(opcode: number, payload: Buffer | string, options: FrameOptions = {}): Buffer {
	const { isFinal = true, reserved = 0, isMasked = true } = options;
	const bytes = Buffer.from(payload as Buffer);
	const mark = isMasked ? 0x80 : 0;
	const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10);
	head[0] = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
	head[1] = mark | (bytes.length < 126 ? bytes.length : bytes.length < 65_536 ? 126 : 127);
	if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
	if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
	if (!isMasked) return Buffer.concat([head, bytes]);
	const mask = randomBytes(4);
	return Buffer.concat([head, mask, Buffer.from(bytes.map((byte, at) => byte ^ mask[at & 3]!))]);
}

export async function openRawWebSocket(
	url: string,
	path: string,
	headers: Record<string, string> = {},
): Promise<RawWebSocket> {
	const { hostname, port, host } = new URL(url);
	const socket = connect(Number(port), hostname);
	onTestFinished(() => void socket.destroy());
	let bytes = Buffer.alloc(0);
	let isOver = false;
	let wake = () => {};
	const ended = new Promise<void>((resolve) => {
		const over = () => {
			isOver = true;
			wake();
			resolve();
		};
		socket.on("close", over).on("error", over);
	});
	socket.on("data", (chunk: Buffer) => {
		bytes = Buffer.concat([bytes, chunk]);
		wake();
	});
	const changed = () => new Promise<void>((resolve) => (wake = resolve));
	const all = {
		host,
		connection: "Upgrade",
		upgrade: "websocket",
		"sec-websocket-version": "13",
		"sec-websocket-key": randomBytes(16).toString("base64"),
		...headers,
	};
	const lines = Object.entries(all).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}\r\n`]));
	socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
	while (!bytes.includes("\r\n\r\n") && !isOver) await changed();
	const at = bytes.indexOf("\r\n\r\n");
	const head = bytes.subarray(0, at).toString();
	bytes = bytes.subarray(at + 4);

	const take = async (length: number): Promise<Buffer> => {
		while (bytes.length < length) {
			if (isOver) throw new Error("the connection has ended");
			await changed();
		}
		const taken = bytes.subarray(0, length);
		bytes = bytes.subarray(length);
		return taken;
	};
	const raw: RawWebSocket = {
		...{ socket, head, ended },
		write: (data) => void socket.write(data),
		send: (opcode, payload, options) => void socket.write(clientFrame(opcode, payload, options)),
		json: (message) => raw.send(1, JSON.stringify(message)),
		async frame() {
			const [first, second] = await take(2);
			const long = second! & 0x7f;
			const length =
				long === 126 ? (await take(2)).readUInt16BE() : long === 127 ? Number((await take(8)).readBigUInt64BE()) : long;
			return { opcode: first! & 0x0f, payload: Buffer.from(await take(length)) };
		},
		async message() {
			for (;;) {
				const { opcode, payload } = await raw.frame();
				if (opcode === 8) throw new Error(`closed with ${payload.readUInt16BE()}: ${payload.subarray(2)}`);
				if (opcode === 1) return JSON.parse(payload.toString());
			}
		},
		async until(...types) {
			const messages = [];
			for (;;) {
				const message = await raw.message();
				messages.push(message);
				if (types.includes(message.type)) return messages;
			}
		},
		async closeCode() {
			const { opcode, payload } = await raw.frame();
			if (opcode !== 8) throw new Error(`no close, but ${payload}`);
			return payload.readUInt16BE();
		},
	};
	return raw;
}
