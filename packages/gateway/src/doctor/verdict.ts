import type { ErrorKind } from "../turn/error-kinds.ts";

/** What a check found, for a person: one line, and what to do where it is not well. */
export interface Verdict {
	status: "ok" | "warning" | "failure";
	text: string;
	/** The next step; always there unless it is `ok`. */
	next?: string;
	/** Of the error that a failure is about. */
	kind?: ErrorKind;
}

export const ok = (text: string): Verdict => ({ status: "ok", text });
export const warning = (text: string, next: string): Verdict => ({ status: "warning", text, next });
export const failure = (text: string, next: string): Verdict => ({ status: "failure", text, next });
