import type { LsArgs, PiLsExecArgs } from "@cursorwire/protocol/agent";
import type { Ask, BridgedKind, Plan } from "../exec-kind.ts";
import { descriptionOf } from "../match/schema.ts";
import { count, flag, largestIfCut, list, must, type Slot, spare, text, want } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit } from "../outcome.ts";
import { directoryTree } from "../text/directory-tree.ts";
import { failureOf } from "../text/failure.ts";
import { listedEntries } from "../text/listing.ts";
import { DIRECTORY, FILE, IGNORED, LINE_LIMIT, MAX_RESULTS } from "./parameter-names.ts";

export const LS: BridgedKind<LsArgs> = {
	plan: ({ path, ignore }) =>
		plan({ path: path || ".", ignore }, (outcome) => {
			const failure = failureOf(outcome);
			if (failure?.cause === "rejected") return ls({ case: "rejected", value: { path, reason: failure.text } });
			if (failure) return ls({ case: "error", value: { path, error: failure.text } });
			const root = path || ".";
			const directoryTreeRoot = directoryTree(root, listedEntries(outcome.text, root));
			return ls({ case: "success", value: { directoryTreeRoot } });
		}),
	refuse: ({ path }, reason) => ls({ case: "rejected", value: { path, reason } }),
};

export const PI_LS: BridgedKind<PiLsExecArgs> = {
	plan: ({ path, limit }) =>
		plan({ path: path || ".", limit }, (outcome) => {
			const failure = failureOf(outcome);
			if (failure) return piLs({ case: "error", value: { error: failure.text } });
			return piLs({ case: "success", value: { output: outcome.text } });
		}),
	refuse: (_args, error) => piLs({ case: "error", value: { error } }),
};

interface ListRequest {
	path: string;
	ignore?: readonly string[];
	limit?: number;
}

/** Asks a tool that lists directories, or a read tool whose description says that it takes directories too. */
function plan({ path, ignore = [], limit = 0 }: ListRequest, answer: Ask["answer"]): Plan {
	const listing = [
		must(DIRECTORY, text(path)),
		...(ignore.length > 0 ? [want(IGNORED, list(ignore))] : []),
		...(limit > 0 ? [want(MAX_RESULTS, count(limit))] : []),
		spare(["recursive"], flag(false)),
		spare(["depth", "maxdepth"], count(1)),
	];
	const reading = [
		must(FILE, (slot) => (takesDirectories(slot) ? text(path)(slot) : [])),
		want(LINE_LIMIT, limit > 0 ? count(limit) : largestIfCut),
	];
	return {
		intent: "list",
		asks: [
			{ intent: "list", wishes: listing, answer },
			{ intent: "read", wishes: reading, answer },
		],
	};
}

/** True for "file or directory" but not for "cannot read directories". */
function takesDirectories({ schema, tool }: Slot): boolean {
	return /\bfiles? (or|and) (a )?director/i.test(`${descriptionOf(schema)} ${tool.description.slice(0, 1000)}`);
}

function ls(result: AnswerValue<"lsResult">["result"]): ExecAnswerInit[] {
	return [{ case: "lsResult", value: { result } }];
}

function piLs(result: AnswerValue<"piLsResult">["result"]): ExecAnswerInit[] {
	return [{ case: "piLsResult", value: { result } }];
}
