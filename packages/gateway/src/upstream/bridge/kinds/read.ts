import type { PiReadExecArgs, ReadArgs } from "@cursorwire/protocol/agent";
import type { Ask, BridgedKind, Plan } from "../exec-kind.ts";
import { count, largest, largestIfCut, lineNumber, must, spare, text, type Wish, want } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit, ToolOutcome } from "../outcome.ts";
import { type Failure, failureOf } from "../text/failure.ts";
import { type FileText, fileTextOf } from "../text/file-text.ts";
import { FILE, FIRST_LINE, LAST_LINE, LINE_LIMIT, LINE_RANGE } from "./parameter-names.ts";

/** The requested lines. A negative `first` counts from the end. */
interface LineRange {
	first: number;
	limit: number | undefined;
}

/** The file text that came back, cut to the requested lines. */
interface ReadOutcome extends FileText {
	rangeApplied: boolean;
	/** Some of the requested lines are missing. */
	incomplete: boolean;
}

export const READ: BridgedKind<ReadArgs> = {
	plan: (args) =>
		plan(args.path, rangeOf(args), (outcome, file, tool) => {
			const failure = failureOf(outcome);
			if (failure) return [failed(args.path, failure)];
			const [image] = outcome.images;
			return [image ? binary(args.path, image.data) : complete(args.path, file(outcome), tool)];
		}),
	refuse: (args, reason) => [readResult({ case: "rejected", value: { path: args.path, reason } })],
};

export const PI_READ: BridgedKind<PiReadExecArgs> = {
	plan: (args) =>
		plan(args.path, rangeOf(args), (outcome, file) => {
			const failure = failureOf(outcome);
			if (failure) return piRead({ case: "error", value: { error: failure.text } });
			const { content, incomplete, totalLines } = file(outcome);
			const lines = content.split("\n").length;
			const cut = { truncated: true, truncatedBy: "lines", totalLines: totalLines ?? lines, outputLines: lines };
			return piRead({ case: "success", value: { output: content, ...(incomplete && { truncation: cut }) } });
		}),
	refuse: (_args, error) => piRead({ case: "error", value: { error } }),
};

type Answer = (outcome: ToolOutcome, file: (outcome: ToolOutcome) => ReadOutcome, tool: string) => ExecAnswerInit[];

function plan(path: string, range: LineRange | undefined, answer: Answer): Plan {
	const asks: Ask[] = (range && range.first > 0 ? partWishes(range) : []).map((part) => ({
		intent: "read",
		wishes: [must(FILE, text(path)), ...part],
		answer: (outcome, { knownAs }) =>
			answer(outcome, ({ text: shown }) => ofPart(fileTextOf(shown, path), range), knownAs),
	}));
	asks.push({
		intent: "read",
		wishes: [must(FILE, text(path)), ...WHOLE],
		answer: (outcome, { knownAs }) =>
			answer(outcome, ({ text: shown }) => ofWhole(fileTextOf(shown, path, 1), range), knownAs),
	});
	return { intent: "read", asks };
}

/** Asks for the complete file from tools that show only the beginning by default. */
const WHOLE: readonly Wish[] = [
	want(LINE_LIMIT, largestIfCut),
	spare(FIRST_LINE, lineNumber(1)),
	spare(LINE_LIMIT, largest),
	spare(LAST_LINE, largest),
];

/** The ways in which tools take a range: first line and line count, first and last line, or both in a pair. */
function partWishes({ first, limit }: LineRange): Wish[][] {
	const start = must(FIRST_LINE, lineNumber(first));
	if (limit === undefined) return [[start, want(LINE_LIMIT, largestIfCut), spare(LAST_LINE, largest)]];
	const last = first + limit - 1;
	return [
		[start, must(LINE_LIMIT, count(limit))],
		[start, must(LAST_LINE, count(last))],
		[must(LINE_RANGE, () => [[first, last]])],
	];
}

function rangeOf({ offset, limit }: { offset?: number; limit?: number }): LineRange | undefined {
	const lines = limit !== undefined && limit > 0 ? limit : undefined;
	if ((offset === undefined || offset === 0) && lines === undefined) return undefined;
	return { first: offset || 1, limit: lines };
}

/** For a client tool that cut the range out itself, so its notice about further lines is expected. */
function ofPart(file: FileText, range: LineRange | undefined): ReadOutcome {
	const known = file.totalLines ?? (range?.first ?? 1) + file.content.split("\n").length - 1;
	const asked = range?.limit ?? Number.POSITIVE_INFINITY;
	const lines = file.content.split("\n").length - (file.content.endsWith("\n") ? 1 : 0);
	return { ...file, totalLines: known, rangeApplied: true, incomplete: file.cut && lines < asked };
}

function ofWhole(file: FileText, range: LineRange | undefined): ReadOutcome {
	const lines = file.content.split("\n");
	const totalLines = Math.max(file.totalLines ?? 0, lines.length);
	if (!range) return { ...file, totalLines, rangeApplied: false, incomplete: file.cut };
	const shown = lines.length - (lines.at(-1) === "" ? 1 : 0);
	const start = range.first > 0 ? range.first - 1 : Math.max(shown + range.first, 0);
	const end = range.limit === undefined ? lines.length : start + range.limit;
	const content = lines.slice(start, end).join("\n");
	return {
		...file,
		content,
		totalLines,
		rangeApplied: true,
		incomplete: file.cut && (range.first < 0 || end > lines.length),
	};
}

/**
 * An edit by Cursor is a read like this one, followed by a write of the whole file. A part must never be taken for the
 * whole file, because the write would destroy the rest.
 */
function complete(path: string, file: ReadOutcome, tool: string): ExecAnswerInit {
	const { content, totalLines, rangeApplied, incomplete } = file;
	if (incomplete && !rangeApplied) {
		const error = `Only a part of this file was shown. Read it in ranges with the tool "${tool}", and do not rewrite it whole.`;
		return readResult({ case: "error", value: { path, error } });
	}
	// The field has 31 bits, and the server chooses where a range starts.
	const total = Math.min(totalLines ?? 0, 2 ** 31 - 1);
	const fileSize = BigInt(new TextEncoder().encode(content).length);
	const output = { case: "content" as const, value: content };
	return readResult({
		case: "success",
		value: { path, output, totalLines: total, fileSize, rangeApplied, truncated: incomplete },
	});
}

function binary(path: string, data: Uint8Array): ExecAnswerInit {
	const output = { case: "data" as const, value: data };
	return readResult({ case: "success", value: { path, output, fileSize: BigInt(data.length) } });
}

function failed(path: string, { cause, text: reason }: Failure): ExecAnswerInit {
	switch (cause) {
		case "not-found":
			return readResult({ case: "fileNotFound", value: { path } });
		case "denied":
			return readResult({ case: "permissionDenied", value: { path } });
		case "rejected":
			return readResult({ case: "rejected", value: { path, reason } });
		case "directory":
			return readResult({ case: "invalidFile", value: { path, reason } });
		default:
			return readResult({ case: "error", value: { path, error: reason } });
	}
}

function readResult(result: AnswerValue<"readResult">["result"]): ExecAnswerInit {
	return { case: "readResult", value: { result } };
}

function piRead(result: AnswerValue<"piReadResult">["result"]): ExecAnswerInit[] {
	return [{ case: "piReadResult", value: { result } }];
}
