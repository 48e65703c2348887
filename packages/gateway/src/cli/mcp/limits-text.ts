import { count, type Found, lines } from "./found.ts";
import type { Usage } from "./usage-text.ts";

const POOLS: Readonly<Record<string, string>> = { auto: "Auto and Composer", api: "other models" };

/** What is left of the account's included usage, and of the owner's limits, as far as they are about this key. */
export function limitsText({ scope, pools, pools_read_at, pools_problem, limits }: Usage): Found {
	const data = { pools: pools ?? null, pools_read_at, pools_problem, limits: limits ?? null };
	const text = lines(
		(pools ?? []).map(poolLine),
		pools && pools.length === 0 ? "Cursor reports no included usage for this account." : undefined,
		pools_read_at === undefined ? undefined : `Cursor said so at ${pools_read_at}.`,
		pools_problem === undefined ? undefined : `What is left is not known: ${pools_problem}`,
		limits?.length ? limits.map(limitLine) : scope === "all" ? "No limits are set." : "No limit is about this key.",
	);
	return { text, data };
}

function poolLine({ name, used_percent, used_cents, limit_cents, resets_at }: NonNullable<Usage["pools"]>[number]) {
	const used = used_percent === null ? "unknown" : `${used_percent}% used`;
	const money =
		used_cents === undefined || limit_cents === undefined ? "" : `, ${dollars(used_cents)} of ${dollars(limit_cents)}`;
	const reset = resets_at === null ? "" : `, starts anew at ${resets_at}`;
	return `Included usage of ${POOLS[name] ?? name}: ${used}${money}${reset}`;
}

function limitLine({ limit, key, used, unit, amount, resets_at, mode, paused }: Usage["limits"][number]): string {
	const whose = key === undefined ? "" : ` for the key ${key}`;
	const sum = used === null ? "how much is used is not known" : `${count(used)} of ${count(amount)} ${unit} used`;
	const reset = resets_at === null ? "" : `, starts anew at ${resets_at}`;
	return `Limit ${limit}${whose}: ${sum}${reset}; ${paused ? "paused" : MODES[mode]}`;
}

const MODES = {
	stop: "then every request is refused",
	finish: "then a turn under way ends and the next is refused",
	watch: "nothing is refused",
};

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
