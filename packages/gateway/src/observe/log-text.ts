import type { Paint } from "../text/paint.ts";
import { printable } from "../text/printable.ts";
import { LEVELS, type LogEntry } from "./log-entry.ts";

const NAME = 24;
const SENTENCE = 400;

/** An entry of the log as one line for a person. Whatever a client or Cursor sent cannot break it. */
export function entryText(entry: LogEntry, paint: Paint): string {
	const say = SAY[entry.msg ?? ""] ?? sayOther;
	return `${paint("dim", clockTime(entry.time))}  ${say(entry, paint)}`;
}

/** Entries with a form of their own, by their message. */
const SAY: Readonly<Record<string, (entry: LogEntry, paint: Paint) => string>> = {
	turn: sayTurn,
	refused: sayRefused,
	"refused again": sayRefusals,
};

function sayTurn(entry: LogEntry, paint: Paint): string {
	const { model, path, inputTokens, outputTokens, latencyMs, errorKind, status } = entry;
	const columns = [
		clientOf(entry).padEnd(14),
		printable(text(model), 60).padEnd(22),
		printable(text(path), NAME).padEnd(10),
		`${count(inputTokens)} in`.padStart(12),
		`${count(outputTokens)} out`.padStart(11),
		`${count(latencyMs)} ms`.padStart(10),
	].join("  ");
	if (errorKind === undefined) return columns;
	const style = errorKind === "cancelled" ? "yellow" : "red";
	return [columns, paint(style, `${text(status)} ${printable(text(errorKind), NAME)}`), nextStepOf(entry)]
		.filter((part) => part !== "")
		.join("  ");
}

function sayRefused(entry: LogEntry, paint: Paint): string {
	const { status, errorKind, method, route, reason } = entry;
	const place = method === undefined ? "" : printable(`${text(method)} ${text(route)}`, 80);
	const cause = `${text(status)} ${printable(text(errorKind), NAME)}`;
	return [
		clientOf(entry).padEnd(14),
		paint("yellow", "refused"),
		place,
		paint("yellow", cause),
		printable(text(reason), SENTENCE),
		nextStepOf(entry),
	]
		.filter((part) => part !== "")
		.join("  ");
}

function sayRefusals({ status, errorKind, refusals }: LogEntry, paint: Paint): string {
	const cause = `${text(status)} ${printable(text(errorKind), NAME)}`;
	return `${"-".padEnd(14)}  ${paint("yellow", `refused ${count(refusals)} more with ${cause}`)}`;
}

/** Of a stack trace only the first line is shown; the whole of it is in the JSON form. */
function sayOther({ level, time: _, msg, error, ...fields }: LogEntry, paint: Paint): string {
	const shown = Object.entries(fields).flatMap(([name, value]) =>
		value === undefined ? [] : `${name}=${text(value)}`,
	);
	const cause = error === undefined ? [] : [text(error).split("\n", 1)[0]!];
	const line = printable([msg ?? "", ...cause, ...shown].filter((part) => part !== "").join("  "), 2 * SENTENCE);
	if (level >= LEVELS.error) return paint("red", `error  ${line}`);
	return level >= LEVELS.warn ? paint("yellow", `warning  ${line}`) : line;
}

/** The owner's own key has no telling name, so its clients go by what they call themselves. */
const UNNAMED = ["default", "configured"];

/** Who sent a request, in a word or two. */
export function clientOf({ client, key }: { readonly [field: string]: unknown }): string {
	const isNamed = typeof key === "string" && !UNNAMED.includes(key);
	return printable(text(isNamed ? key : (client ?? "-")), NAME);
}

function nextStepOf({ nextStep }: LogEntry): string {
	return nextStep === undefined ? "" : printable(text(nextStep), SENTENCE);
}

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const count = (value: unknown): string => Number(value ?? 0).toLocaleString("en-US");

/** Of this machine's time zone, as the clock on its wall. */
function clockTime(time: string): string {
	const at = new Date(time);
	return Number.isNaN(at.getTime()) ? "--:--:--" : at.toTimeString().slice(0, 8);
}
