import { pathToFileURL } from "node:url";
import Database from "libsql";

/** Reads values from the editor's state file, a SQLite database that a running editor may be writing to. */
export function readEditorState(path: string, keys: readonly string[]): Record<string, string> {
	// Only the URI form opens it read-only: the driver ignores its `readonly` option.
	const database = new Database(`${pathToFileURL(path).href}?mode=ro`);
	try {
		const select = database.prepare("SELECT value FROM ItemTable WHERE key = ?");
		const entries = keys.map((key) => [key, textOf(select.get(key))] as const);
		return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
	} finally {
		database.close();
	}
}

/** Values are texts or bytes, and some are JSON strings. */
function textOf(row: unknown): string | undefined {
	const value = (row as { value?: unknown } | undefined)?.value;
	if (typeof value !== "string" && !(value instanceof Uint8Array)) return undefined;
	const text = typeof value === "string" ? value : Buffer.from(value).toString("utf8");
	return text.replace(/^"(.*)"$/s, "$1");
}
