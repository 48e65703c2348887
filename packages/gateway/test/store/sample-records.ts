// Records for the tests of the store. Imports nothing of the test runner: a child process uses them, too.
import { createHash } from "node:crypto";
import type { LedgerRow } from "../../src/store/ledger-row.ts";
import type { StoredCheckpoint, StoredKey } from "../../src/store/store.ts";

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (data: Uint8Array | undefined): string | undefined => data && new TextDecoder().decode(data);
const hashOf = (data: Uint8Array): Uint8Array => createHash("sha256").update(data).digest();
const hexOf = (data: Uint8Array): string => Buffer.from(hashOf(data)).toString("hex");

/** A checkpoint over blobs with these contents. */
export function checkpoint(caller: string, key: string, contents: readonly string[] = [], state = `state of ${key}`) {
	const blobs = contents.map(bytes);
	const record: StoredCheckpoint = {
		caller,
		key,
		conversationId: `conversation of ${caller}`,
		state: bytes(state),
		blobIds: blobs.map(hashOf),
	};
	return [record, new Map(blobs.map((blob) => [hexOf(blob), blob]))] as const;
}

export const blobsOf = (contents: readonly string[]) =>
	new Map(contents.map((content) => [hexOf(bytes(content)), bytes(content)]));

export const ledgerRow = (changes: Partial<LedgerRow> = {}): LedgerRow => ({
	at: Date.UTC(2026, 10, 15, 12),
	caller: "alice",
	dialect: "chat",
	model: "auto",
	path: "new",
	inputTokens: 10,
	outputTokens: 5,
	cachedTokens: 3,
	reasoningTokens: 2,
	latencyMs: 100,
	firstTokenMs: 20,
	status: 200,
	...changes,
});

export const keyRecord = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
	id,
	name: `name of ${id}`,
	hash: hexOf(bytes(id)),
	createdAt: 1,
	...changes,
});
