import type { ErrorKind } from "../turn/error-kinds.ts";
import type { Diagnosis, Finding } from "./run-doctor.ts";

/** Why it does not work: this version is too old, Cursor is down, the account, or this machine and its network. */
export type Cause = "old" | "vendor" | "account" | "machine";

/** The findings in one sentence. */
export interface Conclusion {
	state: "works" | "works-with-news" | "broken";
	/** Present if it is broken. */
	cause?: Cause;
	text: string;
	next?: string;
}

const SENTENCES: Readonly<Record<Cause, string>> = {
	old: "Broken: this version of cursorwire is too old for Cursor, or Cursor has changed.",
	vendor: "Broken: Cursor itself is failing. It is neither your account nor this version.",
	account: "Broken: the cause is the account.",
	machine: "Broken: the cause is this machine, its settings or its network.",
};

/** Kinds of errors that name the cause; for all others the check decides. */
const CAUSES_BY_KIND: Partial<Record<ErrorKind, Cause>> = {
	"client-outdated": "old",
	"upstream-deprecated": "old",
	"upstream-protocol": "old",
	"invalid-request": "old",
	internal: "old",
	"upstream-unavailable": "vendor",
	"upstream-failing": "vendor",
	"upstream-timeout": "vendor",
	"upstream-stalled": "vendor",
	"upstream-reset": "vendor",
	"upstream-empty": "vendor",
	"upstream-error": "vendor",
	"signed-out": "account",
	"quota-exhausted": "account",
	"plan-required": "account",
	"rate-limited": "account",
	"account-blocked": "account",
	"region-unsupported": "account",
	"permission-denied": "account",
	"model-not-found": "account",
	"model-blocked": "account",
};

const CAUSES_BY_CHECK: Readonly<Record<string, Cause>> = { login: "account", models: "account", quota: "account" };

/** `asked`: whether a model was asked. Otherwise it is not certain that it works. */
export function conclude({ findings }: Pick<Diagnosis, "findings">, asked: boolean): Conclusion {
	const failed = findings.find(({ status }) => status === "failure");
	if (failed) {
		const cause = causeOf(failed);
		const text = `${SENTENCES[cause]} ${failed.title}: ${failed.text}`;
		return { state: "broken", cause, text, ...(failed.next && { next: failed.next }) };
	}
	const works = asked ? "Works" : "Works as far as can be told without asking a model";
	const news = findings.find(({ check, status }) => check === "drift" && status === "warning");
	if (!news) return { state: "works", text: `${works}.` };
	return { state: "works-with-news", text: `${works}, but ${news.text}`, ...(news.next && { next: news.next }) };
}

function causeOf({ kind, check }: Finding): Cause {
	return (kind && CAUSES_BY_KIND[kind]) ?? CAUSES_BY_CHECK[check] ?? "machine";
}
