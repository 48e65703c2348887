import { describe, expect, it } from "vitest";
import { Secret } from "../secret.ts";
import { foundToken, issuedToken } from "./access-token.ts";
import { readClaims } from "./jwt.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;

function jwt(claims: unknown): Secret {
	return new Secret(`eyJh.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`);
}
const lasting = (ms: number, from = NOW) => jwt({ iat: from / 1000, exp: (from + ms) / 1000 });

describe("claims", () => {
	it.each([
		["", undefined],
		["eyJh", undefined],
		["eyJh.bm90IGpzb24.c2ln", undefined],
		["eyJh.bnVsbA.c2ln", undefined],
		["abc.e30.c2ln", undefined],
		["eyJh.e30.c2ln", { subject: undefined, issuedAt: undefined, expiresAt: undefined }],
		[jwt({ sub: 7, exp: "soon", iat: -1 }).reveal(), { subject: undefined, issuedAt: undefined, expiresAt: undefined }],
		[jwt({ sub: "auth0|user_1", exp: 5 }).reveal(), { subject: "auth0|user_1", issuedAt: undefined, expiresAt: 5 }],
	])("of %j", (token, claims) => expect(readClaims(token)).toEqual(claims));
});

describe("a token just issued", () => {
	it.each<[string, Secret, expiresIn: number, renewIn: number]>([
		["is renewed five minutes ahead", lasting(HOUR), HOUR, 55 * MINUTE],
		["that lives short is renewed after half of its life", lasting(4 * MINUTE), 4 * MINUTE, 2 * MINUTE],
		["that lives very short is used for a while all the same", lasting(40_000), 40_000, 30_000],
		["never counts beyond its end", lasting(10_000), 10_000, 10_000],
		["without a readable end is given an hour", jwt({}), HOUR, 55 * MINUTE],
		["that is no JWT is given an hour", new Secret("opaque"), HOUR, 55 * MINUTE],
		["by a clock a day behind ours lives its whole life", lasting(HOUR, NOW - DAY), HOUR, 55 * MINUTE],
		["by a clock a day ahead of ours lives no longer", lasting(HOUR, NOW + DAY), HOUR, 55 * MINUTE],
		["that looks expired and names no start is given an hour", jwt({ exp: NOW / 1000 - 9 }), HOUR, 55 * MINUTE],
		["from a cache counts what is left", lasting(HOUR, NOW - 20 * MINUTE), 40 * MINUTE, 35 * MINUTE],
	])("%s", (_, token, expiresIn, renewIn) => {
		const access = issuedToken(token, NOW);
		expect([access.expiresAt - NOW, access.renewAt - NOW]).toEqual([expiresIn, renewIn]);
	});
});

describe("a token that was found", () => {
	it("expires when it says", () => {
		expect(foundToken(lasting(HOUR, NOW - 2 * HOUR), NOW).expiresAt).toBe(NOW - HOUR);
		expect(foundToken(lasting(HOUR), NOW).renewAt).toBe(NOW + 55 * MINUTE);
	});

	it("is valid for an hour if it does not say", () => expect(foundToken(jwt({}), NOW).expiresAt).toBe(NOW + HOUR));
});
