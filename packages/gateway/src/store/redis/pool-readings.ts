import { type PoolReading, READINGS_KEPT_MS, SAME_FOR_MS, SAME_PERCENT } from "../pool-readings.ts";
import type { RedisLink } from "./link.ts";
import { GRACE_MS, PREFIX, script } from "./script.ts";

const READINGS = `${PREFIX}pool-readings`;

// Values: time, pool, percent, JSON. One script, so that two gateways do not keep the same twice.
const ADD = script(`
local at, key = tonumber(ARGV[1]), '${READINGS}:' .. ARGV[2]
local last = redis.call('ZREVRANGE', key, 0, 0)[1]
if last then
	local known = cjson.decode(last)
	local isSame = math.abs(ARGV[3] - known.usedPercent) < ${SAME_PERCENT}
	if isSame and at - known.at < ${SAME_FOR_MS} then return 0 end
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', '(' .. (at - ${READINGS_KEPT_MS}))
redis.call('ZADD', key, at, ARGV[4])
redis.call('PEXPIRE', key, ${READINGS_KEPT_MS + GRACE_MS})
return 1
`);

// Values: time, pool.
const SINCE = script(`return redis.call('ZRANGEBYSCORE', '${READINGS}:' .. ARGV[2], ARGV[1], '+inf')`);

/** What Cursor said of the pools. */
export class RedisPoolReadings {
	readonly #link: RedisLink;

	constructor(link: RedisLink) {
		this.#link = link;
	}

	async add(reading: PoolReading): Promise<void> {
		const { at, pool, usedPercent } = reading;
		await this.#link.run(ADD, [at, pool, usedPercent, JSON.stringify(reading)]);
	}

	async since(time: number): Promise<PoolReading[]> {
		const pools = await Promise.all(["auto", "api"].map((pool) => this.#link.run(SINCE, [time, pool])));
		const readings = pools.flatMap((members) => (members as Buffer[]).map((member) => JSON.parse(String(member))));
		return (readings as PoolReading[]).sort((a, b) => a.at - b.at);
	}
}
