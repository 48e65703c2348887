import type { StoredKey } from "../store.ts";

/**
 * Merges the keys of several copies into one list, oldest first. A key that is in any copy is kept, and one that is
 * revoked in any copy is revoked: whichever copy is old or lost, no revoked key becomes valid again. Two records with
 * the same hash are one key, described by the older record.
 */
export function mergeKeys(...copies: (readonly StoredKey[])[]): StoredKey[] {
	const merged = new Map<string, StoredKey>();
	for (const record of copies.flat().sort(byAge)) {
		const first = merged.get(record.hash) ?? record;
		const revokedAt = least(first.revokedAt, record.revokedAt);
		const lastUsedAt = most(first.lastUsedAt, record.lastUsedAt);
		const expiresAt = most(first.expiresAt, record.expiresAt);
		merged.set(record.hash, {
			...first,
			...(revokedAt !== undefined && { revokedAt }),
			...(lastUsedAt !== undefined && { lastUsedAt }),
			...(expiresAt !== undefined && { expiresAt }),
		});
	}
	return [...merged.values()];
}

/** Keys of `wanted` that are not in `present`, or not revoked there although they should be. */
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
