import type { RedisLink } from "./link.ts";
import { bytesOf, PREFIX, script } from "./script.ts";

// Kept for good: what was sealed with it is kept by clients.
const ENSURE = script(`
local key = '${PREFIX}sealing-key'
redis.call('SETNX', key, ARGV[1])
return redis.call('GET', key)
`);

/** The secret that all gateways of this Redis have in common: the one that is there, or else `fresh` from now on. */
export async function ensureSharedSecret(link: RedisLink, fresh: Uint8Array): Promise<Uint8Array> {
	return new Uint8Array((await link.run(ENSURE, [bytesOf(fresh)])) as Buffer);
}
