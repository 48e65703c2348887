import type {
	LimitBar,
	NamedSums,
	PlanAnswer,
	Pool,
	Strip,
	Sums,
	TotalsAnswer,
} from "../../gateway/src/page/contract.ts";
import { chance, DAY, KEYS, MINUTE, MODELS, NASTY } from "./made-up.ts";

const pools = (now: number): Pool[] => [
	{ name: "auto", usedPercent: 38.4, resetsAt: now + 11 * DAY },
	{ name: "api", usedPercent: 83.2, usedCents: 1_664, limitCents: 2_000, resetsAt: now + 11 * DAY },
];

export const strip = (now: number, isEmpty: boolean): Strip => ({
	version: "0.1.0",
	isDemo: true,
	signedIn: !isEmpty,
	...(isEmpty ? {} : { email: "ada@example.org", plan: "Pro", channel: "HTTP/2" }),
	pools: isEmpty ? [{ name: "auto" }, { name: "api" }] : pools(now),
	store: "sqlite",
	problems: isEmpty ? ["There is no login. Run: cursorwire login"] : [],
});

export const EMPTY_SUMS: Sums = {
	turns: 0,
	errors: 0,
	inputTokens: 0,
	cachedTokens: 0,
	outputTokens: 0,
	reasoningTokens: 0,
};

export const sums = (turns: number, seed: number): Sums => ({
	turns,
	errors: Math.round(turns * 0.04 * chance(seed)),
	inputTokens: Math.round(turns * (18_000 + chance(seed + 1) * 20_000)),
	cachedTokens: Math.round(turns * 14_000 * chance(seed + 2)),
	outputTokens: Math.round(turns * (600 + chance(seed + 3) * 900)),
	reasoningTokens: Math.round(turns * 300 * chance(seed + 4)),
});

const named = (names: readonly string[], turns: number): NamedSums[] =>
	names.map((name, index) => ({ name, ...sums(Math.max(1, Math.round(turns / (index + 1.6))), index * 7) }));

export const totals = (since: number, now: number, isEmpty: boolean): TotalsAnswer => ({
	...(isEmpty ? EMPTY_SUMS : sums(Math.max(1, Math.floor((now - since) / MINUTE)), 5)),
	pools: isEmpty ? [] : pools(now),
	now,
});

const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function plan(now: number, isEmpty: boolean): PlanAnswer {
	const days = Array.from({ length: 30 }, (_, index) => dayName(now - (29 - index) * DAY));
	const turnsOf = (index: number) => Math.round((index % 7 > 4 ? 12 : 90) * (0.4 + chance(index)));
	const spans = [
		["today", now - 9 * 60 * MINUTE, 61],
		["week", now - 7 * DAY, 412],
		["period", now - 19 * DAY, 1_204],
	] as const;
	return {
		pools: isEmpty ? [{ name: "auto", readings: [] }] : poolHistories(now),
		spans: spans.map(([span, since, turns]) => ({
			span,
			since,
			all: isEmpty ? EMPTY_SUMS : sums(turns, turns),
			byClient: isEmpty ? [] : named([...KEYS.map(([key]) => key), NASTY], turns),
			byModel: isEmpty ? [] : named(MODELS, turns),
			byConversation: isEmpty ? [] : named(["c8f1a2", "c77b0e", "c2290d", "c11f43"], turns / 3),
		})),
		days: days.map((day, index) => ({ day, ...(isEmpty ? EMPTY_SUMS : sums(turnsOf(index), index)) })),
		firstTokens: isEmpty
			? []
			: days.map((day, index) => ({
					day,
					p50: 620 + chance(index) * 400,
					p95: 2_100 + chance(index + 50) * 3_500,
					gatewayMs: 0.6 + chance(index + 9) * 0.9,
				})),
		rungs: isEmpty
			? []
			: days.map((day, index) => ({
					day,
					new: Math.round(turnsOf(index) * 0.15),
					parked: Math.round(turnsOf(index) * (0.4 + chance(index) * 0.2)),
					checkpoint: Math.round(turnsOf(index) * 0.3),
					rebuild: Math.round(turnsOf(index) * 0.1 * chance(index + 3)),
				})),
		hours: isEmpty
			? []
			: Array.from({ length: 168 }, (_, index) => {
					const weekday = Math.floor(index / 24);
					const hour = index % 24;
					const work = Math.exp(-(((hour - 11) / 3.2) ** 2)) + 0.8 * Math.exp(-(((hour - 16) / 2.4) ** 2));
					return { weekday, hour, turns: Math.round(40 * work * (weekday > 4 ? 0.15 : 1) * chance(index + 77)) };
				}),
		addLimit: 'cursorwire limits add "200 turns/day"',
		limits: isEmpty
			? []
			: [
					...keyLimits(now),
					{ id: "l2", name: "80% of api", used: 76.2, limit: 80, unit: "percent", resetsAt: now + 11 * DAY },
					{ id: "l3", name: "60 turns per conversation", limit: 60, unit: "turns" },
					{ id: "l4", name: "20 turns", used: 4, limit: 20, unit: "turns", key: NASTY, state: "paused" },
				],
	};
}

/** Limits of the second key. */
export const keyLimits = (now: number): LimitBar[] => [
	{
		...{ id: "l1", name: "1M tokens/day on claude-*", used: 840_000, limit: 1_000_000, unit: "tokens" },
		...{ key: KEYS[1]![0], resetsAt: now + 300 * MINUTE },
	},
];

function poolHistories(now: number): PlanAnswer["pools"] {
	const periodStart = now - 19 * DAY;
	const readings = (end: number, bend: number) =>
		Array.from({ length: 77 }, (_, index) => ({
			at: periodStart + index * 6 * 60 * MINUTE,
			usedPercent: end * (index / 76) ** bend + (chance(index) - 0.5) * 0.4 * Math.min(1, index / 5),
		})).map((reading) => ({ ...reading, usedPercent: Math.max(0, reading.usedPercent) }));
	const [auto, api] = pools(now);
	return [
		{ ...auto!, periodStart, readings: readings(38.4, 1.1), percentAtReset: 61 },
		{ ...api!, periodStart, readings: readings(83.2, 1.3), runsOutAt: now + 3.1 * DAY, percentAtReset: 138 },
	];
}
