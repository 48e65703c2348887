import { ReplyError } from "ioredis";
import { StoreUnavailableError, StoreVersionError } from "../errors.ts";

/** How Redis's refusals begin, and what each means for the user. */
const REASONS: readonly (readonly [code: string, reason: string])[] = [
	["OOM", "its memory is full"],
	["READONLY", "it is a replica, which cannot be written"],
	["LOADING", "it is still loading its data"],
	["MISCONF", "it cannot save to its disk"],
	["MASTERDOWN", "it has lost its primary"],
	["NOREPLICAS", "it has too few replicas to be written"],
	["BUSY", "a script blocks it for too long"],
	["NOAUTH", "it requires a password, and the URL has none"],
	["WRONGPASS", "the user name or password is wrong"],
	["NOPERM", "the user may not run this command"],
	["MOVED", "it is part of a cluster, which is not supported"],
	["CLUSTER", "it is part of a cluster, which is not supported"],
	["ERR Script attempted to access a non local key", "it is part of a cluster, which is not supported"],
	["ERR Script attempted to execute a command while the cluster", "it is part of a cluster, which is not supported"],
	["ERR max number of clients", "it has too many connections"],
	["ERR DB index is out of range", "it has no database with the number in the URL"],
];

/** Already ours, or a bug in our own code. */
const OWN_ERRORS = [StoreUnavailableError, StoreVersionError, TypeError, RangeError] as const;

/**
 * What the driver threw, as a `StoreUnavailableError` if the cause is outside. The driver's errors are not passed on,
 * because they carry the command with all of its values, which may include the password.
 */
export function explain(error: unknown): unknown {
	if (OWN_ERRORS.some((type) => error instanceof type)) return error;
	const { message } = error as Error;
	if (!(error instanceof ReplyError)) return new StoreUnavailableError(`Redis cannot be reached: ${message}`);
	// Older versions put the error of a command into the middle of the error of its script.
	const [code, reason] = REASONS.find(([code]) => message.startsWith(code) || message.includes(`-${code}`)) ?? [];
	return code ? new StoreUnavailableError(`Redis cannot be used: ${reason} (${code})`) : new Error(`Redis: ${message}`);
}

/** Redis has no memory for what was to be written. */
export const isFull = ({ message }: Error): boolean => message.startsWith("OOM") || message.includes("-OOM");
