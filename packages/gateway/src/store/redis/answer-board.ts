import type { ScriptRunner } from "./login-board.ts";
import { PREFIX, script } from "./script.ts";

/** Twice as long as an answer is valid. */
const KEPT_MS = 60 * 24 * 3_600_000;

const named = (lua: string) => script(`local name = '${PREFIX}group:answers:' .. ARGV[1]\n${lua}`);
const FIND = named("return redis.call('GET', name)");
const LEAVE = named("return redis.call('SET', name, ARGV[2], 'PX', ARGV[3])");

/** Where gateways leave what `calibrate` and traffic have shown of the server. */
export class RedisAnswerBoard {
	readonly #redis: ScriptRunner;

	constructor(redis: ScriptRunner) {
		this.#redis = redis;
	}

	async find(name: string): Promise<string | undefined> {
		const text = (await this.#redis.run(FIND, [name])) as Buffer | null;
		return text === null ? undefined : String(text);
	}

	async leave(name: string, text: string): Promise<void> {
		await this.#redis.run(LEAVE, [name, text, KEPT_MS]);
	}
}
