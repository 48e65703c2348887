// The known client versions as data. When Cursor begins to refuse one, its entry gets a date.

/** A version of Cursor's CLI that the gateway can send as its own. */
export interface ClientVersion {
	/** The value of `x-cursor-client-version`. */
	version: string;
	/** The day of the build. */
	since: string;
	/** The first day on which Cursor was seen to refuse it. */
	refusedSince?: string;
	/** What is known about it. */
	facts: string;
}

/** The version that this release was made with. It is used when all versions of the table are refused. */
export const PINNED_CLIENT_VERSION = "cli-2026.08.11-e8db854";

/** The newest first. */
export const CLIENT_VERSIONS: readonly ClientVersion[] = [
	{ version: PINNED_CLIENT_VERSION, since: "2026-08-11", facts: "the messages of this release" },
	{ version: "cli-2026.07.16-899851b", since: "2026-07-16", facts: "seen to work in other clients" },
	{ version: "cli-2026.07.09-a3815c0", since: "2026-07-09", facts: "seen to work in other clients" },
	{ version: "cli-2026.07.08-0c04a8a", since: "2026-07-08", facts: "seen to work in other clients" },
	{ version: "cli-2026.02.13-41ac335", since: "2026-02-13", facts: "seen to work for lists of models" },
	{ version: "cli-2026.01.09-231024f", since: "2026-01-09", facts: "seen to work in other clients" },
];

/** Versions that Cursor is not known to refuse, the newest first. */
export function acceptedVersions(table: readonly ClientVersion[] = CLIENT_VERSIONS): string[] {
	return table.filter(({ refusedSince }) => refusedSince === undefined).map(({ version }) => version);
}

export type ClientVersionSource = "installed" | "table" | "pin";

/**
 * The version to use if no setting names one. Cursor has accepted the version of the user's own installation before,
 * while the newest version of the table is merely not known to be refused.
 */
export function chooseClientVersion(
	installed: string | undefined,
	table: readonly ClientVersion[] = CLIENT_VERSIONS,
): { value: string; from: ClientVersionSource } {
	const isRefused = table.some(({ version, refusedSince }) => version === installed && refusedSince !== undefined);
	if (installed !== undefined && !isRefused) return { value: installed, from: "installed" };
	const [newest] = acceptedVersions(table);
	return newest === undefined ? { value: PINNED_CLIENT_VERSION, from: "pin" } : { value: newest, from: "table" };
}
