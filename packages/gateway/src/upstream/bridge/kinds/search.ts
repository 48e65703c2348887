import type { GrepArgs, PiFindExecArgs, PiGrepExecArgs } from "@cursorwire/protocol/agent";
import type { Ask, BridgedKind, Plan } from "../exec-kind.ts";
import { choice, count, flag, must, spare, text, type Wish, want } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit, ToolOutcome } from "../outcome.ts";
import { type Failure, failureOf } from "../text/failure.ts";
import { listedFiles } from "../text/file-list.ts";
import { contentResult, countResult, filesResult, type GrepUnion, unreadResult } from "../text/grep-union.ts";
import { foundNothing, searchOutputOf } from "../text/matches.ts";
import { DIRECTORY, FILE_PATTERN, GLOB, MAX_RESULTS, SEARCHED } from "./parameter-names.ts";

/** Cursor's grep also finds files by name. In that case it has a glob and no pattern. */
export const GREP: BridgedKind<GrepArgs> = {
	plan: (args) => {
		if (args.pattern !== "") return searchPlan(fromGrep(args), (outcome) => grepAnswer(args, outcome));
		if (!args.glob) return { intent: "search", asks: [], detail: "The search has neither a pattern nor a glob." };
		// As in ripgrep, a glob without a slash matches at any depth.
		const pattern = args.glob.includes("/") ? args.glob : `**/${args.glob}`;
		return findPlan({ pattern, path: args.path, limit: args.headLimit }, (outcome) => {
			const failure = searchFailure(outcome);
			return failure ? grepFailed(failure.text) : grepped(args, filesResult(listedFiles(outcome.text), false));
		});
	},
	refuse: (_args, reason) => grepFailed(reason),
};

export const PI_GREP: BridgedKind<PiGrepExecArgs> = {
	plan: (args) =>
		searchPlan({ ...args, ignoreCase: args.ignoreCase === true, mode: "content" }, (outcome) => {
			const failure = searchFailure(outcome);
			if (failure) return piGrep({ case: "error", value: { error: failure.text } });
			return piGrep({ case: "success", value: { output: outcome.text } });
		}),
	refuse: (_args, error) => piGrep({ case: "error", value: { error } }),
};

export const PI_FIND: BridgedKind<PiFindExecArgs> = {
	plan: (args) =>
		findPlan(args, (outcome) => {
			const failure = searchFailure(outcome);
			if (failure) return piFind({ case: "error", value: { error: failure.text } });
			return piFind({ case: "success", value: { output: outcome.text } });
		}),
	refuse: (_args, error) => piFind({ case: "error", value: { error } }),
};

type Mode = "content" | "files_with_matches" | "count";

interface Search {
	pattern: string;
	path?: string;
	glob?: string;
	type?: string;
	mode: Mode;
	ignoreCase?: boolean;
	multiline?: boolean;
	literal?: boolean;
	context?: number;
	before?: number;
	after?: number;
	limit?: number;
	skip?: number;
}

function fromGrep(args: GrepArgs): Search {
	return {
		...args,
		mode: modeOf(args),
		ignoreCase: args.caseInsensitive,
		before: args.contextBefore,
		after: args.contextAfter,
		limit: args.headLimit,
		skip: args.offset,
	};
}

function modeOf({ outputMode }: GrepArgs): Mode {
	return outputMode === "files_with_matches" || outputMode === "count" ? outputMode : "content";
}

function searchPlan(search: Search, answer: Ask["answer"]): Plan {
	const { type, glob } = search;
	const byGlob = type && !glob ? FILE_TYPES[type] : undefined;
	const sets = [searchWishes(search), ...(byGlob ? [searchWishes({ ...search, type: "", glob: byGlob })] : [])];
	return {
		intent: "search",
		asks: sets.map((wishes) => ({ intent: "search", wishes, answer })),
		detail: search.ignoreCase ? "To search without regard to case, write the pattern so, for example [Aa]." : "",
	};
}

/** Everything that narrows or widens the search must be passed on, otherwise the result would be misread. */
function searchWishes(search: Search): Wish[] {
	const { pattern, glob, type, mode, context, before, after, limit, skip } = search;
	const wishes = [must(SEARCHED, text(pattern)), place(search.path)];
	if (glob) wishes.push(must(GLOB, text(glob)));
	if (type) wishes.push(must(["type", "filetype", "language"], text(type)));
	if (search.ignoreCase) wishes.push(must(IGNORE_CASE, flag(true)));
	if (search.multiline) wishes.push(must(["multiline", "dotall"], flag(true)));
	if (search.literal) wishes.push(must(["literal", "fixedstrings", "fixedstring", "isliteral"], flag(true)));
	wishes.push(want(["outputmode", "mode", "output"], choice([mode])));
	if (mode === "content") wishes.push(want(["-n", "linenumbers", "showlinenumbers"], flag(true)));
	if (context) wishes.push(want(["-c", "context", "contextlines"], count(context)));
	if (before) wishes.push(want(["-b", "beforecontext", "contextbefore", "linesbefore"], count(before)));
	if (after) wishes.push(want(["-a", "aftercontext", "contextafter", "linesafter"], count(after)));
	if (limit) wishes.push(want(MAX_RESULTS, count(limit)));
	if (skip) wishes.push(want(["offset", "skip"], count(skip)));
	return wishes;
}

const IGNORE_CASE = ["ignorecase", "caseinsensitive", "-i", "insensitive", "casesensitive", "matchcase"];

// Ripgrep's file type names, translated for tools that only know globs.
const FILE_TYPES: Readonly<Record<string, string>> = {
	ts: "*.{ts,tsx,mts,cts}",
	js: "*.{js,jsx,mjs,cjs}",
	py: "*.{py,pyi}",
	rust: "*.rs",
	go: "*.go",
	java: "*.java",
	c: "*.{c,h}",
	cpp: "*.{cpp,cc,cxx,hpp,hh,h}",
	json: "*.json",
	md: "*.{md,markdown}",
	html: "*.{html,htm}",
	css: "*.{css,scss}",
	sh: "*.{sh,bash,zsh}",
	yaml: "*.{yaml,yml}",
};

function findPlan(
	{ pattern, path, limit }: { pattern: string; path?: string; limit?: number },
	answer: Ask["answer"],
): Plan {
	const wishes = [must(FILE_PATTERN, text(pattern)), place(path)];
	if (limit) wishes.push(want(MAX_RESULTS, count(limit)));
	return { intent: "find", asks: [{ intent: "find", wishes, answer }] };
}

function place(path: string | undefined): Wish {
	return path && path !== "." ? must(DIRECTORY, text(path)) : spare(DIRECTORY, text("."));
}

/** Some tools report an error when they find nothing. */
function searchFailure(outcome: ToolOutcome): Failure | undefined {
	return outcome.text.trim() !== "" && foundNothing(outcome.text) ? undefined : failureOf(outcome);
}

function grepAnswer(args: GrepArgs, outcome: ToolOutcome): ExecAnswerInit[] {
	const failure = searchFailure(outcome);
	if (failure) return grepFailed(failure.text);
	const mode = modeOf(args);
	const shown = foundNothing(outcome.text) ? "" : outcome.text;
	const output = searchOutputOf(shown, mode === "files_with_matches" ? "files" : mode);
	if (output.rest.length > 0 && output.lines.size === 0) return grepped(args, unreadResult(shown));
	if (mode === "count") return grepped(args, countResult(output));
	const listsFiles = output.lines.size === 0 && output.files.length > 0;
	if (mode === "content" && !listsFiles) return grepped(args, contentResult(output));
	return grepped(args, filesResult([...output.lines.keys(), ...output.files], output.cut));
}

function grepped(args: GrepArgs, union: GrepUnion): ExecAnswerInit[] {
	const path = args.path || ".";
	const outputMode = OUTPUT_MODES[union.result?.case ?? "content"];
	const value = { pattern: args.pattern, path, outputMode, workspaceResults: { [path]: union } };
	return [{ case: "grepResult", value: { result: { case: "success", value } } }];
}

const OUTPUT_MODES = { count: "count", files: "files_with_matches", content: "content" } as const;

function grepFailed(error: string): ExecAnswerInit[] {
	return [{ case: "grepResult", value: { result: { case: "error", value: { error } } } }];
}

function piGrep(result: AnswerValue<"piGrepResult">["result"]): ExecAnswerInit[] {
	return [{ case: "piGrepResult", value: { result } }];
}

function piFind(result: AnswerValue<"piFindResult">["result"]): ExecAnswerInit[] {
	return [{ case: "piFindResult", value: { result } }];
}
