import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hashKey, isGatewayKey, isSameHash, makeKey } from "./keys.ts";

it("makes keys of 256 random bits", () => {
	const asked: number[] = [];
	const key = makeKey((size) => {
		asked.push(size);
		return new Uint8Array(size).fill(0xff);
	});
	expect(asked).toEqual([32]);
	expect(key).toBe(`cw_${"_".repeat(42)}8`);
	const made = new Set(Array.from({ length: 1000 }, () => makeKey(randomBytes)));
	expect(made.size).toBe(1000);
	for (const one of made) expect(one).toMatch(/^cw_[A-Za-z0-9_-]{43}$/);
	expect(isGatewayKey(key)).toBe(true);
	expect(isGatewayKey("crsr_abc")).toBe(false);
});

it("tells keys apart by all of their hash", () => {
	const key = makeKey(randomBytes);
	expect(isSameHash(hashKey(key), hashKey(key))).toBe(true);
	for (const other of [key.toUpperCase(), key.slice(0, -1), `${key} `, `${key}a`, key.slice(0, 20), "", `${key}\0`]) {
		expect(isSameHash(hashKey(key), hashKey(other))).toBe(false);
	}
	fc.assert(
		fc.property(fc.nat(255), (bit) => {
			const hash = Buffer.from(hashKey(key), "hex");
			hash[bit >> 3]! ^= 1 << (bit & 7);
			expect(isSameHash(hashKey(key), hash.toString("hex"))).toBe(false);
		}),
		{ numRuns: 256 },
	);
});

it("never takes a part of a hash, or none, for the same", () => {
	const hash = hashKey("key");
	for (const other of ["", hash.slice(0, 40), `${hash}00`, hash.replace(/./g, "g")]) {
		expect(isSameHash(hash, other)).toBe(false);
		expect(isSameHash(other, other)).toBe(false);
	}
});
