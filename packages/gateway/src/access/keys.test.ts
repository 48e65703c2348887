import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { hashKey, isGatewayKey, makeKey } from "./keys.ts";

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

it("tells keys apart by all of their characters", () => {
	const key = makeKey(randomBytes);
	expect(hashKey("key")).toBe("2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683");
	for (const other of [key.toUpperCase(), key.slice(0, -1), `${key} `, `${key}a`, key.slice(0, 20), "", `${key}\0`]) {
		expect(hashKey(other)).not.toBe(hashKey(key));
	}
});
