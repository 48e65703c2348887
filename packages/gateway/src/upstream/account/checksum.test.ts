import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { machineChecksum, openCursorChecksum, tokenChecksum } from "./checksum.ts";

const MACHINE = { machineId: "a".repeat(64) };

/** Undoes the scrambling of the first eight characters. */
function timeBytes(checksum: string): number[] {
	const bytes = [...Buffer.from(checksum.slice(0, 8), "base64url")];
	return bytes.map((byte, index) => ((byte - index) & 255) ^ (index === 0 ? 165 : bytes[index - 1]!));
}

describe("the form of the IDE", () => {
	it("holds the time with the low bytes twice, as 32-bit shifts make it", () => {
		const now = 1_700_000_000_000;
		const t = Math.floor(now / 1_000_000);
		const low = [(t >> 24) & 255, (t >> 16) & 255, (t >> 8) & 255, t & 255];
		expect(timeBytes(machineChecksum(now, MACHINE))).toEqual([low[2], low[3], ...low]);
	});

	it("is the value worked out by hand", () => {
		expect(machineChecksum(1_700_000_000_000, MACHINE)).toBe(`Vfb45Bi9${"a".repeat(64)}`);
	});

	it("ends with the ids", () => {
		expect(machineChecksum(0, MACHINE)).toHaveLength(72);
		expect(machineChecksum(0, { ...MACHINE, macMachineId: "b" })).toMatch(/a\/b$/);
	});

	it("is safe in a header at any time", () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 4e12 }), (now) => {
				expect(machineChecksum(now, MACHINE)).toMatch(/^[A-Za-z0-9_-]{8}a{64}$/);
			}),
		);
	});
});

describe("the form over the token", () => {
	it("moves in steps of half an hour and holds the time once", () => {
		const start = Date.UTC(2026, 7, 1, 12, 0);
		const first = tokenChecksum(start, "h.p.s");
		expect(tokenChecksum(start + 29 * 60_000, "h.p.s")).toBe(first);
		expect(tokenChecksum(start + 30 * 60_000, "h.p.s")).not.toBe(first);
		const t = Math.floor(start / 1_000_000);
		expect(timeBytes(first)).toEqual([0, 0, t >> 24, (t >> 16) & 255, (t >> 8) & 255, t & 255]);
	});

	it("names the token by hashes alone", () => {
		const value = tokenChecksum(0, "header.payload.signature");
		expect(value).toMatch(/^[\w-]{8}[0-9a-f]{8}\/[0-9a-f]{8}$/);
		expect(tokenChecksum(0, "opaque")).toMatch(/^[\w-]{8}00000000\//);
	});
});

describe("the form of OpenCursor", () => {
	it("has the time of the form over the token, and whole hashes of its payload and of all of it", () => {
		const now = Date.UTC(2026, 7, 1, 12, 10);
		const value = openCursorChecksum(now, "header.payload.signature");
		// sha256("payload") and sha256("header.payload.signature").
		const payload = "239f59ed55e737c77147cf55ad0c1b030b6d7ee748a7426952f9b852d5a935e5";
		const token = "256d04db4e5e4ac308751ed0885b722b758630567c53a7125ed9fbd068e5c3f6";
		expect(value).toBe(`${tokenChecksum(now, "h.p.s").slice(0, 8)}${payload}/${token}`);
	});

	it("takes a token that is no JWT", () => {
		expect(openCursorChecksum(0, "opaque")).toMatch(/^[\w-]{8}[0-9a-f]{64}\/[0-9a-f]{64}$/);
	});
});
