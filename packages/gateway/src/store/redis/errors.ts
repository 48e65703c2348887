import { ReplyError } from "ioredis";
import { StoreUnavailableError, StoreVersionError } from "../errors.ts";

/** How Redis begins its refusals, and what each means to a person. */
const REASONS: readonly (readonly [code: string, reason: string])[] = [
	["OOM", "its memory is full"],
	["READONLY", "it is a replica, which cannot be written"],
	["LOADING", "it is still loading its data"],
	["MISCONF", "it cannot save to its disk"],
	["MASTERDOWN", "it has lost the one it is a replica of"],
	["NOREPLICAS", "it has too few replicas to be written"],
	["BUSY", "a script holds it too long"],
	["NOAUTH", "it wants a password, and the URL has none"],
	["WRONGPASS", "user name or password are wrong"],
	["NOPERM", "the user may not run this command"],
	["MOVED", "it is part of a cluster, which is not supported"],
	["CLUSTERDOWN", "it is part of a cluster, which is not supported"],
	["ERR max number of clients", "it has too many connections"],
	["ERR DB index is out of range", "it has no database of the number in the URL"],
];

/** Said by us already, or a mistake in our own lines. */
const OWN_ERRORS = [StoreUnavailableError, StoreVersionError, TypeError, RangeError] as const;

/**
 * What the driver threw, as a `StoreUnavailableError` where the cause lies outside. Its errors are not passed on: they
 * carry the command with all of its values, which may be the password.
 */
export function explain(error: unknown): unknown {
	if (OWN_ERRORS.some((type) => error instanceof type)) return error;
	const { message } = error as Error;
	if (!(error instanceof ReplyError)) return new StoreUnavailableError(`Redis cannot be reached: ${message}`);
	// Older versions name the error of a command in the middle of that of its script.
	const [code, reason] = REASONS.find(([code]) => message.startsWith(code) || message.includes(`-${code}`)) ?? [];
	return code ? new StoreUnavailableError(`Redis cannot be used: ${reason} (${code})`) : new Error(`Redis: ${message}`);
}
