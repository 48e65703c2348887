import { type ByteBudget, sizeOfBytes } from "../limits.ts";
import type { RedisLink } from "./link.ts";
import { bytesOf, GRACE_MS, nameOf, PREFIX } from "./script.ts";
import { largestEntry, removeExpiredScript, shelfScript } from "./shelf.ts";
import { UnderWay } from "./under-way.ts";

const DISCARD = `
local function dataKey(caller, name) return shelf .. ':data:' .. caller .. ':' .. name end

function discard(caller, name)
	local member = caller .. ':' .. name
	local size = redis.call('HGET', shelf .. ':sizes', member)
	if not size then return end
	redis.call('HDEL', shelf .. ':sizes', member)
	redis.call('DEL', dataKey(caller, name))
	charge(caller, -size)
end
`;

// Values: shelf, caller, name, payload, now, time to live, size, bytes of a caller, bytes of all.
const PUT = shelfScript(
	DISCARD,
	`
local name, now, ttl = ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6])
refuseIfFull()
drop(caller, name)
redis.call('SET', dataKey(caller, name), ARGV[4], 'PX', ttl + ${GRACE_MS})
redis.call('HSET', shelf .. ':sizes', caller .. ':' .. name, ARGV[7])
charge(caller, ARGV[7])
makeNewest(name, now, ttl)
keepAlive(shelf .. ':sizes', ttl)
keepWithin(tonumber(ARGV[8]), tonumber(ARGV[9]))
`,
);

// Values: shelf, caller, name, now.
const GET = shelfScript(
	DISCARD,
	`
return isAlive(ARGV[3], tonumber(ARGV[4])) and redis.call('GET', dataKey(caller, ARGV[3]))
`,
);

const DELETE = shelfScript(
	DISCARD,
	`
local existed = isAlive(ARGV[3], tonumber(ARGV[4]))
drop(caller, ARGV[3])
return existed and 1 or 0
`,
);

const REMOVE_EXPIRED = removeExpiredScript(DISCARD);

/** Byte strings by caller and name, each with its own time to live. */
export class RedisPayloads {
	readonly #link: RedisLink;
	readonly #shelf: string;
	readonly #budget: ByteBudget;
	readonly #now: () => number;
	readonly #underWay = new UnderWay();

	constructor(link: RedisLink, shelf: string, budget: ByteBudget, now: () => number) {
		this.#link = link;
		this.#shelf = PREFIX + shelf;
		this.#budget = budget;
		this.#now = now;
	}

	put(caller: string, name: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		return this.#underWay.write(caller, name, this.#keep(caller, name, payload, ttlMs));
	}

	async get(caller: string, name: string): Promise<Uint8Array | undefined> {
		await this.#underWay.written(caller, name);
		const found = await this.#link.run(GET, [this.#shelf, nameOf(caller), name, this.#now()]);
		return Buffer.isBuffer(found) ? new Uint8Array(found) : undefined;
	}

	/** False if it did not exist or had expired. */
	async delete(caller: string, name: string): Promise<boolean> {
		await this.#underWay.written(caller, name);
		return this.#remove(caller, name);
	}

	/** Removes up to `most` expired entries and returns how many there were. */
	async removeExpired(most: number): Promise<number> {
		return (await this.#link.run(REMOVE_EXPIRED, [this.#shelf, "", this.#now(), most])) as number;
	}

	async #keep(caller: string, name: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		const size = sizeOfBytes(payload);
		if (size > largestEntry(this.#budget)) {
			await this.#remove(caller, name);
			return;
		}
		const { perCaller, total } = this.#budget;
		await this.#link.run(PUT, [
			...[this.#shelf, nameOf(caller), name, bytesOf(payload)],
			...[this.#now(), Math.ceil(ttlMs), size, perCaller, total],
		]);
	}

	async #remove(caller: string, name: string): Promise<boolean> {
		return (await this.#link.run(DELETE, [this.#shelf, nameOf(caller), name, this.#now()])) === 1;
	}
}
