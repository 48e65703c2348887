import { type Edit, EditError, editValue, isSame, type Json } from "../edit.ts";
import { editJson, parseJson, parseJsonList, startJson, startJsonList } from "./json.ts";
import { applySplices, type Splice } from "./splice.ts";
import { type Step, stepsOf } from "./step.ts";
import { editToml, parseToml } from "./toml.ts";
import { editYaml, parseYaml } from "./yaml.ts";

/** A format of settings files: read as a value, and edited as text, so that only what has to change does. */
interface Format {
	/** Throws an `Error` that says where the text is wrong. */
	parse(text: string): Json;
	/** What an edit starts from, where an empty file cannot be edited. */
	start?(text: string): string;
	/** The file is a list, not an object. */
	isList?: true;
	/** The places of a valid text that a step changes. */
	edit(text: string, step: Step): Splice[];
}

const FORMATS: Readonly<Record<"json" | "json-list" | "toml" | "yaml", Format>> = {
	json: { parse: parseJson, start: startJson, edit: editJson },
	"json-list": { parse: parseJsonList, start: startJsonList, edit: editJson, isList: true },
	toml: { parse: parseToml, edit: editToml },
	yaml: { parse: parseYaml, edit: editYaml },
};

export type FormatName = keyof typeof FORMATS;

const BYTE_ORDER_MARK = "\ufeff";

/** The value of a file; an empty object or list if the file is empty or does not exist. */
export function parseSettings(format: FormatName, text: string, name: string): Json {
	const content = withoutMark(text);
	const { isList = false } = FORMATS[format];
	if (content.trim() === "") return emptySettings(format);
	let value: Json;
	try {
		value = FORMATS[format].parse(content);
	} catch (error) {
		const reason = (error as Error).message.split("\n")[0];
		throw new EditError(`${name} is not valid ${nameOf(format)} (${reason}); repair it first`);
	}
	if (value === null) return emptySettings(format);
	if (typeof value === "object" && Array.isArray(value) === isList) return value;
	throw new EditError(`${name} does not contain settings; repair it first`);
}

/** What a file of this format says that says nothing. */
export const emptySettings = (format: FormatName): Json => (FORMATS[format].isList ? [] : {});

const nameOf = (format: FormatName): string => format.replace(/-.*/, "").toUpperCase();

/** The text with the edits applied. The result is parsed again and compared with what was intended. */
export function editSettings(format: FormatName, text: string, edits: readonly Edit[], name: string): string {
	const value = parseSettings(format, text, name);
	const meant = meantBy(value, edits, name);
	const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
	const edited = tryEdit(FORMATS[format], withoutMark(text), value, edits);
	if (edited !== undefined && isSame(parseSettings(format, edited, name), meant)) return mark + edited;
	throw new EditError(`${name} is written in a way that cannot be edited safely; add what --print shows by hand`);
}

function tryEdit(format: Format, text: string, value: Json, edits: readonly Edit[]): string | undefined {
	let edited = format.start?.(text) ?? text;
	let current = value;
	try {
		for (const edit of edits) {
			for (const step of stepsOf(current, edit)) edited = applySplices(edited, format.edit(edited, step));
			current = editValue(current, [edit]);
		}
		format.parse(edited);
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
