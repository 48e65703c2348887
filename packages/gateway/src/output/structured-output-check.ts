import { MachineBusy } from "./structured-output-budget.ts";
import { compileReplySchema, type ReplyCheck, UncheckableReply, UnusableSchema } from "./structured-output-schema.ts";
import { parseJson } from "./structured-output-text.ts";

/** A question about a client's schema. Both parts are JSON text, which crosses from thread to thread at no cost. */
export interface CheckRequest {
	schema: string;
	/** Texts that may be the answer, the best first. Empty: the question is about the schema alone. */
	candidates: readonly string[];
}

export type CheckOutcome =
	/** The schema can be used; there was no candidate to look at. */
	| { kind: "usable" }
	| { kind: "fits"; candidate: string }
	/** What is wrong with the first candidate that is JSON at all. */
	| { kind: "wrong"; problems: string[] }
	| { kind: "unusable"; why: string }
	| { kind: "uncheckable" }
	/** It could not be found out now. */
	| { kind: "busy" };

/** The same schema comes again with its answer, and with the next request of the same program. */
const MOST_KEPT = 16;
const compiled = new Map<string, ReplyCheck>();

/** Finds it out, however long that takes. */
export function checkReply({ schema, candidates }: CheckRequest): CheckOutcome {
	try {
		const check = checkOf(schema);
		return candidates.length === 0 ? { kind: "usable" } : judge(candidates, check);
	} catch (error) {
		if (error instanceof UnusableSchema) return { kind: "unusable", why: error.message };
		if (error instanceof UncheckableReply) return { kind: "uncheckable" };
		if (error instanceof MachineBusy) return { kind: "busy" };
		throw error;
	}
}

function judge(candidates: readonly string[], check: ReplyCheck): CheckOutcome {
	let problems: string[] | undefined;
	for (const candidate of candidates) {
		const answer = parseJson(candidate);
		if (answer === undefined) continue;
		const found = check(answer);
		if (found.length === 0) return { kind: "fits", candidate };
		problems ??= found;
	}
	return { kind: "wrong", problems: problems ?? ["it is not JSON"] };
}

function checkOf(schema: string): ReplyCheck {
	const check = compiled.get(schema) ?? compileReplySchema(JSON.parse(schema));
	compiled.delete(schema);
	compiled.set(schema, check);
	if (compiled.size > MOST_KEPT) compiled.delete(compiled.keys().next().value as string);
	return check;
}
