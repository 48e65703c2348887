import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GrepUnionResultSchema } from "@cursorwire/protocol/agent";
import type { SearchOutput } from "./matches.ts";

export type GrepUnion = MessageInitShape<typeof GrepUnionResultSchema>;

export function filesResult(files: readonly string[], clientTruncated: boolean): GrepUnion {
	return { result: { case: "files", value: { files: [...files], totalFiles: files.length, clientTruncated } } };
}

export function contentResult({ lines, rest, cut }: SearchOutput): GrepUnion {
	const matches = [...lines].map(([file, found]) => ({
		file,
		matches: found.map(({ line, text, around }) => ({ lineNumber: line, content: text, isContextLine: around })),
	}));
	// Other output of the tool is kept, since the model would not see it otherwise.
	if (rest.length > 0) matches.push(plainLines(rest));
	const all = [...lines.values()].flat();
	const totalMatchedLines = all.filter(({ around }) => !around).length;
	const value = { matches, totalLines: all.length, totalMatchedLines, clientTruncated: cut };
	return { result: { case: "content", value } };
}

/** Match counts as printed, or counted from the lines. */
export function countResult({ counts, lines, files, cut }: SearchOutput): GrepUnion {
	const found = new Map(counts);
	for (const [file, hits] of lines) found.set(file, hits.filter(({ around }) => !around).length);
	for (const file of files) if (!found.has(file)) found.set(file, 1);
	const sum = [...found.values()].reduce((total, each) => total + each, 0);
	// The field has 31 bits, and the counts are whatever the client printed.
	const totalMatches = Math.min(sum, 2 ** 31 - 1);
	const value = {
		counts: [...found].map(([file, count]) => ({ file, count })),
		totalFiles: found.size,
		totalMatches,
		clientTruncated: cut,
	};
	return { result: { case: "count", value } };
}

/** Output in an unknown form is passed on line by line, so that nothing is lost. */
export function unreadResult(text: string): GrepUnion {
	const lines = text.split("\n");
	const value = { matches: [plainLines(lines)], totalLines: lines.length, totalMatchedLines: lines.length };
	return { result: { case: "content", value } };
}

function plainLines(lines: readonly string[]) {
	const matches = lines.map((content, index) => ({ lineNumber: index + 1, content, isContextLine: false }));
	return { file: "output", matches };
}
