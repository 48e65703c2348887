import { mergeTotals, totalsOf } from "../ledger-totals.ts";
import type { LedgerRow, LedgerTotals } from "../store.ts";
import type { RedisLink } from "./link.ts";
import { GRACE_MS, PREFIX, script } from "./script.ts";

const LEDGER = `local ledger = '${PREFIX}ledger'\n`;
/** Digits of the number before each row, which separates equal rows and orders rows with the same time. */
const DIGITS = 16;

// Values: time to live, then time and JSON of each row.
const APPEND = script(`${LEDGER}
for index = 2, #ARGV, 2 do
	local number = redis.call('INCR', ledger .. ':number')
	redis.call('ZADD', ledger, ARGV[index], string.format('%0${DIGITS}.0f', number) .. ARGV[index + 1])
end
for _, key in ipairs({ledger, ledger .. ':number'}) do redis.call('PEXPIRE', key, ARGV[1] + ${GRACE_MS}) end
`);

const SINCE = script(`${LEDGER} return redis.call('ZRANGEBYSCORE', ledger, ARGV[1], '+inf')`);

const LAST = script(`${LEDGER} return redis.call('ZREVRANGE', ledger, 0, ARGV[1] - 1)`);

// Values: the oldest time to keep, how many to keep, how many to remove at most.
const REMOVE_SURPLUS = script(`${LEDGER}
local old = redis.call('ZCOUNT', ledger, '-inf', '(' .. ARGV[1])
local surplus = math.min(math.max(old, redis.call('ZCARD', ledger) - ARGV[2]), tonumber(ARGV[3]))
if surplus <= 0 then return 0 end
return redis.call('ZREMRANGEBYRANK', ledger, 0, surplus - 1)
`);

/** One row per request, by the time of the request. */
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
		return mergeTotals(toRows(await this.#link.run(SINCE, [since])).map(totalsOf));
	}

	async last(count: number): Promise<LedgerRow[]> {
		return count > 0 ? toRows(await this.#link.run(LAST, [count])) : [];
	}

	/** Removes up to `most` rows that are too old or too many, and returns how many there were. */
	async removeSurplus(before: number, keep: number, most: number): Promise<number> {
		return (await this.#link.run(REMOVE_SURPLUS, [before, keep, most])) as number;
	}
}

const toRows = (members: unknown): LedgerRow[] =>
	(members as Buffer[]).map((member) => JSON.parse(member.toString("utf8", DIGITS)) as LedgerRow);
