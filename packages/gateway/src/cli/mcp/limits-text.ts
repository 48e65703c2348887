import { type Found, lines } from "./found.ts";
import type { Usage } from "./usage-text.ts";

const POOLS: Readonly<Record<string, string>> = { auto: "Auto and Composer", api: "other models" };

/** What is left of the account's included usage, and the limits of the key, as far as the gateway knows them. */
export function limitsText({ pools, pools_read_at, pools_problem, limits }: Usage): Found {
	const data = { pools: pools ?? null, pools_read_at, pools_problem, limits: limits ?? null };
	const text = lines(
		(pools ?? []).map(poolLine),
		pools && pools.length === 0 ? "Cursor reports no included usage for this account." : undefined,
		pools_read_at === undefined ? undefined : `Cursor said so at ${pools_read_at}.`,
		pools_problem === undefined ? undefined : `What is left is not known: ${pools_problem}`,
		limits === undefined ? "This key has no limits of its own." : `Limits of this key: ${JSON.stringify(limits)}`,
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

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
