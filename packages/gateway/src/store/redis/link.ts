import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { StoreUnavailableError, StoreVersionError } from "../errors.ts";
import { explain } from "./errors.ts";
import { PREFIX, type Script, script } from "./script.ts";

export interface RedisLinkOptions {
	/** redis: or rediss:, including user and password. */
	url: string;
	/** Certificate authorities for rediss:, instead of Node's own. */
	ca?: string[];
}

export type Argument = string | number | Buffer;
/** What a script returns. */
export type Reply = Buffer | number | null | Reply[];

/** The layout of the data in Redis. A version that stores it differently has another number. */
const SCHEMA = 1;
const TIMEOUT_MS = 5000;

// The first gateway gives the data set its id. Because this is a write, it proves that the Redis can be written. A node of
// a cluster is refused first: it runs only those scripts whose keys happen to lie in it.
const ENTER = script(`
local info = redis.pcall('INFO', 'cluster')
if type(info) == 'string' and string.find(info, 'cluster_enabled:1', 1, true) then
	return redis.error_reply('CLUSTER enabled')
end
local key = '${PREFIX}store'
redis.call('HSETNX', key, 'id', ARGV[1])
redis.call('HSETNX', key, 'schema', ARGV[2])
return redis.call('HMGET', key, 'id', 'schema')
`);

/**
 * A connection that runs scripts. If it breaks while nothing is under way, it is opened again, unless the data set is a
 * different one: a Redis that comes back empty has lost the keys, and has to be opened as a store to get them.
 */
export class RedisLink {
	readonly #options: RedisLinkOptions;
	#client: Redis;
	/** The data set's id. */
	#id: string;
	#reopened: Promise<void> | undefined;
	#isClosed = false;

	private constructor(options: RedisLinkOptions, client: Redis, id: string) {
		this.#options = options;
		this.#client = client;
		this.#id = id;
	}

	/** Throws a `StoreUnavailableError` or a `StoreVersionError` if the Redis cannot be used. */
	static async open(options: RedisLinkOptions): Promise<RedisLink> {
		const { client, id } = await connect(options);
		return new RedisLink(options, client, id);
	}

	async run(script: Script, args: readonly Argument[]): Promise<Reply> {
		await this.#ready();
		try {
			return await runOn(this.#client, script, args);
		} catch (error) {
			if (isTimeout(error)) this.#giveUp();
			throw explain(error);
		}
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#reopened?.catch(() => {});
		await end(this.#client);
	}

	/** Closes the connection, so that later calls do not wait as well. */
	#giveUp(): void {
		this.#isClosed = true;
		this.#client.disconnect();
	}

	async #ready(): Promise<void> {
		if (this.#isClosed) throw new StoreUnavailableError("the connection to Redis is closed");
		if (this.#client.status === "ready") return;
		this.#reopened ??= this.#reopen().finally(() => {
			this.#reopened = undefined;
		});
		await this.#reopened;
	}

	async #reopen(): Promise<void> {
		this.#client.disconnect();
		const { client, id } = await connect(this.#options);
		if (id !== this.#id) {
			await end(client);
			throw new StoreUnavailableError("Redis has lost its data");
		}
		this.#client = client;
	}
}

/** `timeoutMs`: how long a command may take. */
export async function connect(
	{ url, ca }: RedisLinkOptions,
	timeoutMs = TIMEOUT_MS,
): Promise<{ client: Redis; id: string }> {
	const client = new Redis(url, {
		protocol: 2,
		lazyConnect: true,
		connectTimeout: TIMEOUT_MS,
		commandTimeout: timeoutMs,
		// Nothing is queued or sent twice: memory replaces the store, and no request waits.
		retryStrategy: () => null,
		enableOfflineQueue: false,
		enableReadyCheck: false,
		disableClientInfo: true,
		// Explicit: otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would turn the check off.
		...(url.startsWith("rediss:") && { tls: { ...(ca && { ca }), rejectUnauthorized: true } }),
	});
	// The real cause; the promise only says that the connection is closed.
	let cause: Error | undefined;
	client.on("error", (error: Error) => {
		cause ??= error;
	});
	try {
		await client.connect().catch((error: Error) => {
			throw cause ?? error;
		});
		// The driver has done so, but silently uses the first database if this one does not exist.
		const database = new URL(url).pathname.slice(1);
		if (database !== "") await client.select(database);
		const [id, schema] = (await runOn(client, ENTER, [randomUUID(), SCHEMA])) as Buffer[];
		if (Number(schema) > SCHEMA) {
			throw new StoreVersionError(
				`The Redis was written by a newer version of cursorwire (schema ${schema}, this one knows ${SCHEMA}). Update cursorwire, or choose another database in the URL.`,
			);
		}
		return { client, id: String(id) };
	} catch (error) {
		client.disconnect();
		throw explain(error);
	}
}

export async function runOn(client: Redis, { lua, sha }: Script, args: readonly Argument[]): Promise<Reply> {
	const reply = await client.callBuffer("EVALSHA", [sha, 0, ...args]).catch((error: Error) => {
		if (!error.message.startsWith("NOSCRIPT")) throw error;
		return client.callBuffer("EVAL", [lua, 0, ...args]);
	});
	return reply as Reply;
}

const isTimeout = (error: unknown): boolean => (error as Error).message === "Command timed out";

/** Closes it after Redis has replied to everything that was sent. */
async function end(client: Redis): Promise<void> {
	try {
		if (client.status === "ready") await client.quit();
	} catch {
		// It is already closed.
	} finally {
		client.disconnect();
	}
}
