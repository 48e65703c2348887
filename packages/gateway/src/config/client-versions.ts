// The client versions that are known, as data: when Cursor begins to refuse one, its line here says so.

/** As which version of Cursor's CLI the gateway can introduce itself. */
export interface ClientVersion {
	/** As it stands in `x-cursor-client-version`. */
	version: string;
	/** The day of the build. */
	since: string;
	/** The day from which on Cursor was seen to refuse it. */
	refusedSince?: string;
	/** What is known of it. */
	facts: string;
}

/** What this release was made with; for the day when the table has nothing left. */
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
 * The version to use where no setting names one. What the user's own Cursor says was accepted on this machine
 * before; the newest of the table is merely not known to be refused.
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
