// The closed set of errors. The status tells a client what to do (measured on real clients): 402 or 403 if waiting does
// not help, 429 or 503 if it does; 401 is only for the gateway's own key.
// docs/errors.md is generated from this table.

export interface ErrorKindEntry {
	status: number;
	openai: { type: string; code: string };
	anthropic: string;
	/** `never`: a client must not repeat it on its own. `later`: it may work after a while. `now`: it may work at once. */
	retry: "never" | "later" | "now";
	retryAfterSeconds?: number;
	/** The part of the request that is wrong, if it is always the same one. */
	param?: string;
	sentence: string;
	nextStep: string;
}

const INVALID = "invalid_request_error";
const API = "api_error";

export const ERROR_KINDS = {
	// The request
	"invalid-request": {
		status: 400,
		openai: { type: INVALID, code: "invalid_request" },
		anthropic: INVALID,
		retry: "never",
		sentence: "The request is not valid.",
		nextStep: "Change the request.",
	},
	"bad-key": {
		status: 401,
		openai: { type: INVALID, code: "invalid_api_key" },
		anthropic: "authentication_error",
		retry: "never",
		sentence: "The gateway key is missing or wrong.",
		nextStep: "Send the key that `cursorwire keys` shows, as a bearer token or in x-api-key.",
	},
	forbidden: {
		status: 403,
		openai: { type: "permission_error", code: "forbidden" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "The gateway does not accept this request.",
		nextStep:
			"Call it from the same machine, with one of its own addresses in the Host header, and not from a web page.",
	},
	"not-found": {
		status: 404,
		openai: { type: INVALID, code: "not_found" },
		anthropic: "not_found_error",
		retry: "never",
		sentence: "There is nothing at this address.",
		nextStep: "Check the path, and the base URL that the client was given; the API is under /v1.",
	},
	// Clients send the whole conversation when they read this code.
	"previous-response-not-found": {
		status: 400,
		openai: { type: INVALID, code: "previous_response_not_found" },
		anthropic: INVALID,
		retry: "never",
		param: "previous_response_id",
		sentence: "previous_response_id names nothing that is stored.",
		nextStep: "Send the conversation itself in input, with store set to false.",
	},
	"method-not-allowed": {
		status: 405,
		openai: { type: INVALID, code: "method_not_allowed" },
		anthropic: INVALID,
		retry: "never",
		sentence: "This address does not accept that method.",
		nextStep: "Use the method that the API documents.",
	},
	"request-timeout": {
		status: 408,
		openai: { type: INVALID, code: "request_timeout" },
		anthropic: INVALID,
		retry: "now",
		sentence: "The request did not arrive in time.",
		nextStep: "Send it again, or raise the setting requestSeconds.",
	},
	"too-large": {
		status: 413,
		openai: { type: INVALID, code: "request_too_large" },
		anthropic: "request_too_large",
		retry: "never",
		sentence: "The request is too large.",
		nextStep: "Send less, or raise the setting maxBodyMiB.",
	},
	"unsupported-media": {
		status: 415,
		openai: { type: INVALID, code: "unsupported_media_type" },
		anthropic: INVALID,
		retry: "never",
		sentence: "The body must be uncompressed JSON.",
		nextStep: "Send content-type application/json and no content-encoding.",
	},
	"no-websocket": {
		status: 426,
		openai: { type: INVALID, code: "websocket_not_supported" },
		anthropic: INVALID,
		retry: "never",
		sentence: "The gateway speaks no WebSocket here.",
		nextStep: "Send the request as a POST, or switch the setting webSockets on.",
	},
	// Clients open another connection when they read the code.
	"socket-too-old": {
		status: 400,
		openai: { type: INVALID, code: "websocket_connection_limit_reached" },
		anthropic: INVALID,
		retry: "now",
		sentence: "This WebSocket has been open for as long as one may be.",
		nextStep: "Open another one.",
	},
	"context-too-long": {
		status: 400,
		openai: { type: INVALID, code: "context_length_exceeded" },
		anthropic: INVALID,
		retry: "never",
		sentence: "The conversation is too long for this model.",
		nextStep: "Shorten or compact the conversation, or choose a model with a larger context window.",
	},
	"image-refused": {
		status: 400,
		openai: { type: INVALID, code: "image_refused" },
		anthropic: INVALID,
		retry: "never",
		sentence: "An image cannot be sent to the model.",
		nextStep: "Send a PNG, JPEG, GIF or WebP image of moderate size as a data URL, to a model that accepts images.",
	},
	"content-filtered": {
		status: 400,
		openai: { type: INVALID, code: "content_policy_violation" },
		anthropic: INVALID,
		retry: "never",
		sentence: "The model's provider refused the content.",
		nextStep: "Change the request.",
	},
	"output-invalid": {
		status: 502,
		openai: { type: API, code: "output_invalid" },
		anthropic: API,
		retry: "now",
		sentence: "The model's reply does not match the requested JSON schema, even after one repair.",
		nextStep: "Try again, simplify the schema, or choose another model.",
	},
	// The account
	"signed-out": {
		status: 403,
		openai: { type: "permission_error", code: "signed_out" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "You are not signed in to Cursor: no login is stored.",
		nextStep: "Run `cursorwire login`.",
	},
	"quota-exhausted": {
		status: 402,
		openai: { type: "insufficient_quota", code: "insufficient_quota" },
		anthropic: "billing_error",
		retry: "never",
		sentence: "The usage included in your Cursor plan is used up.",
		nextStep:
			"Run `cursorwire usage` for both pools and the reset date, switch to a model of the other pool, or set a spending limit in Cursor.",
	},
	"plan-required": {
		status: 403,
		openai: { type: "permission_error", code: "plan_required" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "Your Cursor plan does not include this.",
		nextStep: "Choose another model or change the plan.",
	},
	"rate-limited": {
		status: 429,
		openai: { type: "rate_limit_error", code: "rate_limit_exceeded" },
		anthropic: "rate_limit_error",
		retry: "later",
		retryAfterSeconds: 20,
		sentence: "Cursor is limiting the rate of requests.",
		nextStep: "Wait and try again.",
	},
	"account-blocked": {
		status: 403,
		openai: { type: "permission_error", code: "account_blocked" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "Cursor has blocked or closed this account.",
		nextStep: "Contact Cursor's support.",
	},
	"region-unsupported": {
		status: 403,
		openai: { type: "request_forbidden", code: "unsupported_country_region_territory" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "The model's provider does not serve your region.",
		nextStep: "Choose a model of another provider.",
	},
	"limit-reached": {
		status: 402,
		openai: { type: "insufficient_quota", code: "insufficient_quota" },
		anthropic: "billing_error",
		retry: "never",
		sentence: "A limit that the owner of the gateway has set is reached.",
		nextStep: "`cursorwire limits` lists the limits and what is used of them.",
	},
	"limit-rate": {
		status: 429,
		openai: { type: "rate_limit_error", code: "rate_limit_exceeded" },
		anthropic: "rate_limit_error",
		retry: "later",
		retryAfterSeconds: 60,
		sentence: "A limit by the minute that the owner of the gateway has set is reached.",
		nextStep: "Wait; `cursorwire limits` lists the limits and what is used of them.",
	},
	"limit-unknown": {
		status: 503,
		openai: { type: API, code: "limit_unknown" },
		anthropic: "overloaded_error",
		retry: "later",
		retryAfterSeconds: 5,
		sentence: "What was spent of a hard limit cannot be read, so nothing is let through.",
		nextStep: "Repair the store, which `cursorwire doctor` names, or pause the limit with `cursorwire limits pause`.",
	},
	"permission-denied": {
		status: 403,
		openai: { type: "permission_error", code: "insufficient_permissions" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "Your Cursor account is not allowed to do this.",
		nextStep: "Ask the administrator of your team, or choose another model.",
	},
	// The model
	"model-not-found": {
		status: 404,
		openai: { type: INVALID, code: "model_not_found" },
		anthropic: "not_found_error",
		retry: "never",
		param: "model",
		sentence: "Cursor has no such model for this account.",
		nextStep: "Run `cursorwire models` for the list, or ask GET /v1/models.",
	},
	"model-blocked": {
		status: 403,
		openai: { type: "permission_error", code: "model_blocked" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "This model is blocked for the account.",
		nextStep: "Choose another model.",
	},
	"max-mode-required": {
		status: 400,
		openai: { type: INVALID, code: "max_mode_required" },
		anthropic: INVALID,
		retry: "never",
		sentence: "This model or context size needs Max Mode.",
		nextStep:
			"Turn on Max Mode with `:max` after the model's name, with cursor_max_mode in the request, or for all models with the setting maxMode; or choose another model.",
	},
	// The upstream
	"client-outdated": {
		status: 502,
		openai: { type: API, code: "upstream_client_outdated" },
		anthropic: API,
		retry: "never",
		sentence: "Cursor refuses the client version that the gateway states.",
		nextStep:
			"Update cursorwire, or set a newer client version with the setting clientVersion (chatClientVersion for older protocols).",
	},
	"upstream-deprecated": {
		status: 502,
		openai: { type: API, code: "upstream_deprecated" },
		anthropic: API,
		retry: "never",
		sentence: "Cursor has turned this protocol off.",
		nextStep: "Use `--protocol agent`.",
	},
	"upstream-unavailable": {
		status: 503,
		openai: { type: API, code: "upstream_unavailable" },
		anthropic: "overloaded_error",
		retry: "later",
		// Shorter than the breaker's first pause, so that a client that comes back after it is not always the next probe.
		retryAfterSeconds: 3,
		sentence: "Cursor cannot be reached.",
		nextStep: "Check the network; `cursorwire doctor` says which hop fails.",
	},
	// A 4xx status, because that is the only class that no client repeats on its own; 403 would blame the user.
	"upstream-failing": {
		status: 424,
		openai: { type: API, code: "upstream_failing" },
		anthropic: API,
		retry: "never",
		sentence: "Cursor keeps failing, so the gateway has stopped asking it for a moment.",
		nextStep: "Try again later; `cursorwire doctor` says which hop fails.",
	},
	"upstream-timeout": {
		status: 504,
		openai: { type: API, code: "upstream_timeout" },
		anthropic: "timeout_error",
		retry: "now",
		sentence: "Cursor did not respond in time.",
		nextStep: "Try again; the setting turnMinutes says how long a turn may take.",
	},
	"upstream-stalled": {
		status: 504,
		openai: { type: API, code: "upstream_stalled" },
		anthropic: "timeout_error",
		retry: "now",
		sentence: "Cursor fell silent in the middle of the reply.",
		nextStep:
			"Try again; what came before is incomplete. The settings silenceSeconds and heartbeatsMinutes say how long it may be silent.",
	},
	"upstream-reset": {
		status: 502,
		openai: { type: API, code: "upstream_reset" },
		anthropic: API,
		retry: "now",
		sentence: "The connection to Cursor was cut in the middle of the answer.",
		nextStep: "Try again; what came before is incomplete.",
	},
	"upstream-protocol": {
		status: 502,
		openai: { type: API, code: "upstream_protocol" },
		anthropic: API,
		retry: "now",
		sentence: "Cursor sent something the gateway does not understand.",
		nextStep: "Try again; if it keeps happening, update cursorwire and report it.",
	},
	"upstream-empty": {
		status: 502,
		openai: { type: API, code: "upstream_empty" },
		anthropic: API,
		retry: "now",
		sentence: "Cursor ended the turn without a word.",
		nextStep: "Try again, or choose another spelling of the model (`cursorwire models`).",
	},
	"answer-too-large": {
		status: 502,
		openai: { type: API, code: "answer_too_large" },
		anthropic: API,
		retry: "never",
		sentence: "Cursor sent more than the gateway accepts.",
		nextStep: "Ask for less at once, or raise the setting maxAnswerMiB or whichever is named.",
	},
	"upstream-error": {
		status: 502,
		openai: { type: API, code: "upstream_error" },
		anthropic: API,
		retry: "now",
		sentence: "Cursor or the model's provider failed.",
		nextStep: "Try again.",
	},
	// The gateway
	overloaded: {
		status: 503,
		openai: { type: API, code: "overloaded" },
		anthropic: "overloaded_error",
		retry: "later",
		retryAfterSeconds: 2,
		sentence: "The gateway is busy.",
		nextStep: "Wait and try again.",
	},
	"caller-limit": {
		status: 429,
		openai: { type: "rate_limit_error", code: "concurrency_limit" },
		anthropic: "rate_limit_error",
		retry: "later",
		retryAfterSeconds: 2,
		sentence: "This key has too many requests under way.",
		nextStep: "Wait for one of them to end.",
	},
	"shutting-down": {
		status: 503,
		openai: { type: API, code: "shutting_down" },
		anthropic: "overloaded_error",
		retry: "later",
		retryAfterSeconds: 5,
		sentence: "The gateway is shutting down.",
		nextStep: "Try again when it is back.",
	},
	stopped: {
		status: 403,
		openai: { type: "permission_error", code: "stopped" },
		anthropic: "permission_error",
		retry: "never",
		sentence: "The owner of the gateway stopped this turn.",
		nextStep: "Send the request again if it is still wanted.",
	},
	cancelled: {
		status: 499,
		openai: { type: API, code: "cancelled" },
		anthropic: API,
		retry: "now",
		sentence: "The request was cancelled.",
		nextStep: "Send it again.",
	},
	internal: {
		status: 500,
		openai: { type: API, code: "internal_error" },
		anthropic: API,
		retry: "now",
		sentence: "The gateway made a mistake.",
		nextStep: "Try again; if it keeps happening, report it with the request id.",
	},
} as const satisfies Record<string, ErrorKindEntry>;

export type ErrorKind = keyof typeof ERROR_KINDS;
