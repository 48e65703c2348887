/** Replaces the characters from `from` to before `to`. An insertion has both at the same place. */
export interface Splice {
	from: number;
	to: number;
	text: string;
}

export const insertion = (at: number, text: string): Splice => ({ from: at, to: at, text });

export const deletion = (from: number, to: number): Splice => ({ from, to, text: "" });

/** Splices must not overlap. Several insertions at one place keep their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
	let result = "";
	let at = 0;
	for (const { from, to, text: added } of [...splices].sort((one, other) => one.from - other.from)) {
		result += text.slice(at, from) + added;
		at = to;
	}
	return result + text.slice(at);
}

/** Where the line of a position starts. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** Where the line of a position ends, before its line ending. */
export function lineEnd(text: string, at: number): number {
	const feed = text.indexOf("\n", at);
	if (feed < 0) return text.length;
	return feed > at && text[feed - 1] === "\r" ? feed - 1 : feed;
}

/** The start of the line after the one of a position, or the end of the text. */
export const nextLine = (text: string, at: number): number => text.indexOf("\n", at) + 1 || text.length;

/** The blanks at the start of the line of a position. */
export const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];

/** Whether only blanks come before a position on its line. */
export const isFirstOnLine = (text: string, at: number): boolean =>
	/^[ \t]*$/.test(text.slice(lineStart(text, at), at));

/** The end of the last character before a position that is no white space. */
export const inkEnd = (text: string, at: number): number => text.slice(0, at).trimEnd().length;

/** The line ending to use at a position: that of the line before, else that of the next one. Files may mix them. */
export function lineEnding(text: string, at: number): "\n" | "\r\n" {
	const before = text.lastIndexOf("\n", at - 1);
	const feed = before >= 0 ? before : text.indexOf("\n", at);
	return feed > 0 && text[feed - 1] === "\r" ? "\r\n" : "\n";
}

/** The start of the comments (`#`) directly above a line: they are about what follows. */
export function commentsAbove(text: string, line: number): number {
	let at = line;
	while (
		at > 0 &&
		text
			.slice(lineStart(text, at - 1), at)
			.trimStart()
			.startsWith("#")
	)
		at = lineStart(text, at - 1);
	return at;
}
