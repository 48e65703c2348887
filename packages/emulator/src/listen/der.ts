// Just enough DER (X.690) to write one certificate.

const TAG = {
	integer: 0x02,
	bitString: 0x03,
	octetString: 0x04,
	oid: 0x06,
	utf8String: 0x0c,
	generalizedTime: 0x18,
	sequence: 0x30,
	set: 0x31,
} as const;

function encode(tag: number, content: Uint8Array): Buffer {
	return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
	if (length < 0x80) return Buffer.from([length]);
	const bytes: number[] = [];
	for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
	return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => encode(TAG.sequence, Buffer.concat(parts));
export const set = (...parts: Uint8Array[]): Buffer => encode(TAG.set, Buffer.concat(parts));
export const octetString = (content: Uint8Array): Buffer => encode(TAG.octetString, content);
export const utf8String = (text: string): Buffer => encode(TAG.utf8String, Buffer.from(text));
export const bitString = (content: Uint8Array): Buffer =>
	encode(TAG.bitString, Buffer.concat([Buffer.from([0]), content]));
export const boolean = (value: boolean): Buffer => Buffer.from([0x01, 0x01, value ? 0xff : 0]);

/** A context-specific tag: constructed where it wraps other values, primitive where it renames a string type. */
export const tagged = (number: number, content: Uint8Array, constructed = true): Buffer =>
	encode((constructed ? 0xa0 : 0x80) | number, content);

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
	const padded = (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : Buffer.from(bytes);
	return encode(TAG.integer, padded);
}

export function generalizedTime(date: Date): Buffer {
	const digits = date
		.toISOString()
		.replace(/[-:T]/g, "")
		.replace(/\.\d+Z$/, "Z");
	return encode(TAG.generalizedTime, Buffer.from(digits, "latin1"));
}

export function oid(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
	const bytes = [first * 40 + second];
	for (const arc of rest) {
		const groups = [arc & 0x7f];
		for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
		bytes.push(...groups);
	}
	return encode(TAG.oid, Buffer.from(bytes));
}
