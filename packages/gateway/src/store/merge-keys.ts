import type { StoredKey } from "./store.ts";

/**
 * The keys of several copies as one list, oldest first. A key that any copy knows is known, and one that any copy knows
 * as revoked is revoked: whichever copy is old or lost, no revoked key comes back to life. Two records of one hash are
 * one key, which the older record describes.
 */
export function mergeKeys(...copies: (readonly StoredKey[])[]): StoredKey[] {
	const merged = new Map<string, StoredKey>();
	for (const record of copies.flat().sort(byAge)) {
		const first = merged.get(record.hash) ?? record;
		const revokedAt = least(first.revokedAt, record.revokedAt);
		const lastUsedAt = most(first.lastUsedAt, record.lastUsedAt);
		merged.set(record.hash, {
			...first,
			...(revokedAt !== undefined && { revokedAt }),
			...(lastUsedAt !== undefined && { lastUsedAt }),
		});
	}
	return [...merged.values()];
}

/** Keys of `wanted` that are not in `present`, or are not revoked there though they should be. */
export function missingKeys(present: readonly StoredKey[], wanted: readonly StoredKey[]): StoredKey[] {
	const known = new Map(present.map((record) => [record.hash, record]));
	return wanted.filter(({ hash, revokedAt }) => {
		const record = known.get(hash);
		return !record || (revokedAt !== undefined && record.revokedAt === undefined);
	});
}

const byAge = (one: StoredKey, other: StoredKey): number =>
	one.createdAt - other.createdAt || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

const least = (one: number | undefined, other: number | undefined): number | undefined =>
	one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

const most = (one: number | undefined, other: number | undefined): number | undefined =>
	one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
