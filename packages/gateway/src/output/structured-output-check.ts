import { MachineBusy } from "./structured-output-budget.ts";
import { compileReplySchema, type ReplyCheck, UncheckableReply, UnusableSchema } from "./structured-output-schema.ts";
import { parseJson } from "./structured-output-text.ts";

/** What to check a reply against, and the reply. Everything is text, which is cheap to send to another thread. */
export interface CheckRequest {
	schema: string;
	/** Texts that may be the JSON of the reply, the most likely first. If empty, only the schema is checked. */
	candidates: readonly string[];
}

export type CheckOutcome =
	/** The schema can be used. There was no candidate to check. */
	| { kind: "usable" }
	| { kind: "fits"; candidate: string }
	/** What is wrong with the first candidate that is JSON. */
	| { kind: "wrong"; problems: string[] }
	| { kind: "unusable"; why: string }
	| { kind: "uncheckable" }
	/** The check could not be done now. */
	| { kind: "busy" };

/** A schema is needed again for the reply to its request, and for the next request of the same program. */
const MOST_KEPT = 16;
const compiled = new Map<string, ReplyCheck>();

/** Checks the candidates, which may take seconds. */
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
		const value = parseJson(candidate);
		if (value === undefined) continue;
		const found = check(value);
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
