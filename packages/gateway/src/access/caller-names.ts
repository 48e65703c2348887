import type { StoredKey } from "../store/store.ts";
import { ANONYMOUS, bringsCredential, callerOfKey } from "./caller.ts";

/** What the caller of a row in the ledger is called: by the name of its key, as far as there is one. */
export function callerNames(keys: readonly StoredKey[]): (caller: string) => string {
	const names = new Map(keys.map((record) => [callerOfKey(record).id, record.name]));
	return (caller) => names.get(caller) ?? nameless(caller);
}

function nameless(caller: string): string {
	if (caller === ANONYMOUS.id) return "without a key";
	return bringsCredential(caller) ? "a Cursor credential" : "a key that is gone";
}
