import type { ErrorKind } from "../turn/error-kinds.ts";

/** What a check found: one line, and what to do if something is wrong. */
export interface Verdict {
	status: "ok" | "warning" | "failure";
	text: string;
	/** The next step; always present unless it is `ok`. */
	next?: string;
	/** The kind of the error, if there was one. */
	kind?: ErrorKind;
}

export const ok = (text: string): Verdict => ({ status: "ok", text });
export const warning = (text: string, next: string): Verdict => ({ status: "warning", text, next });
export const failure = (text: string, next: string): Verdict => ({ status: "failure", text, next });
