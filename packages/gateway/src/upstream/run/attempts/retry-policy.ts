import type { GatewayError } from "../../../turn/error.ts";
import type { ErrorKind } from "../../../turn/error-kinds.ts";
import { WireError } from "../../../wire/errors.ts";
import { isSpellingRefusal } from "../../catalog/names/spelling-refusal.ts";
import type { ChannelEnd } from "../../channels/channel.ts";
import { isUnimplemented } from "../../errors/upstream-failure.ts";
import type { RunLimits } from "../run-limits.ts";
import type { RetryReason } from "../run-observer.ts";

/** What is known when a stream has failed. */
export interface FailureFacts {
	/** Something of the reply has reached the client. */
	emitted: boolean;
	/** Going on from the newest checkpoint repeats nothing. */
	resumable: boolean;
	transportRetries: number;
	serverRetries: number;
	/** Resumed attempts in a row that brought no new checkpoint. */
	fruitlessResumes: number;
	canFallBack: boolean;
	hasOtherSpelling: boolean;
	/** There is an older protocol to try where this one is not served. */
	hasOtherProtocol: boolean;
	tokenWasRefreshed: boolean;
	customPrompt: boolean;
}

export type RetryDecision =
	| { kind: "fail"; error: GatewayError }
	/** The same request over HTTP/1.1. */
	| { kind: "fall-back" }
	/** The same request in an older protocol: this one is not served there. */
	| { kind: "other-protocol"; error: GatewayError }
	/** The other way to name the model variant. */
	| { kind: "respell" }
	| { kind: "refresh-token" }
	/** The system prompt as rules, which every account may send. */
	| { kind: "plain-prompt" }
	| { kind: "retry"; count: "transport" | "server"; delayMs: number }
	/** Go on from the checkpoint. */
	| { kind: "resume"; delayMs: number };

/** Failures of the connection. A malformed response is not one of them: it would come again. */
const TRANSPORT_KINDS = new Set<ErrorKind>([
	"upstream-reset",
	"upstream-stalled",
	"upstream-timeout",
	"upstream-unavailable",
]);
/** Failures of the server that tend to pass. Limits and quotas are the client's to wait for. */
const PASSING_KINDS = new Set<ErrorKind>(["upstream-unavailable", "upstream-timeout", "upstream-error"]);
const MOST_FRUITLESS_RESUMES = 2;
const SECOND_LOOK_MS = 200;

/**
 * What to do about a failed stream. The rule above all: once something of the reply was seen, nothing is sent again
 * except a resume that provably repeats nothing.
 */
export function decide(
	end: Exclude<ChannelEnd, { kind: "complete" }>,
	facts: FailureFacts,
	limits: RunLimits,
): RetryDecision {
	const { error } = end;
	const fail: RetryDecision = { kind: "fail", error };
	if (facts.emitted) return end.kind === "broken" ? resumeOr(fail, facts, limits) : fail;
	if (end.kind === "broken" && end.fallback && facts.canFallBack) return { kind: "fall-back" };
	if (facts.hasOtherProtocol && isUnimplemented(error)) return { kind: "other-protocol", error };
	if (error.kind === "signed-out" && !facts.tokenWasRefreshed) return { kind: "refresh-token" };
	if (error.kind === "invalid-request" && facts.customPrompt) return { kind: "plain-prompt" };
	if (facts.hasOtherSpelling && isSpellingRefusal(error)) return { kind: "respell" };
	if (end.kind === "broken" && (end.safeToRetry || TRANSPORT_KINDS.has(error.kind))) {
		// A host that cannot be reached is reported at once; the one retry is for a connection that had just died.
		const most = error.kind === "upstream-unavailable" ? 1 : limits.transportRetries;
		if (facts.transportRetries >= most) return fail;
		if (error.kind === "upstream-unavailable") return { kind: "retry", count: "transport", delayMs: SECOND_LOOK_MS };
		return { kind: "retry", count: "transport", delayMs: backoff(facts.transportRetries, limits) };
	}
	if (PASSING_KINDS.has(error.kind) && facts.serverRetries < limits.serverRetries) {
		return { kind: "retry", count: "server", delayMs: backoff(facts.serverRetries, limits) };
	}
	return fail;
}

/** Errors of a stream that do not mean that it was cut, as reasons to try another one. */
const REASONS: Partial<Record<ErrorKind, RetryReason>> = {
	"upstream-unavailable": "connect",
	"upstream-timeout": "stalled",
	"upstream-stalled": "stalled",
};

/** The decision in a word, for those who count. */
export function retryReason(decision: Exclude<RetryDecision, { kind: "fail" }>, error: GatewayError): RetryReason {
	if (decision.kind === "refresh-token") return "auth";
	if (decision.kind === "fall-back") return "connect";
	const isOfTransport = decision.kind === "resume" || (decision.kind === "retry" && decision.count === "transport");
	if (!isOfTransport) return "server";
	// A host that says so itself was reached.
	const isAnswer = error.kind === "upstream-unavailable" && !(error.cause instanceof WireError);
	return isAnswer ? "server" : (REASONS[error.kind] ?? "reset");
}

/** Another attempt at the model for no other reason than that the one before failed. */
export function isRepetition({ kind }: RetryDecision): boolean {
	return kind === "retry" || kind === "resume";
}

/** The server says that it has not even looked at the request, so another attempt is the first one for the model. */
export function isUnprocessed({ cause }: GatewayError): boolean {
	if (!(cause instanceof WireError) || !cause.safeToRetry) return false;
	return cause.code === "refused-stream" || cause.code === "goaway";
}

function resumeOr(fail: RetryDecision, facts: FailureFacts, limits: RunLimits): RetryDecision {
	const spent = facts.transportRetries >= limits.transportRetries || facts.fruitlessResumes >= MOST_FRUITLESS_RESUMES;
	if (!facts.resumable || spent) return fail;
	return { kind: "resume", delayMs: backoff(facts.transportRetries, limits) };
}

/** min(base·2ⁿ, most), n counted from the first retry. The caller adds up to a fifth by chance. */
function backoff(retries: number, limits: RunLimits): number {
	return Math.min(limits.backoffMs * 2 ** (retries + 1), limits.longestBackoffMs);
}
