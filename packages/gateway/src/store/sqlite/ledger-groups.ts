import type { Sliced } from "../../time/slices.ts";
import type { GroupedBy, LedgerGroup } from "../ledger-reads.ts";
import type { SqlDatabase } from "./database.ts";

/** How many rows one statement reads: a few milliseconds, in which nothing else is served. */
const ROWS_AT_ONCE = 5_000;
/** In milliseconds. All time zones differ by whole quarters of an hour. */
const QUARTER = 15 * 60_000;

/** What the rows of a group have in common. */
const KEYS: Readonly<Record<GroupedBy, string>> = {
	user: "caller, model, conversation",
	time: `at / ${QUARTER}, path`,
	model: "model, answered",
};

const SUMS = `count(*) as turns, count(error_kind) as errors, sum(input_tokens) as inputs, sum(cached_tokens) as cached,
	sum(output_tokens) as outputs, sum(reasoning_tokens) as reasoning`;
const TIMES = `json_group_array(first_token_ms) filter (where first_token_ms is not null) as firsts,
	json_group_array(gateway_us) filter (where gateway_us is not null) as own,
	coalesce(sum(latency_ms - first_token_ms), 0) as speaking,
	coalesce(sum(output_tokens) filter (where first_token_ms is not null), 0) as spoken`;
const NO_TIMES = "'[]' as firsts, '[]' as own, 0 as speaking, 0 as spoken";

/** All groups as one JSON text, because a row for each of them would take much longer. */
const statementOf = (by: GroupedBy): string =>
	`select json_group_array(json_array(at, caller, model, answered, conversation, path, turns, errors, inputs, cached,
		outputs, reasoning, firsts, own, speaking, spoken)) as groups
	from (
		select at, caller, model, answered, conversation, path, ${SUMS}, ${by === "user" ? NO_TIMES : TIMES}
		from ledger where id > ? and id <= ? and at >= ? group by ${KEYS[by]}
	)`;

/** The values in the order of the statement. */
type GroupValues = [
	...[at: number, caller: string, model: string, answered: string | null, conversation: string | null, path: string],
	...[turns: number, errors: number, inputs: number, cached: number, outputs: number, reasoning: number],
	...[firsts: string, own: string, speaking: number, spoken: number],
];

/** Adds up the rows of the ledger, a slice of them at a time. */
export class SqliteLedgerGroups {
	readonly #database: SqlDatabase;

	constructor(database: SqlDatabase) {
		this.#database = database;
	}

	*read(by: GroupedBy, since: number): Sliced<LedgerGroup[]> {
		const [range] = this.#database.all<{ first: number | null; last: number | null }>(
			"select min(id) as first, max(id) as last from ledger where at >= ?",
			[since],
		);
		const groups: LedgerGroup[] = [];
		const { first, last } = range!;
		if (first === null || last === null) return groups;
		for (let id = first - 1; id < last; id += ROWS_AT_ONCE) {
			const [row] = this.#database.all<{ groups: string }>(statementOf(by), [id, id + ROWS_AT_ONCE, since]);
			for (const values of JSON.parse(row!.groups) as GroupValues[]) groups.push(toGroup(values));
			yield;
		}
		return groups;
	}
}

function toGroup(values: GroupValues): LedgerGroup {
	const [at, caller, model, answered, conversation, path, turns, errors, inputTokens, ...more] = values;
	const [cachedTokens, outputTokens, reasoningTokens, firsts, own, speakingMs, spokenTokens] = more;
	const sums = { turns, errors, inputTokens, cachedTokens, outputTokens, reasoningTokens, speakingMs, spokenTokens };
	return {
		at,
		caller,
		model,
		...(answered !== null && { answered }),
		...(conversation !== null && { conversation }),
		path,
		...sums,
		firstTokens: JSON.parse(firsts) as number[],
		gatewayTimes: JSON.parse(own) as number[],
	};
}
