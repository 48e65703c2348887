import { isUtf8 } from "node:buffer";
import { inSlices } from "../../time/slices.ts";
import { BytePile } from "../byte-pile.ts";
import type { ByteSource } from "./byte-source.ts";
import { CLOSE_CODES, FrameError, type FrameHead, frameHead, isControl, OPCODES, unmask } from "./frame.ts";

/** Room in memory for a message. */
interface MessageRoom {
	release(): void;
}

export interface MessageReaderOptions {
	/** The largest message, in bytes. */
	limit: number;
	/** Waits until a message has room that may become so long. */
	reserve(bytes: number): Promise<MessageRoom>;
	/** Hears of control frames. */
	control(opcode: number, payload: Buffer): void;
}

/** A whole message. Its room is to be released when it is parsed. */
export interface Message {
	bytes: Buffer;
	room: MessageRoom;
}

/** Reads whole text messages from a client's frames. Control frames may come in between. */
export class MessageReader {
	readonly #source: ByteSource;
	readonly #options: MessageReaderOptions;

	constructor(source: ByteSource, options: MessageReaderOptions) {
		this.#source = source;
		this.#options = options;
	}

	/** The next message; undefined when the connection has ended. Throws a `FrameError`. */
	async next(): Promise<Message | undefined> {
		const pile = new BytePile();
		let room: MessageRoom | undefined;
		try {
			for (;;) {
				const head = await this.#head();
				if (!head) return undefined;
				if (isControl(head.opcode)) {
					if (!(await this.#control(head))) return undefined;
					continue;
				}
				requireOrder(head, room !== undefined);
				const length = await this.#length(head);
				if (length === undefined) return undefined;
				if (pile.length + length > this.#options.limit) throw tooBig();
				// A message in pieces may become as long as any.
				room ??= await this.#options.reserve(head.isFinal ? length : this.#options.limit);
				if (!(await this.#payload(length, pile))) return undefined;
				if (!head.isFinal) continue;
				const bytes = await inSlices(pile.take());
				if (!isUtf8(bytes)) throw new FrameError(CLOSE_CODES.text, "a message is not valid UTF-8");
				const message = { bytes, room };
				room = undefined;
				return message;
			}
		} finally {
			room?.release();
		}
	}

	async #head(): Promise<FrameHead | undefined> {
		const bytes = await this.#source.take(2);
		return bytes && frameHead(bytes[0]!, bytes[1]!);
	}

	async #length({ length }: FrameHead): Promise<number | undefined> {
		if (length < 126) return length;
		const bytes = await this.#source.take(length === 126 ? 2 : 8);
		if (!bytes) return undefined;
		if (length === 126) return bytes.readUInt16BE();
		const long = bytes.readBigUInt64BE();
		return long > BigInt(this.#options.limit) ? Number.POSITIVE_INFINITY : Number(long);
	}

	async #payload(length: number, pile: BytePile): Promise<boolean> {
		const mask = await this.#source.take(4);
		if (!mask) return false;
		let at = 0;
		return this.#source.pass(length, (piece) => {
			unmask(piece, mask, at);
			at += piece.length;
			pile.add(piece);
		});
	}

	async #control({ opcode, length }: FrameHead): Promise<boolean> {
		const pile = new BytePile();
		if (!(await this.#payload(length, pile))) return false;
		this.#options.control(opcode, await inSlices(pile.take()));
		return true;
	}
}

function requireOrder({ opcode }: FrameHead, isInside: boolean): void {
	if (opcode === OPCODES.binary) throw new FrameError(CLOSE_CODES.type, "a message is not text");
	if ((opcode === OPCODES.continuation) !== isInside) {
		throw new FrameError(CLOSE_CODES.protocol, "the frames of messages are mixed up");
	}
}

const tooBig = () => new FrameError(CLOSE_CODES.tooBig, "a message is too large");
