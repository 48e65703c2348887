// A raw HTTP/2 peer: sends any frame in any order, right or wrong, and records what it gets.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

export const FrameType = {
	DATA: 0,
	HEADERS: 1,
	RST_STREAM: 3,
	SETTINGS: 4,
	PING: 6,
	GOAWAY: 7,
	WINDOW_UPDATE: 8,
} as const;

export const FrameFlag = { END_STREAM: 0x1, ACK: 0x1, END_HEADERS: 0x4, PADDED: 0x8 } as const;

export const Setting = { MAX_CONCURRENT_STREAMS: 3, INITIAL_WINDOW_SIZE: 4 } as const;

/** RFC 9113 section 7, in order of the code. */
export const H2_ERROR_NAMES = [
	"NO_ERROR",
	"PROTOCOL_ERROR",
	"INTERNAL_ERROR",
	"FLOW_CONTROL_ERROR",
	"SETTINGS_TIMEOUT",
	"STREAM_CLOSED",
	"FRAME_SIZE_ERROR",
	"REFUSED_STREAM",
	"CANCEL",
	"COMPRESSION_ERROR",
	"CONNECT_ERROR",
	"ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY",
	"HTTP_1_1_REQUIRED",
] as const;

export interface Frame {
	type: number;
	flags: number;
	streamId: number;
	payload: Buffer;
}

const PREFACE_BYTES = 24;
const FRAME_HEADER_BYTES = 9;

const uint32 = (...values: number[]): Buffer => {
	const bytes = Buffer.alloc(values.length * 4);
	values.forEach((value, index) => {
		bytes.writeUInt32BE(value >>> 0, index * 4);
	});
	return bytes;
};

export function frame(type: number, flags: number, streamId: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
	const header = Buffer.alloc(FRAME_HEADER_BYTES);
	header.writeUIntBE(payload.length, 0, 3);
	header[3] = type;
	header[4] = flags;
	header.writeUInt32BE(streamId, 5);
	return Buffer.concat([header, payload]);
}

/** HPACK, literals only. Values must be shorter than 127 bytes. */
function hpack(headers: Readonly<Record<string, string>>): Buffer {
	const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, "latin1")]);
	const fields = Object.entries(headers).map(([name, value]) =>
		Buffer.concat([Buffer.from([0]), text(name), text(value)]),
	);
	return Buffer.concat(fields);
}

export const frames = {
	settings: (values: Readonly<Record<number, number>> = {}) => {
		const entries = Object.entries(values).map(([id, value]) => {
			const entry = Buffer.alloc(6);
			entry.writeUInt16BE(Number(id), 0);
			entry.writeUInt32BE(value, 2);
			return entry;
		});
		return frame(FrameType.SETTINGS, 0, 0, Buffer.concat(entries));
	},
	settingsAck: () => frame(FrameType.SETTINGS, FrameFlag.ACK, 0),
	headers: (streamId: number, headers: Readonly<Record<string, string>>, flags = 0) =>
		frame(FrameType.HEADERS, FrameFlag.END_HEADERS | flags, streamId, hpack(headers)),
	data: (streamId: number, bytes: Uint8Array | string, flags = 0) =>
		frame(FrameType.DATA, flags, streamId, Buffer.from(bytes as Uint8Array)),
	rst: (streamId: number, code: number) => frame(FrameType.RST_STREAM, 0, streamId, uint32(code)),
	goaway: (lastStreamId: number, code: number, debug = "") =>
		frame(FrameType.GOAWAY, 0, 0, Buffer.concat([uint32(lastStreamId, code), Buffer.from(debug)])),
	windowUpdate: (streamId: number, increment: number) => frame(FrameType.WINDOW_UPDATE, 0, streamId, uint32(increment)),
	ping: (payload: Uint8Array) => frame(FrameType.PING, 0, 0, payload),
	pong: (payload: Uint8Array) => frame(FrameType.PING, FrameFlag.ACK, 0, payload),
};

/** The values of a SETTINGS payload by their id. */
export function readSettings(payload: Buffer): Record<number, number> {
	const values: Record<number, number> = {};
	for (let at = 0; at < payload.length; at += 6) values[payload.readUInt16BE(at)] = payload.readUInt32BE(at + 2);
	return values;
}

/** One connection of the raw peer. */
export class RawConnection {
	readonly socket: Socket;
	readonly received: Frame[] = [];
	/** Set to false to become a peer that no longer answers. */
	isAnswering = true;
	#buffer: Buffer = Buffer.alloc(0);
	#sawPreface = false;
	#waiting: { matches: (frame: Frame) => boolean; resolve: (frame: Frame) => void }[] = [];

	constructor(socket: Socket) {
		this.socket = socket;
		socket.on("error", () => {});
		socket.on("data", (chunk: Buffer) => this.#read(chunk));
	}

	send(...bytes: Uint8Array[]): void {
		if (!this.socket.destroyed) this.socket.write(Buffer.concat(bytes));
	}

	/** The first frame, past or future, that matches. */
	waitFor(matches: (frame: Frame) => boolean): Promise<Frame> {
		const past = this.received.find(matches);
		if (past !== undefined) return Promise.resolve(past);
		return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
	}

	waitForType(type: number, streamId?: number): Promise<Frame> {
		return this.waitFor((frame) => frame.type === type && (streamId === undefined || frame.streamId === streamId));
	}

	count(type: number): number {
		return this.received.filter((frame) => frame.type === type).length;
	}

	/** Pings of the client's own, without its answers to ours. */
	pings(): number {
		return this.received.filter(({ type, flags }) => type === FrameType.PING && !(flags & FrameFlag.ACK)).length;
	}

	/** Waits until all that the client has sent so far is here: it answers a ping behind everything else. */
	async roundTrip(): Promise<void> {
		const payload = randomBytes(8);
		this.send(frames.ping(payload));
		await this.waitFor(
			(frame) => frame.type === FrameType.PING && (frame.flags & FrameFlag.ACK) > 0 && payload.equals(frame.payload),
		);
	}

	#read(chunk: Buffer): void {
		this.#buffer = Buffer.concat([this.#buffer, chunk]);
		if (!this.#sawPreface) {
			if (this.#buffer.length < PREFACE_BYTES) return;
			this.#sawPreface = true;
			this.#buffer = this.#buffer.subarray(PREFACE_BYTES);
		}
		while (this.#buffer.length >= FRAME_HEADER_BYTES) {
			const end = FRAME_HEADER_BYTES + this.#buffer.readUIntBE(0, 3);
			if (this.#buffer.length < end) return;
			const [type = 0, flags = 0] = this.#buffer.subarray(3, 5);
			const streamId = this.#buffer.readUInt32BE(5) & 0x7fff_ffff;
			const payload = this.#buffer.subarray(FRAME_HEADER_BYTES, end);
			this.#buffer = this.#buffer.subarray(end);
			this.#record({ type, flags, streamId, payload });
		}
	}

	#record(frame: Frame): void {
		this.received.push(frame);
		const isRequest = (frame.flags & FrameFlag.ACK) === 0;
		if (this.isAnswering && isRequest) {
			if (frame.type === FrameType.SETTINGS) this.send(frames.settingsAck());
			if (frame.type === FrameType.PING) this.send(frames.pong(frame.payload));
		}
		const matching = this.#waiting.filter(({ matches }) => matches(frame));
		this.#waiting = this.#waiting.filter((entry) => !matching.includes(entry));
		for (const { resolve } of matching) resolve(frame);
	}
}

export interface RawPeerOptions {
	/** Sent as soon as a client connects. `false`: nothing is sent. */
	settings?: Readonly<Record<number, number>> | false;
	tls?: TlsOptions;
	/** Keep a connection open when the client has closed its side. Not with TLS. */
	allowHalfOpen?: boolean;
	/** Called for each new connection, after the settings were sent. */
	onConnection?(connection: RawConnection, index: number): void;
}

function createListener({ tls, allowHalfOpen }: RawPeerOptions): Server {
	return tls === undefined ? createServer({ allowHalfOpen }) : createTlsServer(tls);
}

/** Listens on loopback for HTTP/2 clients. */
export class RawPeer {
	readonly origin: URL;
	readonly connections: RawConnection[] = [];
	readonly #server: Server;
	#arrivals: (() => void)[] = [];

	static async listen(options: RawPeerOptions = {}): Promise<RawPeer> {
		const server = createListener(options);
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		return new RawPeer(server, options);
	}

	private constructor(server: Server, options: RawPeerOptions) {
		this.#server = server;
		const scheme = options.tls === undefined ? "http" : "https";
		this.origin = new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
		server.on(options.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
			const connection = new RawConnection(socket);
			this.connections.push(connection);
			if (options.settings !== false) connection.send(frames.settings(options.settings));
			options.onConnection?.(connection, this.connections.length - 1);
			for (const arrive of this.#arrivals.splice(0)) arrive();
		});
	}

	/** The n-th connection, also if it is yet to come. */
	async connection(index = 0): Promise<RawConnection> {
		for (;;) {
			const connection = this.connections[index];
			if (connection !== undefined) return connection;
			await new Promise<void>((resolve) => this.#arrivals.push(resolve));
		}
	}

	async close(): Promise<void> {
		this.#server.close();
		for (const { socket } of this.connections) socket.destroy();
		if (this.#server.listening) await once(this.#server, "close");
	}
}
