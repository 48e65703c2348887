import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WireErrorCode } from "../errors.ts";
import { inflate, inflateEnvelope } from "./compression.ts";
import { EnvelopeFlag, EnvelopeReader, encodeEnvelope } from "./envelope.ts";

const CODERS = { gzip: gzipSync, br: brotliCompressSync, identity: (bytes: Uint8Array) => bytes } as const;
const withCode = (code: WireErrorCode) => expect.objectContaining({ name: "WireError", code });
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const codings = ["gzip", "br"] as const;

describe("inflate", () => {
	it("returns what was compressed", () => {
		const coding = fc.constantFrom(...(Object.keys(CODERS) as (keyof typeof CODERS)[]));
		fc.assert(
			fc.property(coding, fc.uint8Array({ maxLength: 2000 }), (name, bytes) => {
				expect(Buffer.from(inflate(CODERS[name](bytes), name))).toEqual(Buffer.from(bytes));
			}),
		);
	});

	it("passes a body without a coding through untouched", () => {
		const bytes = Uint8Array.of(1, 2, 3);
		expect(inflate(bytes, undefined)).toBe(bytes);
		expect(inflate(bytes, "identity")).toBe(bytes);
	});

	it.each(["deflate", "zstd", "", "GZIP", "constructor", "__proto__"])(
		"U13: refuses the unknown coding %j",
		(coding) => {
			expect(() => inflate(Uint8Array.of(1), coding)).toThrow(withCode("unknown-coding"));
		},
	);

	it.each(codings)("U13: refuses data that is not %s", (coding) => {
		expect(() => inflate(Buffer.from("plain text, not compressed"), coding)).toThrow(withCode("bad-compression"));
	});

	it.each(codings)("refuses %s data that is cut short", (coding) => {
		const whole = CODERS[coding](Buffer.from("some text ".repeat(50)));
		expect(() => inflate(whole.subarray(0, whole.length - 5), coding)).toThrow(withCode("bad-compression"));
	});

	it.each(codings)("U13: stops a %s bomb at the ratio, before its full size is in memory", (coding) => {
		const zeros = new Uint8Array(64 * 1024 * 1024);
		const bomb = coding === "gzip" ? gzipSync(zeros) : brotliCompressSync(zeros, FAST);
		const before = process.memoryUsage().arrayBuffers;
		expect(() => inflate(bomb, coding)).toThrow(withCode("inflate-limit"));
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
	});

	it("lets a small highly compressible payload pass", () => {
		const bytes = new Uint8Array(60 * 1024);
		expect(bytes.length / gzipSync(bytes).length).toBeGreaterThan(200);
		expect(inflate(gzipSync(bytes), "gzip")).toHaveLength(bytes.length);
	});

	it("keeps the byte limit, whatever the ratio", () => {
		const bytes = new Uint8Array(1000);
		expect(inflate(gzipSync(bytes), "gzip", { maxBytes: 1000 })).toHaveLength(1000);
		expect(() => inflate(gzipSync(bytes), "gzip", { maxBytes: 999 })).toThrow(withCode("inflate-limit"));
	});
});

describe("inflateEnvelope", () => {
	it("round trips flagged and plain envelopes through the reader", () => {
		const message = fc.record({ bytes: fc.uint8Array({ maxLength: 200 }), isCompressed: fc.boolean() });
		fc.assert(
			fc.property(fc.constantFrom(...codings), fc.array(message, { maxLength: 5 }), (coding, messages) => {
				const reader = new EnvelopeReader();
				for (const { bytes, isCompressed } of messages) {
					const payload = isCompressed ? CODERS[coding](bytes) : bytes;
					reader.push(encodeEnvelope(isCompressed ? EnvelopeFlag.COMPRESSED : 0, payload));
				}
				for (const { bytes } of messages) {
					const envelope = reader.next();
					if (envelope === undefined) throw new Error("an envelope is missing");
					expect(Buffer.from(inflateEnvelope(envelope, coding))).toEqual(Buffer.from(bytes));
				}
			}),
		);
	});

	it("does not touch an envelope without the flag, even if a coding was announced", () => {
		const payload = Buffer.from("plain");
		expect(inflateEnvelope({ flags: 0, payload }, "gzip")).toBe(payload);
	});

	it("refuses the flag in a stream that announced no coding", () => {
		const envelope = { flags: EnvelopeFlag.COMPRESSED, payload: gzipSync(Buffer.from("x")) };
		expect(() => inflateEnvelope(envelope, undefined)).toThrow(withCode("bad-compression"));
		expect(() => inflateEnvelope(envelope, "identity")).toThrow(withCode("bad-compression"));
	});

	it("takes an empty message that was flagged without being compressed", () => {
		expect(inflateEnvelope({ flags: EnvelopeFlag.COMPRESSED, payload: new Uint8Array() }, "gzip")).toHaveLength(0);
	});
});
