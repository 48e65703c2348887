import type { ErrorKind } from "../../turn/error-kinds.ts";

/** What an upstream error comes down to. A sentence or a next step is given where the table of kinds is too general. */
export interface ErrorCause {
	kind: ErrorKind;
	sentence?: string;
	nextStep?: string;
}

/** What the caller of the decoder knows and the upstream did not say. */
export interface ErrorContext {
	/** Estimated size of the prompt, to tell an overflow from a limit where Cursor gives no reason. */
	promptTokens?: number;
	/** Context window of the model. */
	contextTokens?: number;
	/** When the included usage of the account starts anew. */
	resetsAt?: Date;
}
