import type { ErrorDetails_Error } from "@cursorwire/protocol/aiserver";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import { type ErrorCause, LOGIN_REFUSED } from "./error-cause.ts";

/** Names of the `ErrorDetails.Error` enum without the `ERROR_` prefix. */
export type ErrorDetailsName = keyof typeof ErrorDetails_Error;

/** What one value of the enum means. `by-code`: the value says nothing, so the Connect code decides. */
export interface ErrorDetailsRule extends Omit<ErrorCause, "kind"> {
	kind: ErrorKind | "by-code";
	/** Seen with several meanings, so the text and the prompt size are checked first. */
	vague?: true;
	/** The error comes from a provider, whose HTTP status may be in `additional_info`. */
	fromProvider?: true;
}

const KEY_STEP = "Check the Cursor API key, or run `cursorwire login`.";
const GITHUB = "Cursor wants access to a GitHub repository.";
const FROM_PROVIDER = { kind: "upstream-error", fromProvider: true } as const;
const RATE_LIMITED = { kind: "rate-limited" } as const;

/** Every value of the enum. docs/errors.md lists this table. */
export const ERROR_DETAILS: Readonly<Record<ErrorDetailsName, ErrorDetailsRule>> = {
	UNSPECIFIED: { kind: "by-code", vague: true },
	BAD_API_KEY: { kind: "signed-out", sentence: "Cursor refuses the API key.", nextStep: KEY_STEP },
	NOT_LOGGED_IN: LOGIN_REFUSED,
	INVALID_AUTH_ID: LOGIN_REFUSED,
	NOT_HIGH_ENOUGH_PERMISSIONS: { kind: "permission-denied" },
	BAD_MODEL_NAME: { kind: "model-not-found" },
	USER_NOT_FOUND: { ...LOGIN_REFUSED, sentence: "Cursor does not know the account of this login." },
	FREE_USER_RATE_LIMIT_EXCEEDED: RATE_LIMITED,
	PRO_USER_RATE_LIMIT_EXCEEDED: RATE_LIMITED,
	FREE_USER_USAGE_LIMIT: { kind: "quota-exhausted" },
	PRO_USER_USAGE_LIMIT: { kind: "quota-exhausted" },
	AUTH_TOKEN_NOT_FOUND: LOGIN_REFUSED,
	AUTH_TOKEN_EXPIRED: { ...LOGIN_REFUSED, sentence: "The login has expired, as Cursor says." },
	OPENAI: FROM_PROVIDER,
	OPENAI_RATE_LIMIT_EXCEEDED: { kind: "rate-limited", sentence: "The model's provider limits the rate of requests." },
	AGENT_REQUIRES_LOGIN: LOGIN_REFUSED,
	MAX_TOKENS: { kind: "context-too-long" },
	USER_ABORTED_REQUEST: { kind: "cancelled" },
	GENERIC_RATE_LIMIT_EXCEEDED: RATE_LIMITED,
	PRO_USER_ONLY: { kind: "plan-required" },
	TIMEOUT: { kind: "upstream-timeout" },
	// Also seen with the title "Update Required", which the text hints recognize.
	GPT_4_VISION_PREVIEW_RATE_LIMIT: { kind: "rate-limited", vague: true },
	CUSTOM_MESSAGE: { kind: "by-code", vague: true },
	OUTDATED_CLIENT: { kind: "client-outdated" },
	CLAUDE_IMAGE_TOO_LARGE: {
		kind: "image-refused",
		sentence: "An image is too large for the model.",
		nextStep: "Send a smaller image.",
	},
	FILE_NOT_FOUND: {
		kind: "not-found",
		sentence: "Cursor did not find a file that the conversation refers to.",
		nextStep: "Start a new conversation.",
	},
	API_KEY_RATE_LIMIT: RATE_LIMITED,
	DEBOUNCED: { kind: "cancelled" },
	BAD_REQUEST: { kind: "invalid-request", sentence: "Cursor refuses the request as invalid." },
	REPOSITORY_SERVICE_REPOSITORY_IS_NOT_INITIALIZED: {
		kind: "invalid-request",
		sentence: "Cursor has no index of the repository.",
	},
	UNAUTHORIZED: LOGIN_REFUSED,
	NOT_FOUND: {
		kind: "not-found",
		sentence: "Cursor did not find what the request names.",
		nextStep: "Check the model with `cursorwire models`, or start a new conversation.",
	},
	DEPRECATED: { kind: "upstream-deprecated" },
	RESOURCE_EXHAUSTED: { kind: "rate-limited", vague: true },
	BAD_USER_API_KEY: { kind: "signed-out", sentence: "Cursor refuses the API key.", nextStep: KEY_STEP },
	CONVERSATION_TOO_LONG: { kind: "context-too-long" },
	USAGE_PRICING_REQUIRED: { kind: "quota-exhausted" },
	USAGE_PRICING_REQUIRED_CHANGEABLE: { kind: "quota-exhausted" },
	GITHUB_NO_USER_CREDENTIALS: { kind: "permission-denied", sentence: GITHUB },
	GITHUB_USER_NO_ACCESS: { kind: "permission-denied", sentence: GITHUB },
	GITHUB_APP_NO_ACCESS: { kind: "permission-denied", sentence: GITHUB },
	GITHUB_MULTIPLE_OWNERS: { kind: "permission-denied", sentence: GITHUB },
	RATE_LIMITED: RATE_LIMITED,
	RATE_LIMITED_CHANGEABLE: RATE_LIMITED,
	CUSTOM: { kind: "by-code", vague: true },
	HOOKS_BLOCKED: { kind: "permission-denied", sentence: "A hook of your team blocks the request." },
	SUSPICIOUS_USAGE_BLOCKED: { kind: "account-blocked" },
	EXTENSION_HOST_TIMEOUT: { kind: "upstream-timeout" },
	NETWORK_ERROR: FROM_PROVIDER,
	PROVIDER_ERROR: FROM_PROVIDER,
	MODEL_BLOCKED: { kind: "model-blocked" },
	INTERNAL: { kind: "upstream-error" },
	MAX_MODE_REQUIRED: { kind: "max-mode-required" },
	MODEL_NO_LONGER_SUPPORTED: { kind: "model-not-found", sentence: "Cursor does not serve this model any more." },
	PRICING_WARNING: { kind: "by-code", vague: true },
	SLOW_POOL: { kind: "rate-limited", sentence: "Cursor has put the request into its slow pool." },
	UNSUPPORTED_REGION: { kind: "region-unsupported" },
	ACCOUNT_CLOSED: { kind: "account-blocked" },
};

/** Values of the error metadata `x-cursor-inference-request-error-type`. They are exact and never worth a retry. */
export const INFERENCE_ERROR_TYPES: ReadonlyMap<string, ErrorCause> = new Map<string, ErrorCause>([
	["IMAGE_TOO_LARGE", ERROR_DETAILS.CLAUDE_IMAGE_TOO_LARGE as ErrorCause],
	["MAX_TOKENS", { kind: "context-too-long" }],
	["CONVERSATION_TOO_LONG", { kind: "context-too-long" }],
	["CONTENT_POLICY", { kind: "content-filtered" }],
	["DEPRECATED", { kind: "upstream-deprecated" }],
	["MAX_MODE_REQUIRED", { kind: "max-mode-required" }],
	["MODEL_NO_LONGER_SUPPORTED", ERROR_DETAILS.MODEL_NO_LONGER_SUPPORTED as ErrorCause],
	["UNSUPPORTED_REGION", { kind: "region-unsupported" }],
	["OUTDATED_CLIENT", { kind: "client-outdated" }],
]);

/** HTTP statuses of a model's provider that say more than "it failed". */
export const PROVIDER_STATUSES: ReadonlyMap<number, ErrorCause> = new Map<number, ErrorCause>([
	[400, { kind: "invalid-request", sentence: "The model's provider refuses the request as invalid." }],
	[401, { kind: "permission-denied", sentence: "The model's provider refuses the credentials." }],
	[402, { kind: "quota-exhausted", sentence: "The quota at the model's provider is used up." }],
	[403, { kind: "permission-denied", sentence: "The model's provider refuses the request." }],
	[404, { kind: "model-not-found", sentence: "The model's provider does not know the model." }],
	[408, { kind: "upstream-timeout", sentence: "The model's provider did not answer in time." }],
	[413, { kind: "context-too-long" }],
	[422, { kind: "invalid-request", sentence: "The model's provider refuses the request as invalid." }],
	[429, { kind: "rate-limited", sentence: "The model's provider limits the rate of requests." }],
	[451, { kind: "region-unsupported" }],
	[504, { kind: "upstream-timeout", sentence: "The model's provider did not answer in time." }],
]);
