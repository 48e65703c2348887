import type { ErrorKind } from "../../turn/error-kinds.ts";

/** What an upstream error comes down to. A sentence or next step is given if the table of kinds is too general. */
export interface ErrorCause {
	kind: ErrorKind;
	sentence?: string;
	nextStep?: string;
}

/** Cursor does not accept the token, and the account has no other one. */
export const LOGIN_REFUSED = {
	kind: "signed-out",
	sentence: "Cursor refuses the login: it was revoked, or it has ended.",
	nextStep: "Run `cursorwire login` to sign in again.",
} as const satisfies ErrorCause;

/** What the caller of the decoder knows beyond what the upstream said. */
export interface ErrorContext {
	/** Estimated size of the prompt, to tell an overflow from a rate limit when Cursor gives no reason. */
	promptTokens?: number;
	/** Context window of the model. */
	contextTokens?: number;
	/** When the account's included usage resets. */
	resetsAt?: Date;
}
