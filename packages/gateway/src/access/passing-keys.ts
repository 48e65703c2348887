import type { Store, StoredKey } from "../store/store.ts";
import { idOfKey } from "./key-ring.ts";
import { hashKey } from "./keys.ts";

export interface PassingKey {
	name: string;
	key: string;
}

type KeyStore = Pick<Store, "listKeys" | "addKey" | "revokeKey" | "touchKey" | "renewKey">;

/** A store of keys with further ones, which are valid while this process runs and are kept nowhere. */
export function withPassingKeys(store: KeyStore, passing: readonly PassingKey[], now: () => number): KeyStore {
	const records = new Map<string, StoredKey>();
	for (const { name, key } of passing) {
		const id = idOfKey(key);
		records.set(id, { id, name, hash: hashKey(key), createdAt: now() });
	}
	return {
		listKeys: async () => [...(await store.listKeys()), ...records.values()],
		addKey: (record) => store.addKey(record),
		revokeKey: (id, at) => store.revokeKey(id, at),
		renewKey: (id, expiresAt) => store.renewKey(id, expiresAt),
		async touchKey(id, at) {
			const record = records.get(id);
			if (record) records.set(id, { ...record, lastUsedAt: at });
			else await store.touchKey(id, at);
		},
	};
}
