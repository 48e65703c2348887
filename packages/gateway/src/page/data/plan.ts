import { callerNames } from "../../access/caller-names.ts";
import type { Standing } from "../../guard/standings.ts";
import type { HourCount, LedgerDay, LedgerSums, NamedLedgerSums, SumsSince } from "../../store/ledger-reads.ts";
import type { PoolReading } from "../../store/pool-readings.ts";
import type { StoredKey } from "../../store/store.ts";
import type { KnownQuota } from "../../usage/quota-watch.ts";
import { daysBegin, lastDays, type Spans, spansAt } from "../../usage/spans.ts";
import type { NamedSums, PlanAnswer, Sums } from "../contract.ts";
import { limitBars } from "./limit-bars.ts";
import type { PageDataParts } from "./parts.ts";
import { poolHistories, quotaOrLast } from "./pools.ts";
import { typedCommand } from "./typed-command.ts";

const DAYS = 30;
const MOST_NAMES = 50;
const MOST_CONVERSATIONS = 10;
const RUNGS = ["new", "parked", "checkpoint", "rebuild"] as const;
const SPANS = ["today", "week", "period"] as const;
const NOTHING: Sums = { turns: 0, errors: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** What the answer is made from. */
export interface PlanFacts {
	now: number;
	quota: KnownQuota | undefined;
	readings: readonly PoolReading[];
	keys: readonly StoredKey[];
	spans: Spans;
	sums: Record<keyof Spans, SumsSince>;
	days: readonly LedgerDay[];
	hours: readonly HourCount[];
	standings: readonly Standing[];
}

/** `GET /page/api/plan`. */
export async function readPlan({ store, keys, quota, standings, now }: PageDataParts): Promise<PlanAnswer> {
	const known = await quotaOrLast(quota);
	const at = now();
	const spans = spansAt(at, known);
	const begin = daysBegin(at, DAYS);
	// One after the other: each may take a moment, and requests are served in between.
	const sums = {
		today: await store.sumsSince(spans.today),
		week: await store.sumsSince(spans.week),
		period: await store.sumsSince(spans.period),
	};
	return planAnswer({
		now: at,
		quota: known,
		readings: await store.poolReadings(spans.period),
		keys: await keys(),
		spans,
		sums,
		days: await store.daysSince(begin),
		hours: await store.hoursSince(begin),
		standings: await standings(),
	});
}

export function planAnswer(facts: PlanFacts): PlanAnswer {
	const { now, quota, readings, keys, spans, sums, days, hours, standings } = facts;
	const nameOf = callerNames(keys);
	const byDay = new Map(days.map((day) => [day.day, day]));
	const shown = lastDays(now, DAYS);
	return {
		pools: poolHistories(quota, readings, now),
		spans: SPANS.map((span) => ({
			span,
			since: spans[span],
			all: sumsOf(sums[span].all),
			byClient: underOneName(sums[span].byCaller.map((sum) => ({ ...sum, name: nameOf(sum.name) }))),
			byModel: sums[span].byModel.slice(0, MOST_NAMES).map(named),
			byConversation: sums[span].byConversation.slice(0, MOST_CONVERSATIONS).map(named),
		})),
		days: shown.map((day) => ({ day, ...sumsOf(byDay.get(day) ?? NOTHING) })),
		firstTokens: shown.flatMap((day) => firstTokensOf(byDay.get(day))),
		rungs: shown.map((day) => ({ day, ...rungsOf(byDay.get(day)?.rungs) })),
		hours: hours.map(({ weekday, hour, turns }) => ({ weekday, hour, turns })),
		limits: limitBars(standings, keys),
		addLimit: typedCommand('cursorwire limits add "200 turns/day"'),
	};
}

/** Only the sums of what may hold more. */
export function sumsOf(sums: LedgerSums): Sums {
	const { turns, errors, inputTokens, cachedTokens, outputTokens, reasoningTokens } = sums;
	return { turns, errors, inputTokens, cachedTokens, outputTokens, reasoningTokens };
}

const named = (sums: NamedLedgerSums): NamedSums => ({ name: sums.name, ...sumsOf(sums) });

/** Several callers may share a name: every Cursor credential does. */
function underOneName(sums: readonly NamedLedgerSums[]): NamedSums[] {
	const byName = new Map<string, NamedSums>();
	for (const sum of sums) {
		const known = byName.get(sum.name);
		byName.set(sum.name, known ? { name: sum.name, ...added(known, sum) } : named(sum));
	}
	const tokens = ({ inputTokens, outputTokens }: Sums) => inputTokens + outputTokens;
	return [...byName.values()].sort((one, other) => tokens(other) - tokens(one)).slice(0, MOST_NAMES);
}

function added(one: Sums, other: Sums): Sums {
	const sum = { ...NOTHING };
	for (const name of Object.keys(NOTHING) as (keyof Sums)[]) sum[name] = one[name] + other[name];
	return sum;
}

function firstTokensOf(day: LedgerDay | undefined): PlanAnswer["firstTokens"] {
	if (day?.firstTokenP50 === undefined) return [];
	const { firstTokenP50: p50, firstTokenP95: p95 = p50, gatewayP50: gatewayMs = 0 } = day;
	return [{ day: day.day, p50, p95, gatewayMs }];
}

function rungsOf(rungs: Readonly<Record<string, number>> = {}): Record<(typeof RUNGS)[number], number> {
	const [first, parked, checkpoint, rebuild] = RUNGS.map((rung) => rungs[rung] ?? 0);
	return { new: first!, parked: parked!, checkpoint: checkpoint!, rebuild: rebuild! };
}
