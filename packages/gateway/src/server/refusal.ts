import type { Refused } from "../observe/facts.ts";
import type { GatewayError } from "../turn/error.ts";
import { ERROR_KINDS, type ErrorKind } from "../turn/error-kinds.ts";

/** Errors whose words are all the gateway's own. Those of other kinds may quote the request. */
const OWN_WORDS: readonly ErrorKind[] = ["bad-key", "forbidden", "too-large", "caller-limit", "overloaded"];

/** What the log may say about a refused request. */
export function refusalOf({ kind, message, nextStep }: GatewayError, status: number): Refused {
	const entry = ERROR_KINDS[kind];
	const isOwn = OWN_WORDS.includes(kind);
	return {
		type: "refused",
		status,
		errorKind: kind,
		reason: isOwn ? message : entry.sentence,
		nextStep: isOwn ? nextStep : entry.nextStep,
	};
}
