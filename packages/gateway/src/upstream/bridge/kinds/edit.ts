import type { PiEditExecArgs } from "@cursorwire/protocol/agent";
import type { Ask, BridgedKind } from "../exec-kind.ts";
import { count, flag, must, records, spare, text, type Wish } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit } from "../outcome.ts";
import { failureOf } from "../text/failure.ts";
import { EDITS, FILE, NEW_TEXT, OLD_TEXT } from "./parameter-names.ts";

/** Replacements in a file. One call must carry all of them, because half an edit is worse than none. */
export const PI_EDIT: BridgedKind<PiEditExecArgs> = {
	plan: (args) => {
		const path = must(FILE, text(args.path));
		const each = args.edits.map(({ oldText, newText }) => replacement(oldText, newText));
		const [only] = each;
		const inOneCall = [path, records(EDITS, each)];
		const wishes = each.length === 1 && only ? [[path, ...only], inOneCall] : [inOneCall];
		return {
			intent: "edit",
			asks: args.edits.length === 0 ? [] : wishes.map((set) => ({ intent: "edit", wishes: set, answer })),
			detail: args.edits.length > 1 ? "Make one call for each replacement." : "",
		};
	},
	refuse: (_args, reason) => piEdit({ case: "rejected", value: { reason } }),
};

function replacement(oldText: string, newText: string): Wish[] {
	return [
		must(OLD_TEXT, () => [oldText]),
		must(NEW_TEXT, () => [newText]),
		spare(["replaceall", "all", "multiple", "global"], flag(false)),
		spare(["expectedreplacements", "expectedoccurrences"], count(1)),
	];
}

const answer: Ask["answer"] = (outcome) => {
	const failure = failureOf(outcome);
	if (!failure) return piEdit({ case: "success", value: { output: outcome.text, ...diffIn(outcome.text) } });
	if (failure.cause === "rejected") return piEdit({ case: "rejected", value: { reason: failure.text } });
	return piEdit({ case: "error", value: { error: failure.text } });
};

/** Finds the unified diff that some tools print after an edit. */
function diffIn(output: string): { diff: string; patch: string; firstChangedLine?: number } {
	const start = /^(--- |@@ )/m.exec(output);
	const line = /^@@ -\d+(?:,\d+)? \+(\d{1,9})/m.exec(output);
	if (!start || !line) return { diff: "", patch: "" };
	const patch = output.slice(start.index);
	return { diff: patch, patch, firstChangedLine: Number(line[1]) };
}

function piEdit(result: AnswerValue<"piEditResult">["result"]): ExecAnswerInit[] {
	return [{ case: "piEditResult", value: { result } }];
}
