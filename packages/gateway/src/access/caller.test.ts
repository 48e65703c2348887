import { describe, expect, it } from "vitest";
import type { StoredKey } from "../store/store.ts";
import { GatewayError } from "../turn/error.ts";
import { ANONYMOUS, admit, callerOfCredential, callerOfKey } from "./caller.ts";

const record = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
	id,
	name: id,
	hash: "",
	createdAt: 0,
	...changes,
});

function rules({ noAuth = false, acceptCredentials = true } = {}) {
	const asked: string[] = [];
	return {
		asked,
		keys: { find: async (key: string) => (key === "cw_right" ? record("one") : undefined) },
		cursorCredential: (text: string) => {
			asked.push(text);
			const secret = text.replace(/^user::/, "");
			return /^(?:crsr|cw)_/.test(secret) ? { secret, meaning: secret } : undefined;
		},
		acceptCredentials,
		noAuth,
	};
}

const kindOf = (result: unknown) => (result instanceof GatewayError ? result.kind : result);

describe("admit", () => {
	it("lets a key in", async () => {
		expect(await admit("cw_right", rules())).toEqual({ ...callerOfKey(record("one")), name: record("one").name });
	});

	it("lets a Cursor credential in, on its own account", async () => {
		expect(await admit("crsr_abc", rules())).toEqual({
			...callerOfCredential("crsr_abc"),
			credential: "crsr_abc",
		});
	});

	it("takes every spelling of a credential for the same caller", async () => {
		const [bare, spelt] = [await admit("crsr_abc", rules()), await admit("user::crsr_abc", rules())];
		expect(spelt).toEqual(bare);
	});

	it.each([false, true])(
		"refuses a credential where that is not switched on, and names the setting",
		async (noAuth) => {
			const refusal = await admit("crsr_abc", rules({ noAuth, acceptCredentials: false }));
			expect(kindOf(refusal)).toBe("bad-key");
			expect((refusal as GatewayError).fullMessage).toContain("acceptCursorCredentials");
			expect((refusal as GatewayError).fullMessage).toContain("--accept-cursor-credentials");
			expect((refusal as GatewayError).fullMessage).not.toContain("crsr_abc");
		},
	);

	it("lets nothing else in", async () => {
		for (const key of [undefined, "", "cw_wrong", "sk-abc", "CW_RIGHT", "cw_right "]) {
			expect(kindOf(await admit(key, rules()))).toBe("bad-key");
		}
	});

	it("never takes a gateway key for a credential of Cursor", async () => {
		const wrong = rules();
		await admit("cw_wrong", wrong);
		await admit("cw_wrong", { ...wrong, noAuth: true });
		expect(wrong.asked).toEqual([]);
	});

	it("lets all in without keys, but keeps those apart who show one", async () => {
		const open = rules({ noAuth: true });
		expect(await admit(undefined, open)).toEqual(ANONYMOUS);
		expect(await admit("anything", open)).toEqual(ANONYMOUS);
		expect(await admit("cw_right", open)).toMatchObject(callerOfKey(record("one")));
		expect(await admit("crsr_abc", open)).toMatchObject({ credential: "crsr_abc" });
	});
});

describe("a caller", () => {
	it("is the same for the same key or credential, and another for any other", () => {
		expect(callerOfKey(record("one"))).toEqual(callerOfKey(record("one", { name: "renamed", lastUsedAt: 5 })));
		const ids = [
			callerOfKey(record("one")),
			callerOfKey(record("two")),
			callerOfCredential("one"),
			callerOfCredential("crsr_abc"),
			callerOfCredential("crsr_abd"),
			ANONYMOUS,
		].map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it("is told apart by all of a credential, not by who it says it is", () => {
		const claims = Buffer.from(JSON.stringify({ sub: "auth0|alice" })).toString("base64url");
		expect(callerOfCredential(`e30.${claims}.signature`).id).not.toBe(callerOfCredential(`e30.${claims}.forged`).id);
		const long = "x".repeat(4000);
		expect(callerOfCredential(`${long}a`).id).not.toBe(callerOfCredential(`${long}b`).id);
	});

	it("has no secret in it", () => {
		expect(JSON.stringify(callerOfCredential("crsr_secret"))).not.toContain("secret");
	});

	it("has the limit of its key", () => {
		expect(callerOfKey(record("one", { limits: { concurrentTurns: 2 } })).concurrentTurns).toBe(2);
		expect("concurrentTurns" in callerOfKey(record("one"))).toBe(false);
	});
});
