import type { ByteBudget } from "../limits.ts";
import { GRACE_MS, type Script, script } from "./script.ts";

/**
 * The index of a shelf, for scripts that keep the entries themselves elsewhere: their order (`order`, of all entries and
 * per caller, by a number that counts up), when they expire, and how many bytes a caller has. A script defines
 * `discard`, which removes the entry itself and subtracts its bytes from the caller's.
 *
 * Every key has the time to live of its longest-living entry, so that Redis itself removes all of them in the end.
 * Entries that Redis has already removed stay in the index until the next clean-up.
 */
const SHELF = `
local shelf, caller = ARGV[1], ARGV[2]
local discard

local function keepAlive(key, ms)
	if redis.call('PTTL', key) < ms + ${GRACE_MS} then redis.call('PEXPIRE', key, ms + ${GRACE_MS}) end
end

local function bytesOf(caller)
	return tonumber(redis.call('HGET', shelf .. ':bytes', caller) or 0)
end

local function bytesOfAll()
	local sum = 0
	for _, bytes in ipairs(redis.call('HVALS', shelf .. ':bytes')) do sum = sum + bytes end
	return sum
end

local function charge(caller, bytes)
	redis.call('HINCRBY', shelf .. ':bytes', caller, bytes)
end

-- What was counted for entries that Redis has removed with the whole caller counts no more.
local function forgetBytesOfNothing(caller)
	if redis.call('EXISTS', shelf .. ':order:' .. caller) == 0 then redis.call('HDEL', shelf .. ':bytes', caller) end
end

-- To be the first write: only that one is refused by a Redis whose memory is full.
local function refuseIfFull()
	redis.call('INCR', shelf .. ':number')
end

local function makeNewest(name, now, ttl)
	local number = redis.call('INCR', shelf .. ':number')
	redis.call('ZADD', shelf .. ':order', number, caller .. ':' .. name)
	redis.call('ZADD', shelf .. ':order:' .. caller, number, name)
	redis.call('ZADD', shelf .. ':expiry', now + ttl, caller .. ':' .. name)
	for _, key in ipairs({':number', ':order', ':order:' .. caller, ':expiry', ':bytes'}) do keepAlive(shelf .. key, ttl) end
end

local function isAlive(name, now)
	local expiresAt = redis.call('ZSCORE', shelf .. ':expiry', caller .. ':' .. name)
	return expiresAt and tonumber(expiresAt) > now
end

local function drop(caller, name)
	discard(caller, name)
	redis.call('ZREM', shelf .. ':order', caller .. ':' .. name)
	redis.call('ZREM', shelf .. ':order:' .. caller, name)
	redis.call('ZREM', shelf .. ':expiry', caller .. ':' .. name)
	forgetBytesOfNothing(caller)
end

local function dropMember(member)
	local colon = string.find(member, ':', 1, true)
	drop(string.sub(member, 1, colon - 1), string.sub(member, colon + 1))
end

local function keepWithin(perCaller, total)
	while bytesOf(caller) > perCaller do
		local oldest = redis.call('ZRANGE', shelf .. ':order:' .. caller, 0, 0)[1]
		if not oldest then break end
		drop(caller, oldest)
	end
	while bytesOfAll() > total do
		local oldest = redis.call('ZRANGE', shelf .. ':order', 0, 0)[1]
		if not oldest then break end
		dropMember(oldest)
	end
end
`;

/** A script whose first two values are the shelf and the caller. */
export const shelfScript = (discard: string, lua: string): Script => script(`${SHELF}\n${discard}\n${lua}`);

/** Values: shelf, no caller, now, how many at most. Returns how many had expired. */
export const removeExpiredScript = (discard: string): Script =>
	shelfScript(
		discard,
		`
local expired = redis.call('ZRANGEBYSCORE', shelf .. ':expiry', '-inf', ARGV[3], 'LIMIT', 0, ARGV[4])
for _, member in ipairs(expired) do dropMember(member) end
return #expired
`,
	);

/** The largest size of an entry. */
export const largestEntry = ({ perCaller, total }: ByteBudget): number => Math.min(perCaller, total);
