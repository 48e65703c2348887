import { createHash } from "node:crypto";
import type { Client, SettingsFile, Target } from "./client.ts";
import { type Edit, editValue, isSame, type Json, type Path } from "./edit.ts";
import { editSettings, emptySettings, type FormatName, parseSettings } from "./formats/format.ts";
import { takeOut } from "./merge.ts";
import { placeNamedItems } from "./named-items.ts";
import { undoEdits } from "./undo.ts";

/** What has to be known to undo a connection. */
export interface Connection {
	file: string;
	format: FormatName;
	/** The content before; undefined if there was no file. */
	before: string | undefined;
	/** Hash of the content that was written. */
	afterHash: string;
	/** What a new file got in addition. */
	fresh: readonly Edit[];
	edits: readonly Edit[];
}

export interface ConnectPlan {
	connection: Connection;
	after: string;
}

export interface DisconnectPlan {
	/** Undefined: the file is removed. */
	after: string | undefined;
	/** The file is exactly as it was. */
	exact: boolean;
	/** Settings of ours that were changed since then, and are kept. */
	kept: Path[];
}

/**
 * Plans what a client's file will contain. `select`: the client will use the gateway from now on. `present`: what stands
 * there now, if the client is connected already and `before` is without that.
 */
export function planConnect(
	client: Client,
	file: string,
	before: string | undefined,
	target: Target,
	select: boolean,
	present = before,
): ConnectPlan {
	const edits = [...client.provider(target), ...(select && !client.chooser ? client.selection(target) : [])];
	const value = (text = "") => parseSettings(client.format, text, file);
	return planFile(client, file, before, placeNamedItems(edits, value(before), value(present)));
}

/** Plans the file in which a client says which model it uses, where that is another one. */
export const planChoice = (
	client: Client,
	chooser: SettingsFile,
	file: string,
	before: string | undefined,
	target: Target,
) => planFile(chooser, file, before, client.selection(target));

function planFile(kind: SettingsFile, file: string, before: string | undefined, edits: Edit[]): ConnectPlan {
	const { format } = kind;
	const fresh = before === undefined ? (kind.fresh ?? []) : [];
	const after = editSettings(format, before ?? "", [...fresh, ...edits], file);
	return { after, connection: { file, format, before, afterHash: hashOf(after), fresh, edits } };
}

/** Plans what is left of a file without our settings. */
export function planDisconnect(connection: Connection, current: string | undefined): DisconnectPlan {
	const { file, format, before, afterHash, fresh, edits } = connection;
	if (current === undefined) return { after: undefined, exact: before === undefined, kept: [] };
	if (hashOf(current) === afterHash) return { after: before, exact: true, kept: [] };
	const formerValue = parseSettings(format, before ?? "", file);
	const presentValue = parseSettings(format, current, file);
	const { edits: undo, kept } = undoEdits(edits, formerValue, presentValue);
	const meant = withoutEmpty(editValue(presentValue, undo));
	const isMeant = (text: string) => isSame(withoutEmpty(parseSettings(format, text, file)), meant);
	const after =
		undo.length === 0
			? current
			: (takeOutLines(connection, current, isMeant) ?? editSettings(format, current, undo, file));
	const rest = parseSettings(format, after, file);
	if (before === undefined && isSame(rest, editValue(emptySettings(format), fresh)))
		return { after: undefined, exact: true, kept };
	// Clients rewrite their files in their own layout, and the user may have undone changes as well.
	if (before !== undefined && inkOf(after) === inkOf(before)) return { after: before, exact: true, kept };
	return { after, exact: false, kept };
}

/** Possible if what was written can be written again; another version may write it in another way. */
function takeOutLines(connection: Connection, current: string, isMeant: (text: string) => boolean): string | undefined {
	const { file, format, before, afterHash, fresh, edits } = connection;
	const written = editSettings(format, before ?? "", [...fresh, ...edits], file);
	const isValid = (text: string) => {
		try {
			return isMeant(text);
		} catch {
			return false;
		}
	};
	return hashOf(written) === afterHash ? takeOut(before ?? "", written, current, isValid) : undefined;
}

/** A list or an object that we were the first to fill may have had brackets before, or nothing. */
function withoutEmpty(value: Json): Json {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value).map(([key, entry]) => [key, withoutEmpty(entry)] as const);
	return Object.fromEntries(entries.filter(([, entry]) => !isEmpty(entry)));
}

const isEmpty = (value: Json): boolean =>
	value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** A text without its layout. */
const inkOf = (text: string): string => text.replaceAll(/\s+/g, "");

function hashOf(text: string): string {
	return createHash("sha256").update(text, "utf8").digest("hex");
}
