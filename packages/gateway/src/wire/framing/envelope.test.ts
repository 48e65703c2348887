import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WireErrorCode } from "../errors.ts";
import {
	type Envelope,
	EnvelopeFlag,
	EnvelopeReader,
	encodeEnvelope,
	envelopeParts,
	GRPC_WEB_FLAGS,
} from "./envelope.ts";

function readAll(reader: EnvelopeReader, chunks: Iterable<Uint8Array>): Envelope[] {
	const envelopes: Envelope[] = [];
	for (const chunk of chunks) {
		reader.push(chunk);
		for (let envelope = reader.next(); envelope !== undefined; envelope = reader.next()) envelopes.push(envelope);
	}
	return envelopes;
}

/** The same by the way that makes no objects. */
function advanceThroughAll(reader: EnvelopeReader, chunks: Iterable<Uint8Array>): Envelope[] {
	const envelopes: Envelope[] = [];
	for (const chunk of chunks) {
		reader.push(chunk);
		while (reader.advance()) {
			envelopes.push({ flags: reader.flags, payload: reader.bytes.subarray(reader.start, reader.end) });
		}
	}
	return envelopes;
}

function cut(bytes: Uint8Array, points: readonly number[]): Uint8Array[] {
	const sorted = [...points].sort((a, b) => a - b);
	return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
}

function oneByteChunks(bytes: Uint8Array): Uint8Array[] {
	return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
}

const header = (flags: number, length: number) =>
	Uint8Array.of(flags, length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255);

const withCode = (code: WireErrorCode) => expect.objectContaining({ name: "WireError", code });

const plain = (envelopes: Envelope[]) =>
	envelopes.map(({ flags, payload }) => ({ flags, payload: Buffer.from(payload).toString("hex") }));

describe("an envelope to be written", () => {
	it("is one buffer where it is short, and no copy where it is long", () => {
		const [short, long] = [Buffer.alloc(1000, 1), Buffer.alloc(1_000_000, 2)];
		expect(envelopeParts(2, short)).toEqual([encodeEnvelope(2, short)]);
		const parts = envelopeParts(2, long);
		expect(parts[1]).toBe(long);
		const [read, ...others] = readAll(new EnvelopeReader(), parts);
		expect([read?.flags, long.equals(read!.payload), others]).toEqual([2, true, []]);
	});
});

describe("EnvelopeReader", () => {
	const envelope = fc.record({ flags: fc.constantFrom(0, 1, 2, 3), payload: fc.uint8Array({ maxLength: 40 }) });

	it("U10: reads the same envelopes however the bytes are cut", () => {
		const cases = fc.array(envelope, { maxLength: 6 }).chain((sent) => {
			const bytes = Buffer.concat(sent.map(({ flags, payload }) => encodeEnvelope(flags, payload)));
			const points = fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 });
			return fc.record({ sent: fc.constant(sent), chunks: points.map((at) => cut(bytes, at)) });
		});
		fc.assert(
			fc.property(cases, ({ sent, chunks }) => {
				const reader = new EnvelopeReader();
				expect(plain(readAll(reader, chunks))).toEqual(plain(sent));
				reader.finish();
				expect(plain(advanceThroughAll(new EnvelopeReader(), chunks))).toEqual(plain(sent));
			}),
			{ numRuns: 500 },
		);
	});

	it("U10: reads two envelopes cut in two at every point", () => {
		const bytes = Buffer.concat([encodeEnvelope(0, Buffer.from("hello")), encodeEnvelope(2, Buffer.from("{}"))]);
		for (let point = 0; point <= bytes.length; point++) {
			const reader = new EnvelopeReader();
			const texts = readAll(reader, cut(bytes, [point])).map(({ payload }) => Buffer.from(payload).toString());
			expect(texts).toEqual(["hello", "{}"]);
			reader.finish();
		}
	});

	it("accepts several chunks before the first read", () => {
		const reader = new EnvelopeReader();
		for (const chunk of oneByteChunks(encodeEnvelope(0, Buffer.from("later")))) reader.push(chunk);
		expect(Buffer.from(reader.next()?.payload ?? []).toString()).toBe("later");
		expect(reader.next()).toBeUndefined();
	});

	it("hands out a view of the chunk when the frame lies within one", () => {
		const chunk = Buffer.concat([encodeEnvelope(0, Buffer.from("first")), encodeEnvelope(0, Buffer.from("second"))]);
		const reader = new EnvelopeReader();
		for (const { payload } of readAll(reader, [chunk])) expect(payload.buffer).toBe(chunk.buffer);
		expect(reader.bytesCopied).toBe(0);
	});

	it("hands out a view when only the header came in another chunk", () => {
		const bytes = encodeEnvelope(0, Buffer.from("payload"));
		const reader = new EnvelopeReader();
		const [read] = readAll(reader, cut(bytes, [2, 5]));
		expect(read?.payload.buffer).toBe(bytes.buffer);
		expect(reader.bytesCopied).toBe(0);
	});

	it("U11: reads an empty message", () => {
		expect(plain(readAll(new EnvelopeReader(), oneByteChunks(header(0, 0))))).toEqual([{ flags: 0, payload: "" }]);
	});

	it("U10: copies each byte a constant number of times, also byte by byte", () => {
		for (const size of [10_000, 80_000, 800_000]) {
			const reader = new EnvelopeReader();
			const [read] = readAll(reader, oneByteChunks(encodeEnvelope(0, new Uint8Array(size).fill(7))));
			expect(read?.payload.length).toBe(size);
			expect(reader.bytesCopied).toBeLessThanOrEqual(3 * size);
		}
	});

	it("U12: grows with the data, not with the declared length", () => {
		const reader = new EnvelopeReader();
		const before = process.memoryUsage().arrayBuffers;
		readAll(reader, [header(0, 16 * 1024 * 1024), ...oneByteChunks(new Uint8Array(1000))]);
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
		expect(() => reader.finish()).toThrow(withCode("truncated-frame"));
	});

	it.each([
		["17 MiB", 17 * 1024 * 1024],
		["1.5 GiB", 1.5 * 1024 ** 3],
		["4 GiB", 2 ** 32 - 1],
	])("U12: refuses a declared length of %s without allocating", (_name, length) => {
		const reader = new EnvelopeReader();
		reader.push(header(0, length));
		const before = process.memoryUsage().arrayBuffers;
		expect(() => reader.next()).toThrow(withCode("frame-too-large"));
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 1024 * 1024);
		expect(() => reader.next()).toThrow(withCode("frame-too-large"));
		expect(() => reader.finish()).toThrow(withCode("frame-too-large"));
	});

	it("takes a frame of exactly the limit and refuses one byte more", () => {
		const reader = new EnvelopeReader({ maxPayloadBytes: 8 });
		expect(readAll(reader, [encodeEnvelope(0, new Uint8Array(8))])).toHaveLength(1);
		expect(() => readAll(reader, [encodeEnvelope(0, new Uint8Array(9))])).toThrow(withCode("frame-too-large"));
	});

	it("U14: refuses reserved flag bits of the dialect", () => {
		for (const flags of [4, 8, 16, 32, 64, EnvelopeFlag.TRAILER, 0xff]) {
			expect(() => readAll(new EnvelopeReader(), [header(flags, 0)])).toThrow(withCode("reserved-flags"));
		}
		const grpcWeb = () => new EnvelopeReader({ allowedFlags: GRPC_WEB_FLAGS });
		expect(readAll(grpcWeb(), [header(EnvelopeFlag.TRAILER, 0)])).toHaveLength(1);
		expect(() => readAll(grpcWeb(), [header(EnvelopeFlag.END_STREAM, 0)])).toThrow(withCode("reserved-flags"));
	});

	it("reports a body that ends inside an envelope, at every point", () => {
		const bytes = encodeEnvelope(0, Buffer.from("hello"));
		for (let length = 1; length < bytes.length; length++) {
			const reader = new EnvelopeReader();
			expect(readAll(reader, [bytes.subarray(0, length)])).toEqual([]);
			expect(() => reader.finish()).toThrow(withCode("truncated-frame"));
		}
		expect(() => new EnvelopeReader().finish()).not.toThrow();
	});
});
