import { GRACE_MS, PREFIX, script } from "./script.ts";

const LEDGER = `local ledger = '${PREFIX}ledger'\n`;
/** Digits of the number before each row, which is its id, separates equal rows and orders rows of the same time. */
export const DIGITS = 16;

// Values: time to live, then time and JSON of each row.
export const APPEND = script(`${LEDGER}
for index = 2, #ARGV, 2 do
	local number = redis.call('INCR', ledger .. ':number')
	redis.call('ZADD', ledger, ARGV[index], string.format('%0${DIGITS}.0f', number) .. ARGV[index + 1])
end
for _, key in ipairs({ledger, ledger .. ':number'}) do redis.call('PEXPIRE', key, ARGV[1] + ${GRACE_MS}) end
`);

// Values: a time. Returns how many rows there are, and how many of them are as young as that.
export const COUNT = script(`${LEDGER}
return {redis.call('ZCARD', ledger), redis.call('ZCOUNT', ledger, ARGV[1], '+inf')}
`);

// Values: the ranks of the first and the last row; the oldest row has the rank 0.
export const RANGE = script(`${LEDGER} return redis.call('ZRANGE', ledger, ARGV[1], ARGV[2])`);

// Values: ranks as above, the id of a row with all its digits. Returns its rank and the row.
export const FIND = script(`${LEDGER}
local rows = redis.call('ZRANGE', ledger, ARGV[1], ARGV[2])
for index, row in ipairs(rows) do
	if string.sub(row, 1, ${DIGITS}) == ARGV[3] then return {ARGV[1] + index - 1, row} end
end
return false
`);

// Values: ranks as above, a text. Returns the rows that contain it.
export const CONTAINING = script(`${LEDGER}
local found = {}
for _, row in ipairs(redis.call('ZRANGE', ledger, ARGV[1], ARGV[2])) do
	if string.find(row, ARGV[3], 1, true) then found[#found + 1] = row end
end
return found
`);

// Values: the oldest time to keep, how many to keep, how many to remove at most.
export const REMOVE_SURPLUS = script(`${LEDGER}
local old = redis.call('ZCOUNT', ledger, '-inf', '(' .. ARGV[1])
local surplus = math.min(math.max(old, redis.call('ZCARD', ledger) - ARGV[2]), tonumber(ARGV[3]))
if surplus <= 0 then return 0 end
return redis.call('ZREMRANGEBYRANK', ledger, 0, surplus - 1)
`);
