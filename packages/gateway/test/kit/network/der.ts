// The encoding of certificates (X.690, DER): a tag, a length, and what it holds.

export function sequence(...items: Uint8Array[]): Buffer {
	return element(0x30, ...items);
}

export function set(...items: Uint8Array[]): Buffer {
	return element(0x31, ...items);
}

/** A field that its number names, because it may be left out; it holds a whole element. */
export function explicit(number: number, item: Uint8Array): Buffer {
	return element(0xa0 | number, item);
}

/** A choice that its number names, in place of the tag of what it holds. */
export function implicit(number: number, content: Uint8Array): Buffer {
	return element(0x80 | number, content);
}

/** A number of any length that is not negative, without zeros in front. */
export function integer(bytes: Uint8Array): Buffer {
	const sign = (bytes[0] ?? 0) & 0x80 ? [0] : [];
	return element(0x02, Uint8Array.from(sign), bytes);
}

export function boolean(value: boolean): Buffer {
	return element(0x01, Uint8Array.of(value ? 0xff : 0));
}

export function bitString(bytes: Uint8Array): Buffer {
	return element(0x03, Uint8Array.of(0), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
	return element(0x04, bytes);
}

export function utf8String(text: string): Buffer {
	return element(0x0c, Buffer.from(text));
}

/** A second between 1950 and 2049. */
export function utcTime(time: Date): Buffer {
	const digits = time.toISOString().replace(/\D/g, "").slice(2, 14);
	return element(0x17, Buffer.from(`${digits}Z`));
}

/** Such as `2.5.29.17`. */
export function objectIdentifier(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
	return element(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(inSevenBits)));
}

/** Most significant first; every byte except the last has its highest bit set. */
function inSevenBits(value: number): number[] {
	const bytes = [value & 0x7f];
	for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
	return bytes;
}

function element(tag: number, ...contents: Uint8Array[]): Buffer {
	const content = Buffer.concat(contents);
	return Buffer.concat([Uint8Array.of(tag), length(content.length), content]);
}

function length(bytes: number): Uint8Array {
	if (bytes < 0x80) return Uint8Array.of(bytes);
	if (bytes < 0x100) return Uint8Array.of(0x81, bytes);
	return Uint8Array.of(0x82, bytes >> 8, bytes & 0xff);
}
