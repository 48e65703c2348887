import type { StreamText } from "../text/stream-text.ts";
import type { Soon } from "../time/soon.ts";
import type { CollectedTurn } from "../turn/collect.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnRequest } from "../turn/request.ts";

/**
 * A dialect is one client API: Chat Completions, Completions, Responses or Messages. It translates in both directions
 * between what clients of that API send and expect and the gateway's own language in `turn/`.
 *
 * A turn goes through a dialect like this. The turn endpoint calls `read` once, with the parsed body of a request. The
 * turn service then starts a run for each reply that is wanted and either passes the events of each run to the encoder
 * that `encoder` makes for it, or collects them and calls `whole` once. When the turn fails before anything has been
 * written, it calls `error`. The server calls `encodeError` for a request that fails before it has been read.
 *
 * Everything in a dialect is pure: it takes values and returns values, and whatever it needs from outside is in the
 * `DialectContext`. It must not know about sockets, sessions, the store, or how and by which protocol Cursor is reached.
 *
 * `docs/adding-a-dialect.md` shows a complete small one.
 */
export interface Dialect {
	/** As the log and the ledger name it. */
	readonly name: string;
	/** Where clients post their turns, without the `/v1` that some of them leave out. Paths below it belong to it too. */
	readonly path: string;
	/** Further paths of this API, whose errors take its form. */
	readonly otherPaths?: readonly string[];
	/** A header that only clients of this API send. It identifies them on paths that several APIs have in common. */
	readonly header?: string;
	/** The response header in which clients of this API look for the id of their request. */
	readonly requestIdHeader: string;
	/** Reads the body of a request. Fails with a `GatewayError` if it is not valid. */
	read(body: unknown, context: DialectContext): Soon<DialectTurn>;
	/** The response to a request that failed. */
	encodeError(error: GatewayError, requestId: string): EncodedError;
}

/** What a dialect gets from outside to read one request. */
export interface DialectContext {
	/** Makes a new unique id. */
	newId(): string;
	/** Milliseconds since 1970. */
	now(): number;
	requestId: string;
	/** A header of the request, by its name in lower case. */
	header(name: string): string | undefined;
	/** Replies that clients can name in later requests. */
	stored: StoredReplies;
	/** What seals texts that clients keep for the gateway. */
	sealer(): Soon<Sealer>;
}

/** Seals texts so that only this installation, or the group that shares its store, can read them and make them. */
export interface Sealer {
	seal(text: string): string;
	/** Undefined if the text was sealed elsewhere, or changed since. */
	open(sealed: string): string | undefined;
}

/** What a dialect stores about finished replies, each to be found only by the caller that received it. */
export interface StoredReplies {
	/** The record that was stored under this id; undefined if there is none. */
	load(id: string): Promise<unknown>;
	/** Stores a record, a JSON value. It can be loaded from now on, although a long one takes a while to be written. */
	keep(id: string, record: object): void;
}

/** A request that has been read: the turn to have, and how its reply is written. */
export interface DialectTurn {
	/** The name of the dialect. */
	dialect: string;
	turn: TurnRequest;
	stream: boolean;
	/** The beginning of the stream says how many tokens the prompt has. */
	tellsPromptFirst?: boolean;
	/** How many replies are wanted, each of them from a run of its own. */
	choices: number;
	/** Writes the stream of one reply. */
	encoder(choice: number): StreamEncoder;
	/** The body of a response that is not streamed, with all replies. */
	whole(turns: CollectedTurn[]): object;
	/** The response if the turn fails before anything has been written. */
	error(error: GatewayError): EncodedError;
}

/** Writes the events of one reply as server-sent events. */
export interface StreamEncoder {
	/** The text of a whole batch; empty if there is nothing to say. */
	encode(batch: readonly TurnEvent[]): StreamText;
	/** An error in the middle of the stream. Nothing that looks like an orderly end may follow it. */
	encodeError(error: GatewayError): StreamText;
	/** What keeps a silent stream open; if left out, a comment. */
	readonly keepAlive?: string;
	/** Whether clients look for this error only inside a stream, so that it goes there even if none has begun. */
	failsInside?(error: GatewayError): boolean;
}

export interface EncodedError {
	status: number;
	headers: Record<string, string>;
	body: object;
}
