import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Credential } from "../credential.ts";
import { Secret } from "../secret.ts";
import { CredentialTextError, decodeCredential, encodeCredential } from "./credential-text.ts";

const secret = fc.string({ minLength: 1 }).map((text) => new Secret(text));
const access = fc.record({ value: secret, expiresAt: fc.integer(), renewAt: fc.integer() });
const bound = {
	origin: fc.constant("https://api2.cursor.sh"),
	login: fc.string({ minLength: 1 }),
	revision: fc.nat(),
};
const credential: fc.Arbitrary<Credential> = fc.oneof(
	fc.record({ kind: fc.constant("api-key" as const), ...bound, apiKey: secret }),
	fc.record({ kind: fc.constant("api-key" as const), ...bound, apiKey: secret, access }),
	fc.record({ kind: fc.constant("session" as const), ...bound, access, refreshToken: secret }),
	fc.record({
		kind: fc.constant("session" as const),
		...bound,
		access,
		refreshToken: secret,
		refreshCall: fc.constant("exchange"),
	}),
	fc.record({ kind: fc.constant("session-token" as const), ...bound, access }),
);

/** Secrets compare as masks otherwise. */
const revealed = (value: unknown): unknown =>
	value instanceof Secret
		? value.reveal()
		: typeof value === "object" && value !== null
			? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revealed(inner)]))
			: value;

describe("a record", () => {
	it("gives back what was put in", () => {
		fc.assert(
			fc.property(credential, (given) => {
				expect(revealed(decodeCredential(encodeCredential(given)))).toEqual(revealed(given));
			}),
		);
	});

	it("is refused when it is cut short anywhere", () => {
		fc.assert(
			fc.property(credential, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, share) => {
				const whole = encodeCredential(given);
				expect(() => decodeCredential(whole.slice(0, Math.floor(whole.length * share)))).toThrow(CredentialTextError);
			}),
		);
	});

	it.each([
		["null", "not a stored credential"],
		["[]", "not a stored credential"],
		["7", "not a stored credential"],
		['{"version":2,"kind":"api-key"}', "newer cursorwire"],
		['{"version":1,"kind":"password"}', "wrong at kind"],
		['{"version":1,"kind":"api-key","origin":"o","login":"l","revision":0,"apiKey":7}', "wrong at apiKey"],
		['{"version":1,"kind":"api-key","origin":"o","login":"l","revision":-1,"apiKey":"canary"}', "wrong at revision"],
	])("says what is wrong without quoting the content: %s", (text, reason) => {
		expect(() => decodeCredential(text)).toThrow(reason);
		expect(() => decodeCredential(text)).not.toThrow(/canary/);
	});
});
