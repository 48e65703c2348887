import { applyEdits, type FormattingOptions, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { Edit, Json } from "../edit.ts";

/** JSON as these clients read it: with comments and trailing commas. */
export function parseJson(text: string): Json {
	const errors: ParseError[] = [];
	const value: Json = parse(text, errors, { allowTrailingComma: true });
	const [first] = errors;
	if (!first) return value;
	const line = text.slice(0, first.offset).split("\n").length;
	throw new Error(`${printParseErrorCode(first.error)} in line ${line}`);
}

export function editJson(text: string, edits: readonly Edit[]): string {
	let edited = text.trim() === "" ? "{}\n" : text;
	const formattingOptions = styleOf(edited);
	for (const edit of edits) {
		// Without a list to insert into, the list itself is set.
		const isInsertion = edit.op === "insert" && hasList(edited, edit.path);
		const path = isInsertion ? [...edit.path, 0] : [...edit.path];
		const value = edit.op === "remove" ? undefined : edit.op === "insert" && !isInsertion ? [edit.value] : edit.value;
		edited = applyEdits(edited, modify(edited, path, value, { formattingOptions, isArrayInsertion: isInsertion }));
	}
	return edited;
}

function hasList(text: string, path: Edit["path"]): boolean {
	let value: unknown = parseJson(text);
	for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step];
	return Array.isArray(value);
}

/** The indentation of the first indented line; two spaces if there is none. */
function styleOf(text: string): FormattingOptions {
	const indent = /^([ \t]+)["}\]/]/m.exec(text)?.[1] ?? "  ";
	return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol: "\n" };
}
