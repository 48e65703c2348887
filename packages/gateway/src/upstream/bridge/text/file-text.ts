import { withoutLineNumbers } from "./line-numbers.ts";

/** A file, or part of one, as a client's read tool returned it. */
export interface FileText {
	content: string;
	/** Lines are missing or cut short. */
	cut: boolean;
	/** Number of lines in the whole file, if the client reports it. */
	totalLines: number | undefined;
}

/**
 * Removes what a client's read tool adds to the file at `path`: line numbers, wrappers and notices. If `firstLine` is
 * given, only numbers that start there are removed; any others belong to the file.
 */
export function fileTextOf(text: string, path: string, firstLine?: number): FileText {
	return onlyReminders(text) ?? numberedFile(text, firstLine) ?? plainFile(text, path);
}

/** Some tools show a remark in place of an empty file. Any other remark stands for content that is not shown. */
function onlyReminders(text: string): FileText | undefined {
	if (text === "" || withoutReminders(text).trim() !== "") return undefined;
	const empty = /\bempty\b|\bshorter than\b/i.test(text);
	return { content: "", cut: !empty, totalLines: undefined };
}

// What tools put before and after a numbered file. It is removed only together with the numbers.
const HEADS = [
	/^$/,
	/^<file>\n$/,
	/^<path>[^\n]*<\/path>\n<type>file<\/type>\n<content>\n$/,
	/^<files?>\n(<file>\s*)?<path>[^\n]*<\/path>\n<content[^\n]*>\n$/,
	/^Here's the result of running [^\n]*:\n$/,
	/^(Contents? of [^\n]*:|File: [^\n]*)\n$/,
];
const TAIL = /^\s*(<\/(file|files|content)>|\(End of file\b.*\))?\s*$/;
const NOTICE = /^\s*[([].*\b(more lines|showing lines|truncated|capped|offset|start_line|beyond line)\b.*[)\]]\s*$/i;
const CUT_LINE = /(\.\.\. ?\(line truncated to \d+ char\w*\)|\[line truncated\]|\.\.\. ?\[truncated\])$/;
const NUMBERED = /^\s*L?\d+(→|\t| ?\||:)/;
// A single numbered line could be the file's own text, unless the number is padded or followed by an arrow.
const SURELY_NUMBERED = /^\s*\d+→|^\s+\d+ ?[\t|]|^0\d+\|/;

function numberedFile(text: string, firstLine: number | undefined): FileText | undefined {
	const lines = withoutReminders(text).split("\n");
	const start = lines.findIndex((line) => NUMBERED.test(line));
	if (start === -1) return emptyFile(lines);
	const end = lines.findLastIndex((line) => NUMBERED.test(line)) + 1;
	const run = withoutLineNumbers(lines.slice(start, end));
	const head = lines.slice(0, start).map((line) => `${line}\n`);
	const tail = lines.slice(end);
	if (!run || (firstLine !== undefined && run.first !== firstLine)) return undefined;
	if (!HEADS.some((form) => form.test(head.join("")))) return undefined;
	if (!tail.every((line) => TAIL.test(line) || NOTICE.test(line))) return undefined;
	const bare = head.length === 0 && tail.every((line) => line === "");
	if (bare && run.lines.length === 1 && !SURELY_NUMBERED.test(lines[start] ?? "")) return undefined;
	return {
		content: joined(run.lines),
		cut: tail.some((line) => NOTICE.test(line)) || run.lines.some(isCutLine),
		totalLines: totalIn(tail),
	};
}

/** Clients append reminders for the model, which are not part of the file. */
function withoutReminders(text: string): string {
	let rest = text;
	for (;;) {
		const trimmed = rest.trimEnd();
		const opening = trimmed.endsWith("</system-reminder>") ? trimmed.lastIndexOf("<system-reminder>") : -1;
		if (opening === -1) return rest;
		rest = trimmed.slice(0, opening).trimEnd();
	}
}

/** Recognizes a wrapper that says the file is empty. */
function emptyFile(lines: readonly string[]): FileText | undefined {
	const isEmpty = lines.some((line) => /^\(End of file\b.*\b0 lines\)$/.test(line));
	return isEmpty ? { content: "", cut: false, totalLines: 0 } : undefined;
}

/** Tools that number lines drop the final line break, and nearly every text file ends with one. */
function joined(lines: readonly string[]): string {
	return lines.join("\n") + (lines.at(-1) === "" ? "" : "\n");
}

function plainFile(text: string, path: string): FileText {
	const headed = /^Showing lines \d+-\d+ of (?:at least )?(\d{1,9}) total lines\.?\n\n---\n\n/.exec(text);
	if (headed) return plain(text.slice(headed[0].length), true, Number(headed[1]));
	const title = /^Contents? of [^\n]{1,4096}:\n/.exec(text)?.[0] ?? "";
	const body = title.includes(path.split(/[/\\]/).at(-1) ?? path) ? text.slice(title.length) : text;
	const tail = /\n\n(\[[^\n]{1,300}\])\s*$/.exec(body);
	if (tail?.[1] && NOTICE.test(tail[1])) return plain(body.slice(0, tail.index), true, totalIn([tail[1]]));
	return plain(body, false, undefined);
}

function plain(content: string, cut: boolean, totalLines: number | undefined): FileText {
	return { content, cut: cut || content.split("\n").some(isCutLine), totalLines };
}

function isCutLine(line: string): boolean {
	return CUT_LINE.test(line) || (line.length === 2003 && line.endsWith("..."));
}

function totalIn(notices: readonly string[]): number | undefined {
	for (const notice of notices) {
		const total = /\btotal (\d{1,9}) lines|\bof (\d{1,9})\b/.exec(notice);
		if (total) return Number(total[1] ?? total[2]);
	}
	return undefined;
}
