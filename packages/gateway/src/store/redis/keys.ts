import type { StoredKey } from "../store.ts";
import type { RedisLink } from "./link.ts";
import { PREFIX, script } from "./script.ts";

const KEYS = `local keys = '${PREFIX}keys'\n`;

// What never changes about a key is one JSON text; the rest is kept separately, so that no change undoes another.
const ADD = script(`${KEYS}
local id, hash, record, usedAt, revokedAt, expiresAt = unpack(ARGV)
if redis.call('HEXISTS', keys, id) == 1 or redis.call('HEXISTS', keys .. ':hashes', hash) == 1 then return end
redis.call('HSET', keys, id, record)
redis.call('HSET', keys .. ':hashes', hash, id)
if usedAt ~= '' then redis.call('HSET', keys .. ':used', id, usedAt) end
if revokedAt ~= '' then redis.call('HSET', keys .. ':revoked', id, revokedAt) end
if expiresAt ~= '' then redis.call('HSET', keys .. ':expiring', id, expiresAt) end
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

const RENEW = script(`${KEYS}
local expiresAt = tonumber(redis.call('HGET', keys .. ':expiring', ARGV[1]))
if not expiresAt or redis.call('HEXISTS', keys .. ':revoked', ARGV[1]) == 1 then return 0 end
if expiresAt < tonumber(ARGV[2]) then redis.call('HSET', keys .. ':expiring', ARGV[1], ARGV[2]) end
return 1
`);

const FORGET_EXPIRED = script(`${KEYS}
local expiring = redis.call('HGETALL', keys .. ':expiring')
for at = 1, #expiring, 2 do
	local id = expiring[at]
	if tonumber(expiring[at + 1]) < tonumber(ARGV[1]) then
		local record = redis.call('HGET', keys, id)
		if record then redis.call('HDEL', keys .. ':hashes', cjson.decode(record).hash) end
		redis.call('HDEL', keys, id)
		for _, rest in ipairs({':used', ':revoked', ':expiring'}) do redis.call('HDEL', keys .. rest, id) end
	end
end
`);

const LIST = script(`${KEYS}
local list = {redis.call('HVALS', keys)}
for _, times in ipairs({':used', ':revoked', ':expiring'}) do table.insert(list, redis.call('HGETALL', keys .. times)) end
return list
`);

/** Gateway keys. Redis itself lets none of them expire. */
export class RedisKeys {
	readonly #link: RedisLink;

	constructor(link: RedisLink) {
		this.#link = link;
	}

	async list(): Promise<StoredKey[]> {
		const [records, used, revoked, expiring] = (await this.#link.run(LIST, [])) as Buffer[][];
		const usedAt = toTimes(used!);
		const revokedAt = toTimes(revoked!);
		const expiresAt = toTimes(expiring!);
		return records!
			.map((text) => JSON.parse(String(text)) as StoredKey)
			.map((record) => ({
				...record,
				...(usedAt.has(record.id) && { lastUsedAt: usedAt.get(record.id)! }),
				...(revokedAt.has(record.id) && { revokedAt: revokedAt.get(record.id)! }),
				...(expiresAt.has(record.id) && { expiresAt: expiresAt.get(record.id)! }),
			}))
			.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
	}

	async add({ lastUsedAt, revokedAt, expiresAt, ...record }: StoredKey): Promise<void> {
		const times = [lastUsedAt ?? "", revokedAt ?? "", expiresAt ?? ""];
		await this.#link.run(ADD, [record.id, record.hash, JSON.stringify(record), ...times]);
	}

	async revoke(id: string, at: number): Promise<boolean> {
		return (await this.#link.run(REVOKE, [id, at])) === 1;
	}

	async touch(id: string, at: number): Promise<void> {
		await this.#link.run(TOUCH, [id, at]);
	}

	async renew(id: string, expiresAt: number): Promise<boolean> {
		return (await this.#link.run(RENEW, [id, expiresAt])) === 1;
	}

	async forgetExpired(before: number): Promise<void> {
		await this.#link.run(FORGET_EXPIRED, [before]);
	}
}

/** Of id, time, id, time… */
function toTimes(flat: Buffer[]): Map<string, number> {
	const times = new Map<string, number>();
	for (let index = 0; index < flat.length; index += 2) times.set(String(flat[index]), Number(flat[index + 1]));
	return times;
}
