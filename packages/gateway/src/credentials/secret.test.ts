import { format, inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "./secret.ts";

const CANARY = "canary-7f3a";
const secret = new Secret(CANARY);

describe("a secret", () => {
	it.each<[string, () => string]>([
		["a template", () => `${secret}`],
		["String()", () => String(secret)],
		["concatenation", () => `a${secret}b`],
		["JSON", () => JSON.stringify({ nested: [secret] })],
		["inspect", () => inspect({ nested: { secret } }, { showHidden: true, depth: 9 })],
		["console's %s, %o, %j", () => format("%s %o %j", secret, secret, secret)],
		["an error message", () => new Error(`no ${secret}`).stack ?? ""],
		["a join", () => [secret].join()],
		["spread and clone", () => JSON.stringify([{ ...secret }, structuredClone(secret)])],
		["keys", () => Object.getOwnPropertyNames(secret).join()],
	])("is not shown by %s", (_, show) => {
		expect(show()).not.toContain(CANARY);
	});

	it("shows a mask in its place", () => {
		expect([`${secret}`, JSON.stringify(secret), inspect(secret)]).toEqual(["[secret]", '"[secret]"', "[secret]"]);
	});

	it("can be revealed, compared and identified", () => {
		expect(secret.reveal()).toBe(CANARY);
		expect(secret.equals(new Secret(CANARY))).toBe(true);
		expect(secret.equals(new Secret("other"))).toBe(false);
		expect(secret.fingerprint()).toBe(new Secret(CANARY).fingerprint());
		expect(secret.fingerprint()).not.toBe(new Secret("other").fingerprint());
	});
});
