import type {
	HourCount,
	LedgerDay,
	LedgerGroup,
	LedgerSums,
	ModelFigures,
	ModelsSince,
	NamedLedgerSums,
	SumsSince,
} from "./ledger-reads.ts";
import type { LedgerRow } from "./ledger-row.ts";

// What groups of rows add up to. Pure: the same for every store.

/** One row as a group. */
export function groupOf(row: LedgerRow): LedgerGroup {
	const { firstTokenMs, gatewayUs, latencyMs, outputTokens } = row;
	const hasSpoken = firstTokenMs !== undefined;
	return {
		at: row.at,
		caller: row.caller,
		model: row.model,
		...(row.answered !== undefined && { answered: row.answered }),
		...(row.conversation !== undefined && { conversation: row.conversation }),
		path: row.path,
		turns: 1,
		errors: row.errorKind === undefined ? 0 : 1,
		inputTokens: row.inputTokens,
		cachedTokens: row.cachedTokens,
		outputTokens,
		reasoningTokens: row.reasoningTokens,
		firstTokens: hasSpoken ? [firstTokenMs] : [],
		gatewayTimes: gatewayUs === undefined ? [] : [gatewayUs],
		speakingMs: hasSpoken ? latencyMs - firstTokenMs : 0,
		spokenTokens: hasSpoken ? outputTokens : 0,
	};
}

export function sumsOf(groups: readonly LedgerGroup[]): SumsSince {
	const all = noSums();
	for (const group of groups) add(all, group);
	return {
		all,
		byCaller: named(groups, ({ caller }) => caller),
		byModel: named(groups, ({ model }) => model),
		byConversation: named(groups, ({ conversation }) => conversation),
	};
}

export function daysOf(groups: readonly LedgerGroup[]): LedgerDay[] {
	const days = gathered(groups, ({ at }) => dayOf(new Date(at)));
	return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, members]) => ({ day, ...figuresOfDay(members) }));
}

export function hoursOf(groups: readonly LedgerGroup[]): HourCount[] {
	const hours = new Map<number, number>();
	for (const { at, turns } of groups) {
		const time = new Date(at);
		const hour = ((time.getDay() + 6) % 7) * 24 + time.getHours();
		hours.set(hour, (hours.get(hour) ?? 0) + turns);
	}
	return [...hours]
		.sort(([a], [b]) => a - b)
		.map(([hour, turns]) => ({ weekday: Math.floor(hour / 24), hour: hour % 24, turns }));
}

export function modelsOf(groups: readonly LedgerGroup[]): ModelsSince {
	const answered = [...gathered(groups, (group) => group.answered)].map(([name, members]) =>
		figuresOfModel(name, members),
	);
	const unanswered = gathered(groups, (group) => (group.answered === undefined ? group.model : undefined));
	return {
		answered: answered.sort(byTurns),
		unanswered: [...unanswered].map(([name, members]) => ({ name, turns: turnsOf(members) })).sort(byTurns),
	};
}

function figuresOfDay(groups: readonly LedgerGroup[]): Omit<LedgerDay, "day"> {
	const day: Omit<LedgerDay, "day"> = { ...noSums(), rungs: {} };
	for (const group of groups) {
		add(day, group);
		day.rungs[group.path] = (day.rungs[group.path] ?? 0) + group.turns;
	}
	const firstTokens = sorted(groups.flatMap((group) => group.firstTokens));
	const own = quantile(sorted(groups.flatMap((group) => group.gatewayTimes)), 0.5);
	if (firstTokens.length > 0) day.firstTokenP50 = quantile(firstTokens, 0.5)!;
	if (firstTokens.length > 0) day.firstTokenP95 = quantile(firstTokens, 0.95)!;
	if (own !== undefined) day.gatewayP50 = own / 1_000;
	return day;
}

function figuresOfModel(name: string, groups: readonly LedgerGroup[]): ModelFigures {
	const sums = { errors: 0, speakingMs: 0, spokenTokens: 0 };
	for (const { errors, speakingMs, spokenTokens } of groups) {
		sums.errors += errors;
		sums.speakingMs += speakingMs;
		sums.spokenTokens += spokenTokens;
	}
	const firstTokenP50 = quantile(sorted(groups.flatMap((group) => group.firstTokens)), 0.5);
	return {
		name,
		turns: turnsOf(groups),
		errors: sums.errors,
		...(firstTokenP50 !== undefined && { firstTokenP50 }),
		...(sums.speakingMs > 0 && { tokensPerSecond: (sums.spokenTokens / sums.speakingMs) * 1_000 }),
	};
}

function named(groups: readonly LedgerGroup[], nameOf: (group: LedgerGroup) => string | undefined): NamedLedgerSums[] {
	const sums = new Map<string, NamedLedgerSums>();
	for (const group of groups) {
		const name = nameOf(group);
		if (name === undefined) continue;
		const sum = sums.get(name) ?? { name, ...noSums() };
		sums.set(name, sum);
		add(sum, group);
	}
	return [...sums.values()].sort((a, b) => tokensOf(b) - tokensOf(a));
}

function gathered(
	groups: readonly LedgerGroup[],
	nameOf: (group: LedgerGroup) => string | undefined,
): Map<string, LedgerGroup[]> {
	const members = new Map<string, LedgerGroup[]>();
	for (const group of groups) {
		const name = nameOf(group);
		if (name === undefined) continue;
		const known = members.get(name);
		if (known) known.push(group);
		else members.set(name, [group]);
	}
	return members;
}

const noSums = (): LedgerSums => ({
	turns: 0,
	errors: 0,
	inputTokens: 0,
	cachedTokens: 0,
	outputTokens: 0,
	reasoningTokens: 0,
});

function add(sum: LedgerSums, group: LedgerSums): void {
	sum.turns += group.turns;
	sum.errors += group.errors;
	sum.inputTokens += group.inputTokens;
	sum.cachedTokens += group.cachedTokens;
	sum.outputTokens += group.outputTokens;
	sum.reasoningTokens += group.reasoningTokens;
}

const tokensOf = ({ inputTokens, outputTokens }: LedgerSums): number => inputTokens + outputTokens;

const turnsOf = (groups: readonly LedgerGroup[]): number => groups.reduce((sum, { turns }) => sum + turns, 0);

const byTurns = (a: { turns: number }, b: { turns: number }): number => b.turns - a.turns;

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** The value that this share of the others does not exceed. */
const quantile = (values: Float64Array, share: number): number | undefined =>
	values[Math.min(values.length - 1, Math.floor(values.length * share))];

/** As 2026-11-15, in the time zone of the gateway. */
function dayOf(time: Date): string {
	const two = (value: number) => String(value).padStart(2, "0");
	return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
