import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meaningOf, parseCredential } from "./parse-credential.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhdXRoMHx1c2VyXzAxIn0.c2lnbmF0dXJl";

function parsed(text: string): [string, string] | undefined {
	const written = parseCredential(text);
	if (written === undefined) return undefined;
	return [written.kind, (written.kind === "api-key" ? written.apiKey : written.token).reveal()];
}

describe("a written credential", () => {
	it.each([
		[JWT],
		[`user_01ABC%3A%3A${JWT}`],
		[`user_01ABC%3a%3a${JWT}`],
		[`user_01ABC::${JWT}`],
		[`WorkosCursorSessionToken=user_01ABC%3A%3A${JWT}`],
		[`WorkosCursorSessionToken=user_01ABC%3A%3A${JWT}; other=1`],
		[`auth0%7Cuser_01ABC%3A%3A${JWT}`],
		[`  "user_01ABC::${JWT}"\n`],
	])("is a session token: %s", (text) => expect(parsed(text)).toEqual(["session-token", JWT]));

	it.each(["crsr_0a1b2c", "key_demo", " key_demo\n", "'crsr_0a1b2c'"])("is an API key: %s", (text) => {
		expect(parsed(text)).toEqual(["api-key", text.replace(/[\s']/g, "")]);
	});

	it.each([
		"",
		"sk-0a1b",
		"cw_0a1b",
		"key_",
		"crsr_a b",
		"user_01::",
		"eyJhbGciOi",
		"ey.ey.ey",
		`${JWT}.more`,
		`x ${JWT}`,
	])("is none of Cursor's: %j", (text) => expect(parsed(text)).toBeUndefined());

	it("is not searched for in a huge text", () => expect(parsed(`key_${"a".repeat(20_000)}`)).toBeUndefined());

	it("never makes the parser fail", () => {
		fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void parseCredential(text)));
	});
});

describe("what a credential means", () => {
	const meaning = (text: string) => meaningOf(parseCredential(text)!).reveal();

	it("is the same in a hundred spellings", () => {
		const around = Array.from({ length: 25 }, (_, at) => [
			`u${at}::${JWT}`,
			`u${at}%3A%3A${JWT}`,
			`auth0%7Cu${at}%3a%3a${JWT}`,
			`WorkosCursorSessionToken=u${at}::${JWT}; other=${at}`,
		]).flat();
		expect(new Set([JWT, ...around].map(meaning)).size).toBe(1);
		// The last letter of a signature may have bits that belong to no byte.
		const unsigned = JWT.slice(0, JWT.lastIndexOf(".") + 1);
		expect(meaning(`${unsigned}c2lnbmF0dXJlcw`)).toBe(meaning(`${unsigned}c2lnbmF0dXJlcx`));
	});

	it("is another for any other secret, also one of the same user", () => {
		const [header, claims] = JWT.split(".");
		const others = [JWT, `${header}.${claims}.Zm9yZ2Vk`, `${header}.${claims}.`, "key_demo", "key_Demo", "crsr_demo"];
		expect(new Set(others.map(meaning)).size).toBe(others.length);
	});
});
