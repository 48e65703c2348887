import type { Argument, Reply } from "./link.ts";
import { PREFIX, type Script, script } from "./script.ts";

/** How long a gateway that was away can still learn of a renewal. */
const KEPT_MS = 60 * 24 * 3_600_000;
/** A gateway that dies while it renews holds the others up for so long. */
const LOCKED_MS = 30_000;

const named = (lua: string) => script(`local name = '${PREFIX}group:login:' .. ARGV[1]\n${lua}`);
const FIND = named("return redis.call('GET', name)");
const PUBLISH = named("return redis.call('SET', name, ARGV[2], 'PX', ARGV[3])");
const LOCK = named("return redis.call('SET', name .. ':lock', ARGV[2], 'NX', 'PX', ARGV[3]) and 1 or 0");
const UNLOCK = named(`
if redis.call('GET', name .. ':lock') == ARGV[2] then return redis.call('DEL', name .. ':lock') end
return 0
`);

/** What runs scripts. */
export interface ScriptRunner {
	run(script: Script, args: readonly Argument[]): Promise<Reply>;
}

/** Where gateways leave renewed logins for each other. Redis holds them sealed, and cannot open them. */
export class RedisLoginBoard {
	readonly #redis: ScriptRunner;
	readonly #newId: () => string;

	constructor(redis: ScriptRunner, newId: () => string) {
		this.#redis = redis;
		this.#newId = newId;
	}

	async find(name: string): Promise<Uint8Array | undefined> {
		return ((await this.#redis.run(FIND, [name])) as Buffer | null) ?? undefined;
	}

	async publish(name: string, sealed: Uint8Array): Promise<void> {
		await this.#redis.run(PUBLISH, [name, Buffer.from(sealed), KEPT_MS]);
	}

	/** What releases the lock; undefined while another gateway has it. */
	async lock(name: string): Promise<(() => Promise<void>) | undefined> {
		const token = this.#newId();
		if ((await this.#redis.run(LOCK, [name, token, LOCKED_MS])) !== 1) return undefined;
		return async () => void (await this.#redis.run(UNLOCK, [name, token]));
	}
}
