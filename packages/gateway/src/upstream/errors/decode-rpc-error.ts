import { joinSentences } from "../../text/sentences.ts";
import { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS } from "../../turn/error-kinds.ts";
import type { RpcError } from "../../wire/framing/end-stream.ts";
import { cleanText } from "./clean-text.ts";
import type { ErrorCause, ErrorContext } from "./error-cause.ts";
import { ERROR_DETAILS, INFERENCE_ERROR_TYPES, PROVIDER_STATUSES } from "./error-details.ts";
import { type ReadDetails, readDetails } from "./read-details.ts";
import { retryAfter } from "./retry-after.ts";
import { RPC_CODE_CAUSES } from "./rpc-codes.ts";
import { hintOf } from "./text-hints.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

/** End-of-stream metadata or the headers of a unary response, with lower-case names. */
export type ErrorMetadata = Readonly<Record<string, readonly string[] | undefined>>;

const ERROR_TYPE = "x-cursor-inference-request-error-type";
/** If the prompt fills at least this share of the window, a refusal without a reason counts as an overflow. */
const OVERFLOW_SHARE = 0.9;
const USUAL_CONTEXT_TOKENS = 200_000;

/** Everything one error says, together with what else is known. */
interface Report {
	error: RpcError;
	metadata: ErrorMetadata;
	details: ReadDetails | undefined;
	/** The text meant for people. */
	text: string;
	context: ErrorContext;
}

/** Decodes an error reported by Cursor, from a stream or a unary call. It never throws, whatever the error contains. */
export function decodeRpcError(
	error: RpcError,
	metadata: ErrorMetadata = {},
	context: ErrorContext = {},
): GatewayError {
	const details = readDetails(error.details);
	const report: Report = { error, metadata, details, text: textOf(error, details), context };
	const cause = causeOf(report);
	return new GatewayError(cause.kind, cause.sentence, {
		detail: report.text || undefined,
		nextStep: nextStepOf(cause, context),
		retryAfterSeconds: retryAfter(cause.kind, metadata["retry-after"]?.[0]),
		cause: new UpstreamFailure(error.code, details?.name, isBare(report), details?.message),
	});
}

/** Exact indicators come first, then the text, then the prompt size, then the bare code. */
function causeOf(report: Report): ErrorCause {
	return (
		fromMetadata(report) ?? fromDetails(report) ?? hintOf(report.text) ?? fromBareRefusal(report) ?? fromCode(report)
	);
}

function fromMetadata({ metadata }: Report): ErrorCause | undefined {
	return INFERENCE_ERROR_TYPES.get(metadata[ERROR_TYPE]?.[0] ?? "");
}

function fromDetails({ details }: Report): ErrorCause | undefined {
	const rule = details?.name && ERROR_DETAILS[details.name];
	if (!rule || rule.vague) return undefined;
	const status = rule.fromProvider ? details.providerStatus : undefined;
	return (status && PROVIDER_STATUSES.get(status)) || (rule as ErrorCause);
}

/**
 * A bare `resource_exhausted` has been seen for a rate limit, a used-up quota, a model outside the plan, an overflow, a
 * region that is not served, an outdated client and a wrong spelling of the model. It counts as a rate limit, as it
 * does in the official client (which retries), unless the prompt is as large as the window.
 */
function fromBareRefusal(report: Report): ErrorCause | undefined {
	if (!isBare(report)) return undefined;
	const { promptTokens = 0, contextTokens = USUAL_CONTEXT_TOKENS } = report.context;
	if (promptTokens >= contextTokens * OVERFLOW_SHARE) {
		return {
			kind: "context-too-long",
			sentence: "Cursor refuses the request without a reason; it is about as long as the model's context window.",
		};
	}
	return {
		kind: "rate-limited",
		sentence:
			"Cursor refuses the request without a reason (resource_exhausted): a rate limit, used-up usage, a model that your plan or region does not have, or an outdated client version.",
		nextStep: "Wait and try again; if it stays, run `cursorwire usage` and try another model.",
	};
}

function isBare({ error, details }: Report): boolean {
	if (error.code !== "resource_exhausted") return false;
	const { name, title = "", detail = "" } = details ?? {};
	return (name === undefined || name === "UNSPECIFIED" || name === "RESOURCE_EXHAUSTED") && title + detail === "";
}

function fromCode({ error, details }: Report): ErrorCause {
	const rule = details?.name && ERROR_DETAILS[details.name];
	const cause = rule && rule.kind !== "by-code" ? (rule as ErrorCause) : RPC_CODE_CAUSES[error.code];
	const mayRetry = ERROR_KINDS[cause.kind].retry !== "never";
	if (details?.isRetryable === true && !mayRetry) return { kind: "upstream-error" };
	if (details?.isRetryable === false && mayRetry) {
		const kind = cause.kind === "rate-limited" ? "permission-denied" : "invalid-request";
		return { kind, sentence: "Cursor refuses the request.", nextStep: "Do what the message of Cursor says." };
	}
	return cause;
}

/** Title and detail. The outer message is used only without them, because it usually just reads "Error". */
function textOf(error: RpcError, details: ReadDetails | undefined): string {
	const inner = cleanText(joinSentences([details?.title, details?.detail]));
	if (inner !== "") return inner;
	const outer = cleanText(error.message);
	return /^error$/i.test(outer) ? "" : outer;
}

function nextStepOf({ kind, nextStep }: ErrorCause, { resetsAt }: ErrorContext): string | undefined {
	if (kind !== "quota-exhausted" || !resetsAt || Number.isNaN(resetsAt.getTime())) return nextStep;
	const step = nextStep ?? ERROR_KINDS["quota-exhausted"].nextStep;
	return `It starts anew on ${resetsAt.toISOString().slice(0, 10)}. ${step}`;
}
