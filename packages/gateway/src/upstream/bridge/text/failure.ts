import type { ToolOutcome } from "../outcome.ts";

/** Why a client's tool failed, as far as the typed results distinguish causes. */
type FailureCause = "rejected" | "not-found" | "denied" | "no-space" | "busy" | "directory" | "other";

export interface Failure {
	cause: FailureCause;
	text: string;
}

/**
 * The failure in a tool's result. Chat Completions does not mark results as errors, so a short text that begins like an
 * error counts as one. If that was really the content of a file, nothing is lost, since the text is passed on anyway.
 * The opposite mistake would let the next write put an error message into the file.
 */
export function failureOf({ text, isError }: ToolOutcome): Failure | undefined {
	if (!isError && !readsLikeFailure(text)) return undefined;
	const head = text.slice(0, 2000);
	const [cause] = CAUSES.find(([, sign]) => sign.test(head)) ?? ["other" as const];
	return { cause, text: text === "" ? "The tool failed without a message." : text };
}

/** The user declined. That is not a failure of the tool, and the call should not be repeated. */
export function isRejection({ text, isError }: ToolOutcome): boolean {
	return (isError || text.length < LONGEST) && REJECTED.test(text.slice(0, 500));
}

const LONGEST = 2000;
const MOST_LINES = 12;

function readsLikeFailure(text: string): boolean {
	if (text.length > LONGEST || text.split("\n").length > MOST_LINES) return false;
	return OPENING.test(text) || REJECTED.test(text);
}

const OPENING =
	/^\s*(<tool_use_error>|<error>|error(:|\s+(\w+ing\b|[[(]))|failed to\b|cannot\b|can't\b|could not\b|unable to\b|no such file|enoent\b|eacces\b|eperm\b|permission denied|access denied|(file|path|directory) (not found|does not exist)|(file|path) is not |file unchanged since)/i;

const REJECTED =
	/^\W*(the )?user (has )?(rejected|denied|declined|refused|cancelled|canceled|did not allow|does not want|doesn't want)|^\W*\w*[^\n]{0,40}\b(rejected|denied|declined|cancelled|canceled) by (the )?user\b|^\[operation cancelled\]/i;

const CAUSES: readonly (readonly [FailureCause, RegExp])[] = [
	["rejected", REJECTED],
	["not-found", /\benoent\b|no such file|not found|(does|do) not exist|doesn't exist/i],
	["no-space", /\benospc\b|no space left|disk (is )?full/i],
	["busy", /\bebusy\b|resource busy|text file busy/i],
	["directory", /\beisdir\b|is a directory|not a (regular )?file/i],
	["denied", /\beacces\b|\beperm\b|\berofs\b|permission denied|access denied|read-only file system|not permitted/i],
];
