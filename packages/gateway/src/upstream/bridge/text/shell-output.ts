import { isRecord } from "../match/schema.ts";
import type { ToolOutcome } from "../outcome.ts";
import { parseJson } from "./batch.ts";

/** What a command printed and how it ended, as far as the client's text shows. */
export interface ShellOutput {
	stdout: string;
	stderr: string;
	exitCode: number;
	timedOut: boolean;
}

/** Parses the output of a shell tool: structured, with a header, or plain text. */
export function shellOutputOf(outcome: ToolOutcome): ShellOutput {
	return structured(outcome) ?? headed(outcome) ?? plain(outcome);
}

/** `{ stdout, stderr, exit_code }` and `{ output, metadata: { exit_code } }`. */
function structured(outcome: ToolOutcome): ShellOutput | undefined {
	const parsed = parseJson(outcome.text);
	if (!isRecord(parsed)) return undefined;
	const details = isRecord(parsed.metadata) ? parsed.metadata : parsed;
	const code = [details.exit_code, details.exitCode].find((each) => Number.isInteger(each));
	const stdout = [parsed.stdout, parsed.output].find((each) => typeof each === "string");
	if (typeof stdout !== "string" || (typeof code !== "number" && typeof parsed.stderr !== "string")) return undefined;
	return {
		stdout,
		stderr: typeof parsed.stderr === "string" ? parsed.stderr : "",
		exitCode: typeof code === "number" ? code : outcome.isError ? 1 : 0,
		timedOut: details.timed_out === true,
	};
}

/** A few lines about the execution, then `Output:`, then what the command wrote. */
function headed(outcome: ToolOutcome): ShellOutput | undefined {
	const header =
		/^(?:(?:Chunk ID|Exit code|Wall time|Process exited|Original token count|Total output lines)\b.*\n){1,6}Output:\n/.exec(
			outcome.text,
		);
	if (!header) return undefined;
	const exitCode = exitCodeIn(header[0].split("\n")) ?? (outcome.isError ? 1 : 0);
	return { stdout: outcome.text.slice(header[0].length), stderr: "", exitCode, timedOut: false };
}

const LOOKED_AT = 4;
const TIMED_OUT = /\b(timed out|timeout exceeded|exceeded (the )?timeout|terminated .{0,30}\btimeout)\b/i;

function plain({ text, isError }: ToolOutcome): ShellOutput {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const ends = [...lines.slice(0, LOOKED_AT), ...lines.slice(-LOOKED_AT)];
	const exitCode = exitCodeIn(ends) ?? (isError ? 1 : 0);
	return { stdout: text, stderr: "", exitCode, timedOut: isError && ends.some((line) => TIMED_OUT.test(line)) };
}

/** Finds a line that states only how the command ended. */
function exitCodeIn(lines: readonly string[]): number | undefined {
	for (const line of lines) {
		const code = EXIT.exec(line.slice(0, 200));
		if (code) return Number(code[1]);
	}
	return undefined;
}

const EXIT =
	/^\W*(?:(?:error|(?:the )?(?:shell )?(?:command|process|script))\b.{0,60}?)?\bexit(?:ed)?\b(?:[\s:=(]|with|exit|code|status|was)*(-?\d{1,10})\W*$/i;

/** The number that a client gives a background command; zero if there is none. */
export function shellIdIn(text: string): number {
	const id = /\b(?:id|pid|session|process|shell|task)\b[^\d\n]{0,20}(\d{1,9})\b/i.exec(text.slice(0, 2000));
	return id ? Number(id[1]) : 0;
}

export function processIdIn(text: string): number | undefined {
	const id = /\bpids?\b[^\d\n]{0,5}(\d{1,9})\b/i.exec(text.slice(0, 2000));
	return id ? Number(id[1]) : undefined;
}
