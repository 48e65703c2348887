// The frames of RFC 6455.

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Why a connection is closed, as RFC 6455 numbers it. */
export const CLOSE_CODES = {
	normal: 1000,
	goingAway: 1001,
	protocol: 1002,
	type: 1003,
	text: 1007,
	tooBig: 1009,
	tryLater: 1013,
} as const;

/** What a peer sent breaks the protocol, or is more than is taken. */
export class FrameError extends Error {
	readonly code: number;

	constructor(code: number, reason: string) {
		super(reason);
		this.code = code;
	}
}

export interface FrameHead {
	isFinal: boolean;
	opcode: number;
	/** Of the payload, as far as the first two bytes say: 126 and 127 mean that the next 2 or 8 bytes do. */
	length: number;
}

const MOST_OF_CONTROL = 125;

/** Reads the first two bytes of a client's frame. */
export function frameHead(first: number, second: number): FrameHead {
	const head = { isFinal: (first & 0x80) !== 0, opcode: first & 0x0f, length: second & 0x7f };
	if ((first & 0x70) !== 0) throw new FrameError(CLOSE_CODES.protocol, "reserved bits are set");
	if ((second & 0x80) === 0) throw new FrameError(CLOSE_CODES.protocol, "a frame is not masked");
	if (!Object.values<number>(OPCODES).includes(head.opcode)) {
		throw new FrameError(CLOSE_CODES.protocol, "a frame has an unknown type");
	}
	if (isControl(head.opcode) && (!head.isFinal || head.length > MOST_OF_CONTROL)) {
		throw new FrameError(CLOSE_CODES.protocol, "a control frame is too long, or in pieces");
	}
	return head;
}

export const isControl = (opcode: number): boolean => opcode >= OPCODES.close;

/** A whole frame of the server, which is not masked. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
	return Buffer.concat([lengthHead(opcode, payload.length), payload]);
}

function lengthHead(opcode: number, length: number): Buffer {
	const first = 0x80 | opcode;
	if (length <= MOST_OF_CONTROL) return Buffer.from([first, length]);
	if (length <= 0xffff) return Buffer.from([first, 126, length >> 8, length & 0xff]);
	const head = Buffer.alloc(10);
	head[0] = first;
	head[1] = 127;
	head.writeBigUInt64BE(BigInt(length), 2);
	return head;
}

/** A close frame's payload. The reason is short and ASCII, so that it fits. */
export function closePayload(code: number, reason: string): Buffer {
	const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
	payload.writeUInt16BE(code);
	payload.write(reason, 2);
	return payload;
}

/** Takes the mask off bytes of a payload, in place. `at`: how many bytes of the payload came before. */
export function unmask(bytes: Buffer, mask: Buffer, at: number): void {
	for (let index = 0; index < bytes.length; index++) bytes[index]! ^= mask[(at + index) & 3]!;
}
