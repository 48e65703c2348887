import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Utf8Decoder } from "./utf8.ts";

function decode(pieces: Iterable<Uint8Array>): string {
	const decoder = new Utf8Decoder();
	let text = "";
	for (const piece of pieces) text += decoder.push(piece);
	return text + decoder.end();
}

const reference = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** Bytes that make up the borders of valid UTF-8; uniform bytes would rarely meet them. */
const telling = fc.constantFrom(
	...[0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf],
	...[0xe0, 0xe1, 0xed, 0xee, 0xef, 0xbb, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xfe, 0xff],
);
const bytes = fc.oneof(
	fc.array(telling, { maxLength: 24 }).map((values) => Uint8Array.from(values)),
	fc.string({ unit: "binary", maxLength: 12 }).map((text) => new TextEncoder().encode(text)),
	fc.uint8Array({ maxLength: 24 }),
);

describe("U15: Utf8Decoder", () => {
	it("equals TextDecoder over the joined bytes, for every way to cut them in two and for single bytes", () => {
		fc.assert(
			fc.property(bytes, (all) => {
				const expected = reference(all);
				for (let point = 0; point <= all.length; point++) {
					expect(decode([all.subarray(0, point), all.subarray(point)])).toBe(expected);
				}
				expect(decode(Array.from(all, (byte) => Uint8Array.of(byte)))).toBe(expected);
			}),
			{ numRuns: 1000 },
		);
	});

	it("decodes parts of one buffer as it decodes copies of them", () => {
		const text = fc.oneof(
			fc.string({ maxLength: 40 }),
			fc.string({ unit: "binary", maxLength: 12 }),
			fc.constant("x".repeat(3_000)),
		);
		fc.assert(
			fc.property(fc.array(text, { maxLength: 12 }), fc.uint8Array({ maxLength: 8 }), (texts, gap) => {
				const pieces = texts.map((each) => Buffer.from(each));
				const whole = Buffer.concat(pieces.flatMap((piece) => [piece, gap]));
				const decoder = new Utf8Decoder();
				let at = 0;
				const decoded = pieces.map((piece) => {
					const start = at;
					at += piece.length + gap.length;
					return decoder.push(whole, start, start + piece.length);
				});
				expect(decoded.join("") + decoder.end()).toBe(reference(Buffer.concat(pieces)));
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		["an emoji", [0xf0, 0x9f, 0x98, 0x80], "😀"],
		["a lone continuation byte", [0x41, 0x80, 0x42], "A\ufffdB"],
		["an overlong slash", [0xc0, 0xaf], "\ufffd\ufffd"],
		["an encoded surrogate", [0xed, 0xa0, 0x80], "\ufffd\ufffd\ufffd"],
		["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80], "\ufffd\ufffd\ufffd\ufffd"],
		["half an emoji at the end", [0x41, 0xf0, 0x9f], "A\ufffd"],
		["a byte order mark", [0xef, 0xbb, 0xbf, 0x41], "\ufeffA"],
		["NUL", [0x41, 0, 0x42], "A\0B"],
	])("decodes %s", (_name, values, text) => {
		expect(decode([Uint8Array.from(values)])).toBe(text);
		expect(decode(values.map((value) => Uint8Array.of(value)))).toBe(text);
	});

	it("gives a code point out with its last byte, not later", () => {
		const decoder = new Utf8Decoder();
		const [a, b, c] = [...Buffer.from("€")].map((value) => Uint8Array.of(value));
		expect([a, b, c].map((piece) => decoder.push(piece as Uint8Array))).toEqual(["", "", "€"]);
	});

	it("can be used again after the end", () => {
		const decoder = new Utf8Decoder();
		decoder.push(Uint8Array.of(0xf0));
		expect(decoder.end()).toBe("\ufffd");
		expect(decoder.push(Buffer.from("ok"))).toBe("ok");
		expect(decoder.end()).toBe("");
	});
});
