import { groupOf } from "../ledger-figures.ts";
import {
	type FoundRows,
	type LedgerGroup,
	type LedgerNames,
	MOST_OF_CONVERSATION,
	type RowFilter,
	type StoredRow,
} from "../ledger-reads.ts";
import type { LedgerRow } from "../ledger-row.ts";
import { mergeTotals, totalsOf } from "../ledger-totals.ts";
import { matches, namesOf } from "../row-filter.ts";
import type { LedgerTotals } from "../store.ts";
import { APPEND, CONTAINING, COUNT, DIGITS, FIND, RANGE, REMOVE_SURPLUS } from "./ledger-scripts.ts";
import type { RedisLink } from "./link.ts";

/** How many rows are read at once: Redis serves nothing else for about a millisecond. */
const SLICE = 1_000;
const ALL_TIME = "-inf";

/** One row per request, by the time of the request. Its id is the number that it got when it was added. */
export class RedisLedger {
	readonly #link: RedisLink;
	readonly #ttlMs: number;

	constructor(link: RedisLink, ttlMs: number) {
		this.#link = link;
		this.#ttlMs = ttlMs;
	}

	async append(rows: readonly LedgerRow[]): Promise<void> {
		if (rows.length === 0) return;
		await this.#link.run(APPEND, [this.#ttlMs, ...rows.flatMap((row) => [row.at, JSON.stringify(row)])]);
	}

	async usageSince(since: number): Promise<LedgerTotals[]> {
		let totals: LedgerTotals[] = [];
		for await (const rows of this.#newestFirst(since)) totals = mergeTotals([...totals, ...rows.map(totalsOf)]);
		return totals;
	}

	async last(count: number): Promise<StoredRow[]> {
		return count > 0 ? (await this.find({}, count)).rows : [];
	}

	async find(filter: RowFilter, limit: number): Promise<FoundRows> {
		const { beforeId, since, ...others } = filter;
		const [all, recent] = await this.#count(since ?? ALL_TIME);
		const cursor = beforeId === undefined ? undefined : await this.#find(beforeId);
		const isOlder = ({ id }: StoredRow) => beforeId === undefined || cursor !== undefined || id < beforeId;
		const isFiltered = Object.values(others).some((value) => value !== undefined && value !== false);
		const rows: StoredRow[] = [];
		let total = isFiltered ? 0 : recent;
		// A filter has to see all rows to count those that match.
		const first = isFiltered ? all : (cursor?.rank ?? all);
		let rank = first;
		while (rank > all - recent && (isFiltered || rows.length < limit)) {
			const start = Math.max(all - recent, rank - SLICE);
			const slice = toRows(await this.#link.run(RANGE, [start, rank - 1]));
			for (let index = slice.length - 1; index >= 0; index--) {
				const row = slice[index]!;
				if (!matches(row, others)) continue;
				if (isFiltered) total++;
				const isBehind = cursor === undefined || start + index < cursor.rank;
				if (rows.length < limit && isBehind && isOlder(row)) rows.push(row);
			}
			rank = start;
		}
		return { rows, total };
	}

	async row(id: number): Promise<StoredRow | undefined> {
		return (await this.#find(id))?.row;
	}

	async conversation(name: string): Promise<StoredRow[]> {
		const text = `"conversation":${JSON.stringify(name)}`;
		const [all] = await this.#count(ALL_TIME);
		const found: StoredRow[] = [];
		for (let rank = all; rank > 0 && found.length < MOST_OF_CONVERSATION; rank -= SLICE) {
			const rows = toRows(await this.#link.run(CONTAINING, [Math.max(0, rank - SLICE), rank - 1, text]));
			// The same text may be part of another field.
			found.unshift(...rows.filter(({ conversation }) => conversation === name));
		}
		return found.slice(-MOST_OF_CONVERSATION);
	}

	async names(): Promise<LedgerNames> {
		const callers = new Set<string>();
		const models = new Set<string>();
		for await (const rows of this.#newestFirst(ALL_TIME)) {
			for (const { caller, model } of rows) {
				callers.add(caller);
				models.add(model);
			}
		}
		return namesOf(callers, models);
	}

	async groups(since: number): Promise<LedgerGroup[]> {
		const groups: LedgerGroup[] = [];
		for await (const rows of this.#newestFirst(since)) for (const row of rows) groups.push(groupOf(row));
		return groups;
	}

	/** Removes up to `most` rows that are too old or too many, and returns how many there were. */
	async removeSurplus(before: number, keep: number, most: number): Promise<number> {
		return (await this.#link.run(REMOVE_SURPLUS, [before, keep, most])) as number;
	}

	async #count(since: number | string): Promise<[number, number]> {
		return (await this.#link.run(COUNT, [since])) as [number, number];
	}

	/** Rows in slices. A row that is added meanwhile comes behind those that were there, and changes no rank. */
	async *#newestFirst(since: number | string): AsyncGenerator<StoredRow[]> {
		const [all, recent] = await this.#count(since);
		for (let rank = all; rank > all - recent; rank -= SLICE) {
			const start = Math.max(all - recent, rank - SLICE);
			yield toRows(await this.#link.run(RANGE, [start, rank - 1]));
		}
	}

	async #find(id: number): Promise<{ rank: number; row: StoredRow } | undefined> {
		const [all] = await this.#count(ALL_TIME);
		const digits = String(id).padStart(DIGITS, "0");
		for (let rank = all; rank > 0; rank -= SLICE) {
			const found = await this.#link.run(FIND, [Math.max(0, rank - SLICE), rank - 1, digits]);
			if (Array.isArray(found)) return { rank: Number(found[0]), row: toRow(found[1] as Buffer) };
		}
		return undefined;
	}
}

const toRow = (member: Buffer): StoredRow => ({
	...(JSON.parse(member.toString("utf8", DIGITS)) as LedgerRow),
	id: Number(member.toString("latin1", 0, DIGITS)),
});

const toRows = (members: unknown): StoredRow[] => (members as Buffer[]).map(toRow);
