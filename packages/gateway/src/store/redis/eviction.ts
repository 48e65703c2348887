import type { RedisLink } from "./link.ts";
import { script } from "./script.ts";

const MEMORY = script("return redis.call('INFO', 'memory')");

/** What may happen where Redis makes room by removing what gateways have stored; undefined where it does not. */
export async function evictionWarning(link: RedisLink): Promise<string | undefined> {
	// Whoever may not ask goes without the warning.
	const info = String(await link.run(MEMORY, []).catch(() => ""));
	const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "noeviction";
	if (policy === "noeviction") return undefined;
	return `Redis removes data of its own accord when its memory is full (maxmemory-policy ${policy}), also keys of the gateway and messages between gateways. Set maxmemory-policy to noeviction.`;
}
