import { callerNames } from "../access/caller-names.ts";
import type { Standing } from "../guard/standings.ts";
import type { LedgerTotals, StoredKey } from "../store/store.ts";
import type { KnownQuota } from "./quota-watch.ts";
import type { Spans } from "./spans.ts";

// What `GET /v1/usage` says. Names and meanings stay as they are, because status lines read them; fields may be added.

interface UsageSums {
	turns: number;
	errors: number;
	input_tokens: number;
	cached_tokens: number;
	output_tokens: number;
	reasoning_tokens: number;
}

interface SpanUsage extends UsageSums {
	/** ISO 8601, like every time here. */
	since: string;
	/** The most tokens first. */
	by_model: ({ model: string } & UsageSums)[];
	/** Only for the owner. */
	by_key?: ({ key: string } & UsageSums)[];
}

interface PoolUsage {
	name: "auto" | "api";
	/** 0 to 100; null if Cursor does not say. */
	used_percent: number | null;
	/** Only for the owner. */
	used_cents?: number;
	limit_cents?: number;
	resets_at: string | null;
}

interface LimitUsage {
	id: string;
	/** As it can be typed, such as `20 turns/day`. */
	limit: string;
	/** Only for the owner: the name of the key that it is about. */
	key?: string;
	/** Null: each conversation is counted by itself, or Cursor has not said. */
	used: number | null;
	amount: number;
	unit: "turns" | "tokens" | "percent" | "cents";
	/** Null: it does not begin anew. */
	resets_at: string | null;
	mode: "stop" | "finish" | "watch";
	paused: boolean;
}

export interface UsageAnswer {
	object: "usage";
	/** `all`: what every key used, for the owner. `key`: what the key of this request used. */
	scope: "all" | "key";
	/** The name of the key of this request. */
	key?: string;
	today: SpanUsage;
	week: SpanUsage;
	period: SpanUsage;
	/** Absent if Cursor could not be asked; then `pools_problem` says why. */
	pools?: PoolUsage[];
	pools_read_at?: string;
	pools_problem?: string;
	/** The limits of the spend guard that are about the turns of this key; all of them for the owner. */
	limits: LimitUsage[];
}

/** Who asks. */
export interface UsageReader {
	/** As the ledger has it. */
	caller: string;
	/** The name of its key. */
	name?: string | undefined;
	/** The id of its key. */
	keyId?: string | undefined;
	isOwner: boolean;
}

export interface UsageFacts {
	spans: Spans;
	/** Of each span, of all callers. */
	totals: Record<keyof Spans, readonly LedgerTotals[]>;
	keys: readonly StoredKey[];
	standings: readonly Standing[];
	/** Or why it is not known. */
	quota: KnownQuota | string;
}

/** How many names are listed in a span. */
const MOST_NAMES = 50;

export function usageAnswer(reader: UsageReader, { spans, totals, keys, standings, quota }: UsageFacts): UsageAnswer {
	const nameOf = callerNames(keys);
	const spanOf = (span: keyof Spans): SpanUsage => {
		const rows = reader.isOwner ? totals[span] : totals[span].filter(({ caller }) => caller === reader.caller);
		return {
			since: new Date(spans[span]).toISOString(),
			...sumOf(rows),
			by_model: by(rows, ({ model }) => model).map(([model, sums]) => ({ model, ...sums })),
			...(reader.isOwner && {
				by_key: by(rows, ({ caller }) => nameOf(caller)).map(([key, sums]) => ({ key, ...sums })),
			}),
		};
	};
	return {
		object: "usage",
		scope: reader.isOwner ? "all" : "key",
		...(reader.name !== undefined && { key: reader.name }),
		today: spanOf("today"),
		week: spanOf("week"),
		period: spanOf("period"),
		...(typeof quota === "string" ? { pools_problem: quota } : poolsOf(quota, reader.isOwner)),
		limits: standings
			.filter(({ limit: { scope } }) => reader.isOwner || scope.key === undefined || scope.key === reader.keyId)
			.map((standing) => limitUsage(standing, reader.isOwner ? keys : [])),
	};
}

function limitUsage({ limit, text, used, resetsAt }: Standing, keys: readonly StoredKey[]): LimitUsage {
	const { id, amount, unit, mode, scope, isPaused = false } = limit;
	const key = keys.find((each) => each.id === scope.key)?.name;
	const resets_at = resetsAt === undefined ? null : new Date(resetsAt).toISOString();
	return {
		id,
		limit: text,
		...(key !== undefined && { key }),
		used: used ?? null,
		amount,
		unit,
		resets_at,
		mode,
		paused: isPaused,
	};
}

function poolsOf({ pools, resetsAt, readAt }: KnownQuota, isOwner: boolean) {
	const resets_at = resetsAt === undefined ? null : new Date(resetsAt).toISOString();
	return {
		pools: pools.map(
			({ name, usedPercent, usedCents, limitCents }): PoolUsage => ({
				name,
				used_percent: usedPercent ?? null,
				...(isOwner && usedCents !== undefined && { used_cents: usedCents }),
				...(isOwner && limitCents !== undefined && { limit_cents: limitCents }),
				resets_at,
			}),
		),
		pools_read_at: new Date(readAt).toISOString(),
	};
}

function by(rows: readonly LedgerTotals[], nameOf: (row: LedgerTotals) => string): [string, UsageSums][] {
	const groups = new Map<string, LedgerTotals[]>();
	for (const row of rows) {
		const name = nameOf(row);
		const group = groups.get(name);
		if (group) group.push(row);
		else groups.set(name, [row]);
	}
	const tokens = ([, sums]: [string, UsageSums]) => sums.input_tokens + sums.output_tokens;
	return [...groups]
		.map(([name, group]): [string, UsageSums] => [name, sumOf(group)])
		.sort((one, other) => tokens(other) - tokens(one))
		.slice(0, MOST_NAMES);
}

function sumOf(rows: readonly LedgerTotals[]): UsageSums {
	const sums = { turns: 0, errors: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };
	for (const row of rows) {
		sums.turns += row.requests;
		sums.errors += row.failures;
		sums.input_tokens += row.inputTokens;
		sums.cached_tokens += row.cachedTokens;
		sums.output_tokens += row.outputTokens;
		sums.reasoning_tokens += row.reasoningTokens;
	}
	return sums;
}
