/** A line that a search tool printed: a match, or a context line. */
interface FoundLine {
	line: number;
	text: string;
	around: boolean;
}

/** The parsed output of a search. */
export interface SearchOutput {
	/** Lines by file, in the order printed. */
	lines: Map<string, FoundLine[]>;
	/** Files that were printed without lines. */
	files: string[];
	counts: Map<string, number>;
	/** Lines in none of the known forms. */
	rest: string[];
	cut: boolean;
}

/** Recognizes the ways in which tools say that a search found nothing. */
export function foundNothing(text: string): boolean {
	return text.trim() === "" || NOTHING.test(text.slice(0, 200));
}

const NOTHING = /^\W*(error\W+)?(no (matches|files|results|matching files|match)|found 0|0 (matches|results|files))\b/i;
const DIRECT = /^((?:[A-Za-z]:)?[^:]+):(\d{1,9}):(.*)$/;
const AROUND = /^(.+?)-(\d{1,9})-(.*)$/;
const COUNT = /^((?:[A-Za-z]:)?[^:]+):(\d{1,9})$/;
const HEADING = /^(?:File: |### |## )?(\S.*?):?$/;
const UNDER_HEADING = /^\s*(?:Line |L)?(\d{1,9})(:|-| \|)\s?(.*)$/;
const NOISE =
	/^\s*(-{2,}|=+)?\s*$|^(Found|Search results|Showing|Warning during search|Total)\b|^\s*[([].*\b(results?|matches|truncated|more|limit|files)\b.*[)\]]\s*$/i;
const CUT = /truncated|more matches|limit reached|showing first|results limited/i;

/** Parses `path:line:text`, blocks under a file name, counts, and lists of files. */
export function searchOutputOf(text: string, mode: "content" | "files" | "count"): SearchOutput {
	const output: SearchOutput = { lines: new Map(), files: [], counts: new Map(), rest: [], cut: false };
	let heading: string | undefined;
	for (const raw of text.split("\n")) {
		const line = raw.replace(/\r$/, "");
		if (NOISE.test(line)) {
			output.cut ||= CUT.test(line);
			if (line.trim() === "") heading = undefined;
			continue;
		}
		const under = heading === undefined ? null : UNDER_HEADING.exec(line);
		if (under && heading !== undefined) found(output, heading, Number(under[1]), under[3] ?? "", under[2] === "-");
		else if (!printed(output, line, mode)) heading = headed(output, line, mode);
	}
	return output;
}

function printed(output: SearchOutput, line: string, mode: string): boolean {
	const count = mode === "count" ? COUNT.exec(line) : null;
	if (count?.[1]) {
		output.counts.set(count[1], Number(count[2]));
		return true;
	}
	const direct = DIRECT.exec(line);
	const around = direct ? null : AROUND.exec(line);
	if (direct?.[1]) found(output, direct[1], Number(direct[2]), direct[3] ?? "", false);
	else if (around?.[1] && output.lines.has(around[1]))
		found(output, around[1], Number(around[2]), around[3] ?? "", true);
	else return false;
	return true;
}

/** A line that is none of the others is a file name, alone or above its lines. */
function headed(output: SearchOutput, line: string, mode: string): string | undefined {
	const name = HEADING.exec(line.trim())?.[1];
	const isName = mode === "files" || /^\S+:$/.test(line.trim()) || looksLikePath(name ?? "");
	if (name === undefined || !isName) {
		output.rest.push(line);
		return undefined;
	}
	output.files.push(name);
	return name;
}

function looksLikePath(name: string): boolean {
	return name.length < 4096 && /[/\\.]/.test(name) && !/\s{2}|: /.test(name) && !/[.!?]\s|[.!?]$/.test(name);
}

function found(output: SearchOutput, file: string, line: number, text: string, around: boolean): void {
	const lines = output.lines.get(file) ?? [];
	if (lines.length === 0) {
		output.lines.set(file, lines);
		output.files = output.files.filter((each) => each !== file);
	}
	lines.push({ line, text, around });
}
