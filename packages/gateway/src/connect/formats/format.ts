import { type Edit, EditError, editValue, isSame, type Json } from "../edit.ts";
import { editJson, parseJson } from "./json.ts";
import { editToml, parseToml } from "./toml.ts";
import { editYaml, parseYaml } from "./yaml.ts";

/** A format of settings files: read as a value, edited as text, so that comments and unknown settings are preserved. */
interface Format {
	/** Throws an `Error` that says where the text is wrong. */
	parse(text: string): Json;
	edit(text: string, edits: readonly Edit[]): string;
}

const FORMATS = {
	json: { parse: parseJson, edit: editJson },
	toml: { parse: parseToml, edit: editToml },
	yaml: { parse: parseYaml, edit: editYaml },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

const BYTE_ORDER_MARK = "\ufeff";

/** The value of a file; an empty object if the file is empty or does not exist. */
export function parseSettings(format: FormatName, text: string, name: string): Json {
	const content = withoutMark(text);
	if (content.trim() === "") return {};
	let value: Json;
	try {
		value = FORMATS[format].parse(content);
	} catch (error) {
		const reason = (error as Error).message.split("\n")[0];
		throw new EditError(`${name} is not valid ${format.toUpperCase()} (${reason}); repair it first`);
	}
	if (value === null) return {};
	if (typeof value === "object" && !Array.isArray(value)) return value;
	throw new EditError(`${name} does not contain settings; repair it first`);
}

/** The text with the edits applied. The result is parsed again and compared with what was intended. */
export function editSettings(format: FormatName, text: string, edits: readonly Edit[], name: string): string {
	const meant = meantBy(parseSettings(format, text, name), edits, name);
	const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
	const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
	const edited = tryEdit(format, withoutMark(text).replaceAll("\r\n", "\n"), edits)?.replaceAll("\n", lineEnd);
	if (edited !== undefined && isSame(parseSettings(format, edited, name), meant)) return mark + edited;
	throw new EditError(`${name} is written in a way that cannot be edited safely; add what --print shows by hand`);
}

function tryEdit(format: FormatName, text: string, edits: readonly Edit[]): string | undefined {
	try {
		const edited = FORMATS[format].edit(text, edits);
		FORMATS[format].parse(edited);
		return edited;
	} catch {
		return undefined;
	}
}

function meantBy(value: Json, edits: readonly Edit[], name: string): Json {
	try {
		return editValue(value, edits);
	} catch (error) {
		throw new EditError(`${name}: ${(error as Error).message}; repair it first`);
	}
}

function withoutMark(text: string): string {
	return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
