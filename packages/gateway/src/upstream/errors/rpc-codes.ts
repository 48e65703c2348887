import type { RpcCode } from "../../wire/framing/end-stream.ts";
import { type ErrorCause, LOGIN_REFUSED } from "./error-cause.ts";

/** What a Connect code means if nothing else is known. docs/errors.md lists this table. */
export const RPC_CODE_CAUSES: Readonly<Record<RpcCode, ErrorCause>> = {
	canceled: { kind: "cancelled" },
	unknown: { kind: "upstream-error" },
	invalid_argument: { kind: "invalid-request", sentence: "Cursor refuses the request as invalid." },
	deadline_exceeded: { kind: "upstream-timeout" },
	not_found: {
		kind: "not-found",
		sentence: "Cursor did not find what the request names.",
		nextStep: "Check the model with `cursorwire models`, or start a new conversation.",
	},
	already_exists: { kind: "upstream-error" },
	permission_denied: {
		kind: "permission-denied",
		nextStep: "Choose another model, ask the administrator of your team, or update cursorwire.",
	},
	resource_exhausted: { kind: "rate-limited" },
	failed_precondition: { kind: "invalid-request", sentence: "Cursor refuses the request as things are." },
	aborted: { kind: "upstream-error" },
	out_of_range: { kind: "invalid-request", sentence: "Cursor refuses the request as invalid." },
	unimplemented: {
		kind: "upstream-deprecated",
		sentence: "Cursor does not serve this call.",
		nextStep: "Use `--protocol agent`, and check that the upstream is Cursor's backend.",
	},
	internal: { kind: "upstream-error" },
	unavailable: {
		kind: "upstream-unavailable",
		sentence: "Cursor is overloaded or being restarted.",
		nextStep: "Wait and try again.",
	},
	data_loss: { kind: "upstream-error" },
	unauthenticated: LOGIN_REFUSED,
};
