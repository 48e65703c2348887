import { createHash } from "node:crypto";
import type { Client, Target } from "./client.ts";
import { type Edit, editValue, isSame, type Path } from "./edit.ts";
import { editSettings, type FormatName, parseSettings } from "./formats/format.ts";
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

/** Plans what a client's file will contain. `select`: the client will use the gateway from now on. */
export function planConnect(
	client: Client,
	file: string,
	before: string | undefined,
	target: Target,
	select: boolean,
): ConnectPlan {
	const fresh = before === undefined ? (client.fresh ?? []) : [];
	const edits = [...client.provider(target), ...(select ? client.selection(target) : [])];
	const after = editSettings(client.format, before ?? "", [...fresh, ...edits], file);
	return { after, connection: { file, format: client.format, before, afterHash: hashOf(after), fresh, edits } };
}

/** Plans what is left of a file without our settings. */
export function planDisconnect(connection: Connection, current: string | undefined): DisconnectPlan {
	const { file, format, before, afterHash, fresh, edits } = connection;
	if (current === undefined) return { after: undefined, exact: before === undefined, kept: [] };
	if (hashOf(current) === afterHash) return { after: before, exact: true, kept: [] };
	const formerValue = parseSettings(format, before ?? "", file);
	const { edits: undo, kept } = undoEdits(edits, formerValue, parseSettings(format, current, file));
	const after = undo.length === 0 ? current : editSettings(format, current, undo, file);
	const rest = parseSettings(format, after, file);
	if (before === undefined && isSame(rest, editValue({}, fresh))) return { after: undefined, exact: true, kept };
	// Clients rewrite their files in their own layout, and the user may have undone changes as well.
	if (before !== undefined && inkOf(after) === inkOf(before)) return { after: before, exact: true, kept };
	return { after, exact: false, kept };
}

/** A text without its layout. */
const inkOf = (text: string): string => text.replaceAll(/\s+/g, "");

function hashOf(text: string): string {
	return createHash("sha256").update(text, "utf8").digest("hex");
}
