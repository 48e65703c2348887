import { expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { parseCredential } from "../../credentials/parse-credential.ts";
import type { CursorAccount } from "../../upstream/account/cursor-account.ts";
import { GUEST_IDLE_MS, GuestAccounts } from "./guest-accounts.ts";

const credential = (name: string) => parseCredential(`key_${name}`)!;

function setUp() {
	const clock = new ManualClock();
	const released: string[] = [];
	let opened = 0;
	const accounts = new GuestAccounts({
		clock,
		open: () => ({ id: `account ${opened++}` }) as CursorAccount,
		release: (id) => released.push(id),
	});
	return { clock, released, accounts };
}

it("keeps one account for all spellings of a credential", () => {
	const { accounts } = setUp();
	const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhdXRoMHx1c2VyXzAxIn0.c2lnbmF0dXJl";
	const spellings = [token, `u0::${token}`, `u1%3A%3A${token}`].map((text) => parseCredential(text)!);
	expect(new Set(spellings.map((spelling) => accounts.of(spelling).id)).size).toBe(1);
});

it("lets the connections of the least recently used go where there are too many", () => {
	const { accounts, released } = setUp();
	for (let at = 0; at < 256; at++) accounts.of(credential(String(at)));
	accounts.of(credential("0"));
	expect(released).toEqual([]);
	accounts.of(credential("256"));
	expect(released).toEqual(["account 1"]);
});

it("lets the connections of those go that nobody uses any more", () => {
	const { accounts, released, clock } = setUp();
	accounts.of(credential("a"));
	clock.advance(GUEST_IDLE_MS / 2);
	accounts.of(credential("b"));
	clock.advance(GUEST_IDLE_MS / 2);
	expect(released).toEqual(["account 0"]);
	clock.advance(GUEST_IDLE_MS);
	expect(released).toEqual(["account 0", "account 1"]);
	expect(accounts.of(credential("a")).id).toBe("account 2");
});
