import { clientOf } from "../../observe/log-text.ts";
import { printable } from "../../text/printable.ts";
import type { Paint } from "../terminal/output.ts";
import { printTable } from "../terminal/table.ts";

/** What runs now, as `GET /v1/cursorwire/now` tells it. */
export interface Now {
	version: string;
	turns: {
		requestId: string;
		client?: string;
		key?: string;
		dialect: string;
		model: string;
		path?: string;
		state: string;
		ageMs: number;
		speakingMs?: number;
		outputTokens: number;
	}[];
	parked: { key?: string; model: string; tools: string[]; waitedMs: number }[];
	today: { turns: number; errors: number; inputTokens: number; outputTokens: number };
	upstream: { host: string; state: string; failures: number }[];
}

export interface Screen {
	columns: number;
	/** How many lines there is room for. */
	rows: number;
	paint: Paint;
}

const NAME = 32;

/** The lines of `cursorwire top`: totals, turns under way, runs that wait for tools. */
export function topLines(now: Now, screen: Screen): string[] {
	const lines = [...totals(now, screen), "", ...turns(now, screen)];
	if (now.parked.length > 0) lines.push("", ...parked(now, screen));
	if (lines.length <= screen.rows) return lines;
	const shown = Math.max(0, screen.rows - 1);
	return [...lines.slice(0, shown), cut(`… ${lines.length - shown} more lines`, screen.columns)];
}

function totals({ version, today, upstream, turns: running, parked: waiting }: Now, { columns, paint }: Screen) {
	const failing = upstream.filter(({ state }) => state !== "closed");
	const health =
		failing.length === 0 ? "Cursor ok" : failing.map(({ host, state }) => `${printable(host, 60)} ${state}`).join(", ");
	const first = `Cursorwire ${printable(version, NAME)}: ${running.length} running, ${waiting.length} waiting for tools`;
	const second = [
		`turns today: ${count(today.turns)}, failed: ${count(today.errors)}`,
		`${count(today.inputTokens)} tokens in, ${count(today.outputTokens)} out`,
		health,
	].join("; ");
	const style = failing.length > 0 ? "red" : "dim";
	return [paint("bold", cut(first, columns)), paint(style, cut(second, columns))];
}

function turns({ turns: running }: Now, screen: Screen): string[] {
	if (running.length === 0) return [cut("No turn is under way.", screen.columns)];
	return table(
		["STATE", "AGE", "CLIENT", "MODEL", "RUNG", "TOKENS", "PER S", "REQUEST"],
		running.map((turn) => [
			turn.state,
			age(turn.ageMs),
			clientOf({ ...turn }),
			printable(turn.model, NAME),
			turn.path ?? "-",
			count(turn.outputTokens),
			rate(turn.outputTokens, turn.speakingMs),
			turn.requestId,
		]),
		screen,
	);
}

function parked({ parked: waiting }: Now, screen: Screen): string[] {
	return table(
		["WAITS FOR", "AGE", "KEY", "MODEL"],
		waiting.map(({ tools, waitedMs, key, model }) => [
			printable(tools.join(", "), 60),
			age(waitedMs),
			printable(key ?? "-", NAME),
			printable(model, NAME),
		]),
		screen,
	);
}

function table(head: string[], rows: string[][], { columns, paint }: Screen): string[] {
	let text = "";
	printTable({ write: (more) => (text += more), isTTY: true, columns }, paint, head, rows);
	return text.trimEnd().split("\n");
}

function rate(tokens: number, speakingMs: number | undefined): string {
	return speakingMs === undefined || speakingMs < 100 ? "-" : String(Math.round((tokens / speakingMs) * 1_000));
}

function age(ms: number): string {
	const seconds = Math.floor(ms / 1_000);
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const count = (value: number): string => value.toLocaleString("en-US");

const cut = (text: string, columns: number): string =>
	text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
