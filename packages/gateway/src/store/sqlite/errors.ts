import Database from "libsql";
import { StoreUnavailableError } from "../errors.ts";

/** Prefixes of SQLite's codes, and what each means for the user. */
const REASONS: readonly (readonly [code: string, reason: string])[] = [
	["SQLITE_FULL", "the disk is full"],
	["SQLITE_READONLY", "the file cannot be written"],
	["SQLITE_CANTOPEN", "the file cannot be opened"],
	["SQLITE_PERM", "the file may not be used"],
	["SQLITE_BUSY", "another process holds the file too long"],
	["SQLITE_LOCKED", "another process holds the file too long"],
	["SQLITE_CORRUPT", "the file is damaged"],
	["SQLITE_NOTADB", "the file is damaged"],
	["SQLITE_IOERR", "the disk reports an error"],
];

/** Codes that blame the statement or its values. The file is fine, and another store would fail as well. */
const OUR_MISTAKES = ["SQLITE_CONSTRAINT", "SQLITE_TOOBIG", "SQLITE_MISMATCH", "SQLITE_RANGE", "SQLITE_MISUSE"];
/** SQLITE_CONSTRAINT_DATATYPE, for which the driver has no name. */
const WRONG_TYPE = 3091;

export const isDamage = (error: unknown): boolean =>
	error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/** What the driver or the file system threw, as a `StoreUnavailableError` if the cause is outside. */
export function explain(error: unknown): unknown {
	if (error instanceof StoreUnavailableError) return error;
	if (error instanceof Database.SqliteError) {
		if (error.rawCode === WRONG_TYPE || OUR_MISTAKES.some((code) => error.code.startsWith(code))) return error;
		const reason = REASONS.find(([code]) => error.code.startsWith(code))?.[1] ?? error.message;
		return new StoreUnavailableError(`${reason} (${error.code})`, { cause: error });
	}
	// Failing to open is a plain error whose text ends in SQLite's number; errors of the file system are named E….
	const { message, code } = error as NodeJS.ErrnoException;
	const isOutside = message.startsWith("ConnectionFailed") || /^E[A-Z0-9]+$/.test(code ?? "");
	return isOutside ? new StoreUnavailableError(`the file cannot be opened (${message})`, { cause: error }) : error;
}
