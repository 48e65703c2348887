import type { SpendLimit } from "../spend/spend-limit.ts";
import type { SpendChange, SpendTake, SpendTaken } from "../spend/spend-store.ts";
import type { RedisLink } from "./link.ts";
import { GRACE_MS, PREFIX, script } from "./script.ts";

const LIMITS = `${PREFIX}spend-limits`;
const COUNTER = `${PREFIX}spend:`;

// Values: id, time of the change, JSON. Two hashes, because a number in JSON would have to be parsed first.
const PUT = script(`
local known = redis.call('HGET', '${LIMITS}:changed', ARGV[1])
if known and tonumber(known) >= tonumber(ARGV[2]) then return end
redis.call('HSET', '${LIMITS}', ARGV[1], ARGV[3])
redis.call('HSET', '${LIMITS}:changed', ARGV[1], ARGV[2])
`);

const LIST = script(`return redis.call('HVALS', '${LIMITS}')`);

// Values: for each counter its name, the amount, the most or nothing, and its time to live. Returns first whether it was
// taken, then what the counters say.
const TAKE = script(`
local used, taken = {}, 1
for index = 1, #ARGV, 4 do
	local before = tonumber(redis.call('GET', '${COUNTER}' .. ARGV[index]) or 0)
	used[#used + 1] = before
	if ARGV[index + 2] ~= '' and before + tonumber(ARGV[index + 1]) > tonumber(ARGV[index + 2]) then taken = 0 end
end
if taken == 1 then
	for index = 1, #ARGV, 4 do
		local number = (index + 3) / 4
		used[number] = math.max(0, used[number] + tonumber(ARGV[index + 1]))
		local text = string.format('%.0f', used[number])
		redis.call('SET', '${COUNTER}' .. ARGV[index], text, 'PX', ARGV[index + 3])
	end
end
return {taken, unpack(used)}
`);

const READ = script(`
local used = {}
for index = 1, #ARGV do used[index] = tonumber(redis.call('GET', '${COUNTER}' .. ARGV[index]) or 0) end
return used
`);

/** The owner's limits and what was spent of them, for all gateways of a Redis. */
export class RedisSpend {
	readonly #link: RedisLink;
	readonly #now: () => number;

	constructor(link: RedisLink, now: () => number) {
		this.#link = link;
		this.#now = now;
	}

	async list(): Promise<SpendLimit[]> {
		const records = (await this.#link.run(LIST, [])) as Buffer[];
		return records
			.map((record) => JSON.parse(String(record)) as SpendLimit)
			.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
	}

	async put(limit: SpendLimit): Promise<void> {
		await this.#link.run(PUT, [limit.id, limit.changedAt, JSON.stringify(limit)]);
	}

	async take(takes: readonly SpendTake[]): Promise<SpendTaken> {
		const now = this.#now();
		const values = takes.flatMap(({ counter, amount, most, expiresAt }) => [
			...[counter, amount, most ?? "", Math.max(1, Math.ceil(expiresAt - now)) + GRACE_MS],
		]);
		const [taken, ...used] = (await this.#link.run(TAKE, values)) as number[];
		return { taken: taken === 1, used };
	}

	async change(changes: readonly SpendChange[]): Promise<number[]> {
		return (await this.take(changes)).used;
	}

	async read(counters: readonly string[]): Promise<number[]> {
		return (await this.#link.run(READ, [...counters])) as number[];
	}
}
