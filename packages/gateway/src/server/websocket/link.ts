import type { IncomingMessage } from "node:http";
import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import { ByteSource } from "./byte-source.ts";
import { CLOSE_CODES, closePayload, encodeFrame, FrameError, OPCODES } from "./frame.ts";
import { type Message, MessageReader, type MessageReaderOptions } from "./message-reader.ts";

type Socket = IncomingMessage["socket"];

export interface LinkOptions extends Pick<MessageReaderOptions, "limit" | "reserve"> {
	socket: Socket;
	/** Bytes that came behind the handshake. */
	first: Buffer;
	clock: Clock;
	/** How long a message may take from its first frame to its last. */
	messageMs: number;
}

export interface LinkListener {
	/** A message, whose room is to be released when it is parsed. */
	message(message: Message): void;
	/** The client has read what was waiting for it. */
	drained(): void;
	/** Nothing comes or goes any more. Called once. */
	closed(): void;
}

/** How long the other side has to answer a close. */
const LINGER_MS = 1_000;
/** Answers to pings that wait to be read. A client that reads nothing and pings on is disconnected. */
const MOST_UNREAD = 1 << 20;

/** One WebSocket, from behind its handshake to its end: text messages in both directions. */
export class WebSocketLink {
	readonly #options: LinkOptions;
	#listener: LinkListener | undefined;
	#isClosing = false;
	#isClosed = false;

	constructor(options: LinkOptions) {
		this.#options = options;
	}

	get isClosed(): boolean {
		return this.#isClosing || this.#isClosed;
	}

	/** Begins to read. */
	open(listener: LinkListener): void {
		const { socket } = this.#options;
		this.#listener = listener;
		socket.setKeepAlive(true, 30_000);
		socket.on("drain", () => listener.drained());
		socket.on("error", () => socket.destroy());
		socket.once("close", () => this.#closed());
		if (socket.destroyed) return this.#closed();
		this.#readAll().catch((error) => this.#failed(error));
	}

	/** False: the client should read before it is sent more. */
	send(text: string): boolean {
		return this.#write(OPCODES.text, Buffer.from(text));
	}

	/** Shows the client that the connection is alive. */
	ping(): void {
		this.#write(OPCODES.ping, Buffer.alloc(0));
	}

	close(code: number = CLOSE_CODES.normal, reason = ""): void {
		if (this.isClosed) return;
		this.#write(OPCODES.close, closePayload(code, reason));
		this.#isClosing = true;
		this.#options.socket.end();
		this.#options.clock.after(LINGER_MS, () => this.destroy());
	}

	destroy(): void {
		this.#options.socket.destroy();
	}

	async #readAll(): Promise<void> {
		const { socket, first, limit, reserve, clock, messageMs } = this.#options;
		const inTime = async (bytes: number) => {
			const room = await reserve(bytes);
			const cancel = clock.after(messageMs, () => this.destroy());
			return {
				release() {
					cancel();
					room.release();
				},
			};
		};
		const control = (opcode: number, payload: Buffer) => this.#control(opcode, payload);
		const reader = new MessageReader(new ByteSource(socket, first), { limit, reserve: inTime, control });
		for (;;) {
			const message = await reader.next();
			if (!message) break;
			// What comes behind a close is not read.
			if (this.isClosed) message.room.release();
			else this.#listener?.message(message);
		}
		this.destroy();
	}

	#failed(error: unknown): void {
		if (error instanceof FrameError) this.close(error.code, error.message);
		else if (error instanceof GatewayError) this.close(CLOSE_CODES.tryLater, "no room for a message");
		else this.destroy();
	}

	#control(opcode: number, payload: Buffer): void {
		if (opcode === OPCODES.ping) {
			if (this.#options.socket.writableLength > MOST_UNREAD) this.destroy();
			else this.#write(OPCODES.pong, payload);
		} else if (opcode === OPCODES.close) this.#answerClose(payload);
	}

	#answerClose(payload: Buffer): void {
		const code = payload.length >= 2 ? payload.readUInt16BE() : CLOSE_CODES.normal;
		const isKnown =
			(code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code < 5000);
		const isValid = payload.length !== 1 && isKnown;
		this.close(isValid ? code : CLOSE_CODES.protocol);
	}

	#write(opcode: number, payload: Buffer): boolean {
		if (this.isClosed) return true;
		return this.#options.socket.write(encodeFrame(opcode, payload));
	}

	#closed(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#listener?.closed();
	}
}
