import type { LedgerReads, LedgerSums } from "../../store/ledger-reads.ts";
import type { Cell } from "../../text/csv.ts";

/** What sums can be made by. */
export const GROUPS = ["client", "model", "day", "conversation"] as const;
export type Group = (typeof GROUPS)[number];

const SUMS = {
	turns: "turns",
	errors: "errors",
	input_tokens: "inputTokens",
	cached_tokens: "cachedTokens",
	output_tokens: "outputTokens",
	reasoning_tokens: "reasoningTokens",
} as const satisfies Record<string, keyof LedgerSums>;

export const sumColumns = (group: Group): string[] => [group, ...Object.keys(SUMS)];

type NamedSums = LedgerSums & { name: string };

/** One row for each client, model, day or conversation. Days are in their order; otherwise the most tokens come first. */
export async function sumRows(
	store: Pick<LedgerReads, "sumsSince" | "daysSince">,
	group: Group,
	since: number,
	nameOf: (caller: string) => string,
): Promise<Cell[][]> {
	const sums = await READERS[group](store, since, nameOf);
	return sums.map((row) => [row.name, ...Object.values(SUMS).map((field) => row[field])]);
}

type Reader = (
	store: Pick<LedgerReads, "sumsSince" | "daysSince">,
	since: number,
	nameOf: (caller: string) => string,
) => Promise<NamedSums[]>;

const READERS: Readonly<Record<Group, Reader>> = {
	client: async (store, since, nameOf) =>
		underOneName((await store.sumsSince(since)).byCaller.map((row) => ({ ...row, name: nameOf(row.name) }))),
	model: async (store, since) => (await store.sumsSince(since)).byModel,
	conversation: async (store, since) => (await store.sumsSince(since)).byConversation,
	day: async (store, since) => (await store.daysSince(since)).map((day) => ({ ...day, name: day.day })),
};

/** Several callers may share a name: every Cursor credential does. */
function underOneName(rows: readonly NamedSums[]): NamedSums[] {
	const byName = new Map<string, NamedSums>();
	for (const row of rows) {
		const known = byName.get(row.name);
		if (!known) byName.set(row.name, { ...row });
		else for (const field of Object.values(SUMS)) known[field] += row[field];
	}
	return [...byName.values()];
}
