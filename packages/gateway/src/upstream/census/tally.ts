import type { UnknownPart } from "./unknown-parts.ts";

/** Something unknown, as it is counted. */
export type Sighting =
	| UnknownPart
	/** A model that was not listed before. */
	| { what: "model"; path: string }
	/** Stands for everything that came after the rows were full. */
	| { what: "more"; path: string };

/** How often something unknown was seen with one client version. Times are in milliseconds since the epoch. */
export type CensusRow = Sighting & {
	clientVersion: string;
	count: number;
	firstSeen: number;
	lastSeen: number;
};

export const MOST_ROWS = 200;
export const MOST_VERSIONS = 8;

const MORE: Sighting = { what: "more", path: "(further ones, for which there is no room)" };

/** Counts sightings by client version and path. The number of rows is limited. */
export class Tally {
	readonly #versions = new Map<string, Map<string, CensusRow>>();

	add(clientVersion: string, sighting: Sighting, at: number): void {
		// Nearly every sighting is known already, and then nothing has to be allocated.
		const known = this.#versions.get(clientVersion)?.get(keyOf(sighting));
		if (!known) return this.#count({ ...sighting, clientVersion, count: 1, firstSeen: at, lastSeen: at });
		known.count += 1;
		known.lastSeen = at;
	}

	/** Adds what another tally counted. */
	merge(rows: readonly CensusRow[]): void {
		for (const row of rows) this.#count(row);
	}

	/** Oldest first. */
	rows(): CensusRow[] {
		const rows = [...this.#versions.values()].flatMap((version) => [...version.values()]);
		return rows.map((row) => ({ ...row })).sort((a, b) => a.firstSeen - b.firstSeen);
	}

	#count(row: CensusRow): void {
		const version = this.#version(row.clientVersion);
		const key = keyOf(row);
		const known = version.get(key);
		if (known) return addTo(known, row);
		// The last place is reserved for the row that stands for all others.
		if (version.size < MOST_ROWS - 1) version.set(key, { ...row });
		else if (row.what === "more") version.set(key, { ...row });
		else this.#count({ ...MORE, ...timesOf(row) });
	}

	#version(name: string): Map<string, CensusRow> {
		const known = this.#versions.get(name);
		if (known) return known;
		if (this.#versions.size === MOST_VERSIONS) this.#versions.delete(this.#longestUnseen());
		const version = new Map<string, CensusRow>();
		this.#versions.set(name, version);
		return version;
	}

	#longestUnseen(): string {
		const lastSeen = (rows: Map<string, CensusRow>) => Math.max(...[...rows.values()].map((row) => row.lastSeen));
		const [oldest] = [...this.#versions].sort(([, a], [, b]) => lastSeen(a) - lastSeen(b));
		return oldest![0];
	}
}

/** The key of a sighting within its client version. */
export const keyOf = (row: Sighting) => `${row.what} ${row.path} ${"value" in row ? row.value : ""}`;

const timesOf = ({ clientVersion, count, firstSeen, lastSeen }: CensusRow) => ({
	clientVersion,
	count,
	firstSeen,
	lastSeen,
});

function addTo(row: CensusRow, { count, firstSeen, lastSeen }: CensusRow): void {
	row.count += count;
	row.firstSeen = Math.min(row.firstSeen, firstSeen);
	row.lastSeen = Math.max(row.lastSeen, lastSeen);
}
