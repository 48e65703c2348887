import type { StoredKey } from "../store.ts";
import type { RedisLink } from "./link.ts";
import { PREFIX, script } from "./script.ts";

const KEYS = `local keys = '${PREFIX}keys'\n`;

// What never changes about a key is one JSON text; the rest is kept separately, so that no change undoes another.
const ADD = script(`${KEYS}
local id, hash, record, usedAt, revokedAt = unpack(ARGV)
if redis.call('HEXISTS', keys, id) == 1 or redis.call('HEXISTS', keys .. ':hashes', hash) == 1 then return end
redis.call('HSET', keys, id, record)
redis.call('HSET', keys .. ':hashes', hash, id)
if usedAt ~= '' then redis.call('HSET', keys .. ':used', id, usedAt) end
if revokedAt ~= '' then redis.call('HSET', keys .. ':revoked', id, revokedAt) end
`);

const REVOKE = script(`${KEYS}
if redis.call('HEXISTS', keys, ARGV[1]) == 0 then return 0 end
return redis.call('HSETNX', keys .. ':revoked', ARGV[1], ARGV[2])
`);

const TOUCH = script(`${KEYS}
local last = tonumber(redis.call('HGET', keys .. ':used', ARGV[1]) or 0)
if redis.call('HEXISTS', keys, ARGV[1]) == 0 or last >= tonumber(ARGV[2]) then return end
redis.call('HSET', keys .. ':used', ARGV[1], ARGV[2])
`);

const LIST = script(`${KEYS}
return {redis.call('HVALS', keys), redis.call('HGETALL', keys .. ':used'), redis.call('HGETALL', keys .. ':revoked')}
`);

/** Gateway keys, which never expire. */
export class RedisKeys {
	readonly #link: RedisLink;

	constructor(link: RedisLink) {
		this.#link = link;
	}

	async list(): Promise<StoredKey[]> {
		const [records, used, revoked] = (await this.#link.run(LIST, [])) as [Buffer[], Buffer[], Buffer[]];
		const usedAt = toTimes(used);
		const revokedAt = toTimes(revoked);
		return records
			.map((text) => JSON.parse(String(text)) as StoredKey)
			.map((record) => ({
				...record,
				...(usedAt.has(record.id) && { lastUsedAt: usedAt.get(record.id)! }),
				...(revokedAt.has(record.id) && { revokedAt: revokedAt.get(record.id)! }),
			}))
			.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
	}

	async add({ lastUsedAt, revokedAt, ...record }: StoredKey): Promise<void> {
		const times = [lastUsedAt ?? "", revokedAt ?? ""];
		await this.#link.run(ADD, [record.id, record.hash, JSON.stringify(record), ...times]);
	}

	async revoke(id: string, at: number): Promise<boolean> {
		return (await this.#link.run(REVOKE, [id, at])) === 1;
	}

	async touch(id: string, at: number): Promise<void> {
		await this.#link.run(TOUCH, [id, at]);
	}
}

/** Of id, time, id, time… */
function toTimes(flat: Buffer[]): Map<string, number> {
	const times = new Map<string, number>();
	for (let index = 0; index < flat.length; index += 2) times.set(String(flat[index]), Number(flat[index + 1]));
	return times;
}
