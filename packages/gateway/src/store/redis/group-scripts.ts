import { PREFIX, script } from "./script.ts";

// What gateways of a group say to each other through Redis (ADR 61). Names: `lease:` of a gateway, its `inbox:`, the
// runs that were `taken:` from it, a `run:` with its owner and its epoch, and the `call:` that a run waits for. `turns:`
// has how many turns of a caller run in which gateway.

const NAMES = `
local P = '${PREFIX}group:'
local function lease(id) return P .. 'lease:' .. id end
local function inbox(id) return P .. 'inbox:' .. id end
local function taken(id) return P .. 'taken:' .. id end
local function run(id) return P .. 'run:' .. id end
local function call(caller, id) return P .. 'call:' .. caller .. ':' .. id end
local function post(to, message)
	redis.call('XADD', inbox(to), '*', 'm', message)
	redis.call('PEXPIRE', inbox(to), 60000)
end
-- Nobody else may use the run from now on: its former owner learns of it with its next renewal.
local function take(id, me, ttl)
	local owner = redis.call('HGET', run(id), 'owner')
	redis.call('HINCRBY', run(id), 'epoch', 1)
	redis.call('HSET', run(id), 'owner', me)
	redis.call('PEXPIRE', run(id), ttl)
	if owner and owner ~= me then
		redis.call('SADD', taken(owner), id)
		redis.call('PEXPIRE', taken(owner), ttl)
	end
end
`;
/** What a gateway says to stay in the group is little, and is said also to a Redis whose memory is full. */
const groupScript = (lua: string) => script(`#!lua flags=allow-oom\n${NAMES}${lua}`);
/** Not this one: it may bring results of many megabytes. */
const bulkyScript = (lua: string) => script(NAMES + lua);

/** What a call leads to that was answered without its run. No id of a run. */
const ANSWERED_ELSEWHERE = "-";

/** me, lease ms, the newest message that was read, peers… → whether the lease still held, runs taken, who is alive. */
export const RENEW = groupScript(`
local me = ARGV[1]
local held = redis.call('EXISTS', lease(me))
redis.call('SET', lease(me), '1', 'PX', ARGV[2])
local lost = redis.call('SMEMBERS', taken(me))
if #lost > 0 then redis.call('DEL', taken(me)) end
if ARGV[3] ~= '0' then redis.call('XTRIM', inbox(me), 'MINID', ARGV[3]) end
local alive = {}
for i = 4, #ARGV do alive[i - 3] = redis.call('EXISTS', lease(ARGV[i])) end
return { held, lost, alive }
`);

/** me, run, ttl, caller, calls… → 0: another gateway has the run, or its results. */
export const REGISTER = groupScript(`
local me, id, ttl, caller = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local owner = redis.call('HGET', run(id), 'owner')
if owner and owner ~= me then return 0 end
for i = 5, #ARGV do
	local known = redis.call('GET', call(caller, ARGV[i]))
	if known and known ~= id then return 0 end
end
redis.call('HSET', run(id), 'owner', me)
redis.call('HSETNX', run(id), 'epoch', 1)
redis.call('PEXPIRE', run(id), ttl)
for i = 5, #ARGV do redis.call('SET', call(caller, ARGV[i]), id, 'PX', ttl) end
return 1
`);

/**
 * me, ttl, how long to remember that nobody had them (0: not at all), message, caller, calls… → what was found: the run
 * and its owner, who has got the message; or `taken`, where the owner is gone.
 */
export const CLAIM = bulkyScript(`
local me, ttl, remember, message, caller = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local id
for i = 6, #ARGV do id = id or redis.call('GET', call(caller, ARGV[i])) end
if id == '${ANSWERED_ELSEWHERE}' then return { 'answered' } end
local owner = id and redis.call('HGET', run(id), 'owner')
if not owner then
	for i = 6, #ARGV do
		if remember > 0 then redis.call('SET', call(caller, ARGV[i]), '${ANSWERED_ELSEWHERE}', 'PX', remember) end
	end
	return { 'unknown' }
end
if owner == me then return { 'own' } end
if redis.call('EXISTS', lease(owner)) == 0 then
	take(id, me, ttl)
	return { 'taken', id }
end
post(owner, message)
return { 'sent', id, owner }
`);

/** me, ttl, peer, run, message → 0: the peer is alive. Otherwise the message comes behind all that the peer has said. */
export const FENCE = groupScript(`
if redis.call('EXISTS', lease(ARGV[3])) == 1 then return 0 end
if redis.call('HGET', run(ARGV[4]), 'owner') == ARGV[3] then take(ARGV[4], ARGV[1], ARGV[2]) end
post(ARGV[1], ARGV[5])
return 1
`);

/** me, ttl, caller, calls…: they were answered without the run that waits for them. */
export const SUPERSEDE = groupScript(`
local me, ttl, caller = ARGV[1], ARGV[2], ARGV[3]
for i = 4, #ARGV do
	local name = call(caller, ARGV[i])
	local id = redis.call('GET', name)
	if id and id ~= '${ANSWERED_ELSEWHERE}' then take(id, me, ttl) end
	redis.call('SET', name, '${ANSWERED_ELSEWHERE}', 'PX', ttl)
end
return 1
`);

/** run, note: for the gateway that counts its next reply. */
export const NOTE = groupScript(`
if redis.call('EXISTS', run(ARGV[1])) == 1 then redis.call('HSET', run(ARGV[1]), 'note', ARGV[2]) end
return 1
`);
export const NOTE_OF = groupScript("return redis.call('HGET', run(ARGV[1]), 'note')");

/** me, caller, turns here, limit → 0: there would be more than that in all gateways that are alive. */
export const BEGIN_TURN = groupScript(`
local me, name = ARGV[1], P .. 'turns:' .. ARGV[2]
local known = redis.call('HGETALL', name)
local all = tonumber(ARGV[3])
for i = 1, #known, 2 do
	if known[i] ~= me then
		if redis.call('EXISTS', lease(known[i])) == 1 then all = all + tonumber(known[i + 1])
		else redis.call('HDEL', name, known[i]) end
	end
end
if all > tonumber(ARGV[4]) then return 0 end
redis.call('HSET', name, me, ARGV[3])
redis.call('PEXPIRE', name, 86400000)
return 1
`);

/** me, caller, turns here */
export const COUNT_TURNS = groupScript(`
local name = P .. 'turns:' .. ARGV[2]
if ARGV[3] == '0' then return redis.call('HDEL', name, ARGV[1]) end
redis.call('HSET', name, ARGV[1], ARGV[3])
redis.call('PEXPIRE', name, 86400000)
return 1
`);

/** to, message */
export const POST = groupScript("post(ARGV[1], ARGV[2])\nreturn 1\n");

/** me, the newest message that was read → what nobody will read any more. The lease ends, or begins anew. */
const EMPTY = `
local rest = redis.call('XRANGE', inbox(ARGV[1]), ARGV[2] == '0' and '-' or '(' .. ARGV[2], '+')
redis.call('DEL', inbox(ARGV[1]))
local messages = {}
for i = 1, #rest do messages[i] = rest[i][2][2] end
return messages
`;
export const LEAVE = groupScript(`redis.call('DEL', lease(ARGV[1]))\n${EMPTY}`);
export const EMPTY_INBOX = groupScript(EMPTY);

export const inboxOf = (id: string): string => `${PREFIX}group:inbox:${id}`;
