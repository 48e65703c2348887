// The `cursorwire` program as a child process, with a home of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { BUNDLED_PROGRAM } from "./bundled-program.ts";
import { openProgram } from "./open-program.ts";

/** The program of this run, bundled; where a test runs without the set-up, the source. */
export const BIN = process.env[BUNDLED_PROGRAM] ?? fileURLToPath(new URL("../../bin/cursorwire.mjs", import.meta.url));

export interface Finished {
	code: number | null;
	out: string;
	err: string;
}

export interface Started {
	child: ChildProcess;
	ended: Promise<Finished>;
	/** Resolves when the output so far matches. */
	prints(pattern: RegExp): Promise<RegExpExecArray>;
	/** The same for the standard error. */
	complains(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-test-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** How a program runs, where it is not the ordinary way. */
export interface As {
	/** Another copy of it. */
	program?: string;
	uid?: number;
	gid?: number;
	/** The folder it works in. */
	cwd?: string;
	/** In a process group of its own, as a terminal starts programs. */
	detached?: boolean;
	/** A command in front of it, such as one that limits what it may use. */
	under?: string[];
	/** For Node itself. */
	nodeFlags?: string[];
}

export function startProgram(args: string[], env: Record<string, string> = {}, as: As = {}): Started {
	const { under = [], nodeFlags = [], program = as.uid === undefined ? BIN : openProgram(BIN), ...user } = as;
	const [command = "", ...rest] = [...under, process.execPath, ...nodeFlags, program, ...args];
	// What a program leaves that is killed goes with this folder.
	const temporary = temporaryFolder();
	if (user.uid !== undefined) chownSync(temporary, user.uid, user.gid ?? user.uid);
	const PATH = `${dirname(program)}:${process.env.PATH}`;
	const child = spawn(command, rest, {
		...user,
		...(user.uid !== undefined && { cwd: temporary }),
		env: { PATH, HOME: "/nonexistent", TMPDIR: temporary, NO_COLOR: "1", ...env },
	});
	onTestFinished(() => killed(child));
	let out = "";
	let err = "";
	const watchers = new Set<() => void>();
	child.stdout.on("data", (chunk) => {
		out += chunk;
		for (const watch of watchers) watch();
	});
	child.stderr.on("data", (chunk) => {
		err += chunk;
		for (const watch of watchers) watch();
	});
	const seen = (text: () => string, pattern: RegExp) =>
		new Promise<RegExpExecArray>((resolve, reject) => {
			const watch = () => {
				const match = pattern.exec(text());
				if (match) resolve(match);
			};
			watchers.add(watch);
			watch();
			child.on("close", () => reject(new Error(`ended without ${pattern}: ${out}${err}`)));
		});
	return {
		child,
		ended: new Promise((resolve, reject) => {
			child.on("close", (code) => resolve({ code, out, err }));
			// It could not be started at all.
			child.on("error", reject);
		}),
		prints: (pattern) => seen(() => out, pattern),
		complains: (pattern) => seen(() => err, pattern),
	};
}

/** Until it has ended it may write into folders that are about to be removed. */
async function killed(child: ChildProcess): Promise<void> {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "exit");
	child.kill("SIGKILL");
	await ended;
}

export function runProgram(args: string[], env: Record<string, string> = {}, as: As = {}): Promise<Finished> {
	return startProgram(args, env, as).ended;
}
