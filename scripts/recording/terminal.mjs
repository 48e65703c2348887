// A program in a real terminal: `script` of util-linux gives it one, and xterm.js knows what its screen shows.
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import xterm from "@xterm/headless";
import { rowsOf } from "./rows.mjs";

export const COLUMNS = 96;
export const ROWS = 28;

const KEY_EVERY_MS = 50;
const LOOK_EVERY_MS = 50;
/** Far more than any step takes on a busy machine; it ends a recording that hangs. */
const STEP_LIMIT_MS = 120_000;

/**
 * Starts a shell command. Each change of its screen is put into `frames`, with the time and the number of the tab.
 *
 * @param {string} command
 * @param {{ cwd: string, env: Record<string, string>, tab: number, frames: object[] }} options
 */
export function openTerminal(command, { cwd, env, tab, frames }) {
	const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
	const line = `stty cols ${COLUMNS} rows ${ROWS}; exec ${command}`;
	const child = spawn("script", ["-qfec", line, "/dev/null"], { cwd, env, stdio: "pipe", detached: true });
	child.stdin.on("error", () => {});
	// Programs ask the terminal what it can do, and wait for the reply.
	screen.onData((reply) => child.stdin.write(reply));
	child.stdout.on("data", (bytes) => screen.write(bytes));
	const ended = new Promise((resolve) => child.once("close", resolve));
	const text = () =>
		rowsOf(screen)
			.map((row) => row.map((run) => run.text).join(""))
			.join("\n");
	const take = () => frames.push({ at: Date.now(), tab, rows: rowsOf(screen) });
	const filming = screen.onWriteParsed(take);

	return {
		text,
		async type(words) {
			for (const key of words) {
				child.stdin.write(key);
				await pause(KEY_EVERY_MS);
			}
		},
		/** Waits until the screen shows something. */
		async until(pattern) {
			const limit = Date.now() + STEP_LIMIT_MS;
			while (!pattern.test(text())) {
				if (Date.now() > limit) throw new Error(`the terminal never showed ${pattern}:\n${text()}`);
				await pause(LOOK_EVERY_MS);
			}
			take();
		},
		/** What it shows from now on is not filmed. */
		leave: () => filming.dispose(),
		/** Ends the program and whatever it started. */
		async close() {
			screen.dispose();
			endGroup(child.pid);
			await ended;
		},
	};
}

function endGroup(pid) {
	try {
		process.kill(-pid, "SIGTERM");
	} catch {
		// It has ended by itself.
	}
}
