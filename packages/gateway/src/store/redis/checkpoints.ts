import { type StoreLimits, sizeOfBytes, sizeOfState } from "../limits.ts";
import type { FoundCheckpoint, StoredCheckpoint } from "../store.ts";
import type { RedisLink } from "./link.ts";
import { bytesOf, nameOf, PREFIX } from "./script.ts";
import { largestEntry, removeExpiredScript, shelfScript } from "./shelf.ts";
import { UnderWay } from "./under-way.ts";

/** Sending this much costs less than asking first whether it is there. */
const SMALL_BYTES = 64 * 1024;
const SHELF = `${PREFIX}checkpoints`;

// A caller's data is in three hashes that live as long as its last checkpoint: the states, the blobs, and how many
// checkpoints refer to each blob.
const DISCARD = `
local function sizeOfBlob(caller, id)
	return redis.call('HSTRLEN', shelf .. ':blobs:' .. caller, id) + ${sizeOfBytes(new Uint8Array(0))}
end

local function letGo(caller, checkpoint)
	local freed = checkpoint.size
	for _, id in ipairs(checkpoint.blobs) do
		if redis.call('HINCRBY', shelf .. ':uses:' .. caller, id, -1) <= 0 then
			freed = freed + sizeOfBlob(caller, id)
			redis.call('HDEL', shelf .. ':uses:' .. caller, id)
			redis.call('HDEL', shelf .. ':blobs:' .. caller, id)
		end
	end
	charge(caller, -freed)
end

function discard(caller, key)
	local packed = redis.call('HGET', shelf .. ':states:' .. caller, key)
	if not packed then return end
	redis.call('HDEL', shelf .. ':states:' .. caller, key)
	letGo(caller, cmsgpack.unpack(packed))
end

local function use(key, now, ttl)
	makeNewest(key, now, ttl)
	for _, key in ipairs({':states:', ':blobs:', ':uses:'}) do keepAlive(shelf .. key .. caller, ttl) end
end
`;

// Values: shelf, caller, ids.
const MISSING = shelfScript(
	DISCARD,
	`
local missing = {}
for index = 3, #ARGV do
	if redis.call('HEXISTS', shelf .. ':blobs:' .. caller, ARGV[index]) == 0 then missing[#missing + 1] = ARGV[index] end
end
return missing
`,
);

// Values: shelf, caller, key, conversation, state, its size, now, time to live, bytes of a caller, bytes of all, number
// of blobs, their ids, and then id and content of some. Returns 1, 0 for what is too large, or the ids that are missing.
const PUT = shelfScript(
	DISCARD,
	`
local key, ownSize, now, ttl = ARGV[3], tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local perCaller, total, count = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local blobs, uses = shelf .. ':blobs:' .. caller, shelf .. ':uses:' .. caller
local ids, given = {}, {}
for index = 12, 11 + count do ids[#ids + 1] = ARGV[index] end
for index = 12 + count, #ARGV, 2 do given[ARGV[index]] = ARGV[index + 1] end

local missing, added, size = {}, {}, ownSize
for _, id in ipairs(ids) do
	if redis.call('HEXISTS', blobs, id) == 1 then
		size = size + sizeOfBlob(caller, id)
	elseif given[id] then
		added[#added + 1] = id
		size = size + #given[id] + ${sizeOfBytes(new Uint8Array(0))}
	else
		missing[#missing + 1] = id
	end
end
if #missing > 0 then return missing end
if size > math.min(perCaller, total) then return 0 end

refuseIfFull()
forgetBytesOfNothing(caller)
local former = redis.call('HGET', shelf .. ':states:' .. caller, key)
local checkpoint = {conversation = ARGV[4], state = ARGV[5], size = ownSize, blobs = ids}
redis.call('HSET', shelf .. ':states:' .. caller, key, cmsgpack.pack(checkpoint))
for _, id in ipairs(added) do redis.call('HSET', blobs, id, given[id]) end
local held = ownSize
for _, id in ipairs(ids) do
	if redis.call('HINCRBY', uses, id, 1) == 1 then held = held + sizeOfBlob(caller, id) end
end
charge(caller, held)
if former then letGo(caller, cmsgpack.unpack(former)) end
use(key, now, ttl)
keepWithin(perCaller, total)
return 1
`,
);

// Values: shelf, caller, key, now, time to live. A Redis that cannot be written can still be read.
const FIND = shelfScript(
	DISCARD,
	`
local key, now, ttl = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local packed = isAlive(key, now) and redis.call('HGET', shelf .. ':states:' .. caller, key)
if not packed then return false end
local checkpoint = cmsgpack.unpack(packed)
local found = {checkpoint.conversation, checkpoint.state}
for _, id in ipairs(checkpoint.blobs) do
	local data = redis.call('HGET', shelf .. ':blobs:' .. caller, id)
	if not data then return false end
	found[#found + 1] = id
	found[#found + 1] = data
end
pcall(use, key, now, ttl)
return found
`,
);

const REMOVE_EXPIRED = removeExpiredScript(DISCARD);

/** Checkpoints and their blobs, each blob once per caller. A blob lives as long as a checkpoint refers to it. */
export class RedisCheckpoints {
	readonly #link: RedisLink;
	readonly #limits: StoreLimits;
	readonly #now: () => number;
	readonly #underWay = new UnderWay();

	constructor(link: RedisLink, limits: StoreLimits, now: () => number) {
		this.#link = link;
		this.#limits = limits;
		this.#now = now;
	}

	put(record: StoredCheckpoint, given: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		return this.#underWay.write(record.caller, record.key, this.#keep(record, given));
	}

	async find(caller: string, key: string): Promise<FoundCheckpoint | undefined> {
		const { checkpointTtlMs } = this.#limits;
		await this.#underWay.written(caller, key);
		const found = await this.#link.run(FIND, [SHELF, nameOf(caller), key, this.#now(), checkpointTtlMs]);
		if (!Array.isArray(found)) return undefined;
		const [conversation, state, ...rest] = found as Buffer[];
		const blobs = new Map<string, Uint8Array>();
		for (let index = 0; index < rest.length; index += 2) {
			blobs.set(toHex(rest[index]), new Uint8Array(rest[index + 1]!));
		}
		return { conversationId: String(conversation), state: new Uint8Array(state!), blobs };
	}

	/** Removes up to `most` expired checkpoints and returns how many there were. */
	async removeExpired(most: number): Promise<number> {
		return (await this.#link.run(REMOVE_EXPIRED, [SHELF, "", this.#now(), most])) as number;
	}

	async #keep(record: StoredCheckpoint, given: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		const ids = [...new Set(record.blobIds.map((id) => bytesOf(id).toString("hex")))];
		const ownSize = sizeOfState(record.state, ids.length);
		const known = ids.filter((id) => given.has(id));
		const knownSize = known.reduce((sum, id) => sum + sizeOfBytes(given.get(id)!), 0);
		if (ownSize + knownSize > largestEntry(this.#limits.checkpoints)) return false;
		// Of a lot of data only what is missing is sent. If something is lost after that was asked, everything is sent.
		let wanted = knownSize <= SMALL_BYTES ? known : await this.#missing(record.caller, ids);
		for (;;) {
			if (wanted.some((id) => !given.has(id))) return false;
			const reply = await this.#put(record, ids, ownSize, wanted, given);
			if (!Array.isArray(reply)) return reply === 1;
			wanted = [...new Set([...known, ...reply.map(toHex)])];
		}
	}

	async #missing(caller: string, ids: string[]): Promise<string[]> {
		return ((await this.#link.run(MISSING, [SHELF, nameOf(caller), ...ids.map(fromHex)])) as Buffer[]).map(toHex);
	}

	#put(
		{ caller, key, conversationId, state }: StoredCheckpoint,
		ids: string[],
		ownSize: number,
		sent: string[],
		given: ReadonlyMap<string, Uint8Array>,
	) {
		const { checkpoints, checkpointTtlMs } = this.#limits;
		return this.#link.run(PUT, [
			...[SHELF, nameOf(caller), key, conversationId, bytesOf(state), ownSize],
			...[this.#now(), checkpointTtlMs, checkpoints.perCaller, checkpoints.total],
			...[ids.length, ...ids.map(fromHex)],
			...sent.flatMap((id) => [fromHex(id), bytesOf(given.get(id)!)]),
		]);
	}
}

const fromHex = (id: string): Buffer => Buffer.from(id, "hex");
const toHex = (id: unknown): string => (id as Buffer).toString("hex");
