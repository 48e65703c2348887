import type { Redis } from "ioredis";
import type { Clock } from "../../time/clock.ts";
import { sleep } from "../../time/sleep.ts";
import { StoreUnavailableError } from "../errors.ts";
import { explain, isFull } from "./errors.ts";
import { inboxOf } from "./group-scripts.ts";
import { type Argument, connect, type RedisLinkOptions, type Reply, runOn } from "./link.ts";
import type { Script } from "./script.ts";

export interface GroupLinkOptions extends RedisLinkOptions {
	/** The name of this gateway in the group. */
	id: string;
	clock: Clock;
	ears: GroupEars;
}

/** Hears of what happens on the connections. None of these may throw. */
interface GroupEars {
	/** Redis can be reached. Nothing is read before this has resolved. */
	up(): Promise<void>;
	/** What was under way on the connection is lost. It is opened again at once. */
	lost(reason: string): void;
	/** It cannot be opened again, or not be used. Called once, however often that is tried. */
	alone(reason: string): void;
	/** What other gateways have put into the inbox, in order. */
	heard(messages: readonly string[]): void;
}

/**
 * A connection on which a script takes longer is lost. That Redis stands still shows sooner, by the checks below: a
 * command also takes long when this process stood still, and then nothing is wrong with Redis.
 */
const TIMEOUT_MS = 10_000;
const RECONNECT_MS = 500;
/** How long one look into the inbox waits for something to come. */
export const READ_MS = 400;
/** Checks without a look in between: so many are still in order, and after so many the connection is lost. */
const SOON_ENOUGH = 3;
const MOST_CHECKS = 6;
const MOST_AT_ONCE = 256;
/** How many characters that were read may stay in the inbox: every renewal of the lease removes what was read. */
const MOST_LEFT = 256 << 10;

interface Connections {
	commands: Redis;
	/** Only waits for messages. */
	reader: Redis;
	/** The inbox could be looked into. */
	isProven: boolean;
}

/** Two connections of a gateway to the Redis of its group: one that runs scripts, and one that reads its inbox. */
export class GroupLink {
	readonly #options: GroupLinkOptions;
	#open: Connections | undefined;
	/** The newest message that was read. */
	#newest = "0";
	/** How many characters were read since some were removed. */
	#left = 0;
	/** How often it was checked since the inbox was looked into last. */
	#checks = 0;
	/** The attempt to connect that is under way. */
	#attempt: Promise<void> | undefined;
	/** The last attempt has failed. */
	#isAlone = false;
	/** It was told that this gateway is alone. */
	#isTold = false;
	#cancelReconnect: (() => void) | undefined;
	#isClosed = false;

	constructor(options: GroupLinkOptions) {
		this.#options = options;
	}

	get isUp(): boolean {
		return this.#open !== undefined;
	}

	/**
	 * Redis could not be reached when that was tried last. A connection that was just lost does not mean that: a process
	 * that stood still loses its connection as well, while others go on.
	 */
	get isAlone(): boolean {
		return this.#isAlone;
	}

	get newest(): string {
		return this.#newest;
	}

	/** What is in the inbox from now on is read from its beginning, because all of it is new. */
	readAll(): void {
		this.#newest = "0";
	}

	/** Connects, and does so again whenever the connection is lost. Resolves after the first attempt. */
	start(): Promise<void> {
		this.#attempt ??= this.#connect().finally(() => {
			this.#attempt = undefined;
		});
		return this.#attempt;
	}

	/** Waits at most so long for the attempt that is under way. */
	async connected(atMostMs: number): Promise<void> {
		if (this.#attempt) await Promise.race([this.#attempt, sleep(atMostMs, this.#options.clock)]);
	}

	async #connect(): Promise<void> {
		const { ears } = this.#options;
		try {
			const [{ client: commands }, { client: reader }] = await openBoth(this.#options);
			const open = { commands, reader, isProven: false };
			if (this.#isClosed) return disconnect(open);
			this.#open = open;
			for (const client of [commands, reader]) client.on("close", () => this.#lost(open, "the connection was closed"));
			await ears.up();
			// Meanwhile it may have been lost again.
			if (this.#open !== open) return this.#failed("the connection was closed");
			this.#isAlone = false;
			this.#checks = 0;
			void this.#read(open);
		} catch (error) {
			this.#failed(reasonOf(error));
		}
	}

	async run(script: Script, args: readonly Argument[]): Promise<Reply> {
		const open = this.#open;
		if (!open) throw new StoreUnavailableError("Redis cannot be reached");
		try {
			return await runOn(open.commands, script, args);
		} catch (error) {
			// Everything smaller still gets through.
			if (!isFull(error as Error)) this.#lost(open, reasonOf(error));
			throw error;
		}
	}

	close(): void {
		this.#isClosed = true;
		this.#cancelReconnect?.();
		const open = this.#open;
		this.#open = undefined;
		if (open) disconnect(open);
	}

	/**
	 * Whether the inbox was looked into lately, for whoever asks every `READ_MS`. A Redis that stands still does not even
	 * reply that nothing has come. Counted and not timed, because a process that was stopped has not looked either.
	 */
	isReading(): boolean {
		this.#checks++;
		if (this.#open && this.#checks > MOST_CHECKS) this.#lost(this.#open, "Redis does not reply");
		return this.#open !== undefined && this.#checks <= SOON_ENOUGH;
	}

	async #read(open: Connections): Promise<void> {
		const { id, ears } = this.#options;
		const inbox = inboxOf(id);
		while (this.#open === open) {
			try {
				const found = await open.reader.xread("COUNT", MOST_AT_ONCE, "BLOCK", READ_MS, "STREAMS", inbox, this.#newest);
				this.#checks = 0;
				open.isProven = true;
				this.#isTold = false;
				const entries = found?.[0]?.[1] ?? [];
				if (entries.length === 0 || this.#open !== open) continue;
				this.#newest = entries.at(-1)![0];
				const messages = entries.map(([, fields]) => fields[1]!);
				this.#remove(open, messages);
				ears.heard(messages);
			} catch (error) {
				return this.#lost(open, reasonOf(error));
			}
		}
	}

	/** Removes what was read from the inbox, if it is much: a reply may be quicker than the next renewal of the lease. */
	#remove({ commands }: Connections, messages: readonly string[]): void {
		for (const { length } of messages) this.#left += length;
		if (this.#left < MOST_LEFT) return;
		this.#left = 0;
		commands.xtrim(inboxOf(this.#options.id), "MINID", this.#newest).catch(() => {});
	}

	#lost(open: Connections, reason: string): void {
		if (this.#open !== open) return;
		this.#open = undefined;
		disconnect(open);
		this.#options.ears.lost(reason);
		if (open.isProven) void this.start();
		else if (!this.#attempt) this.#failed(reason);
	}

	#failed(reason: string): void {
		if (this.#isClosed) return;
		this.#isAlone = true;
		if (!this.#isTold) this.#options.ears.alone(reason);
		this.#isTold = true;
		if (this.#cancelReconnect) return;
		this.#cancelReconnect = this.#options.clock.after(RECONNECT_MS, () => {
			this.#cancelReconnect = undefined;
			void this.start();
		});
	}
}

const reasonOf = (error: unknown): string => (explain(error) as Error).message;

async function openBoth(options: RedisLinkOptions): Promise<[{ client: Redis }, { client: Redis }]> {
	const commands = await connect(options, TIMEOUT_MS);
	try {
		const reader = await connect(options);
		// It waits for messages, and a process that stood still has waited longer than any limit.
		delete reader.client.options.commandTimeout;
		return [commands, reader];
	} catch (error) {
		commands.client.disconnect();
		throw error;
	}
}

function disconnect({ commands, reader }: Connections): void {
	commands.disconnect();
	reader.disconnect();
}
