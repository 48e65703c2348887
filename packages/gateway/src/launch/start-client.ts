import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { SettingError } from "../config/settings.ts";
import type { Program } from "./find-program.ts";
import type { Variables } from "./launch-client.ts";
import { LAUNCH_MARK, launchMark } from "./launch-mark.ts";
import { endLeftBehind } from "./left-behind.ts";
import type { SignalRelay } from "./signal-relay.ts";

/** Above the exit codes of programs: the number of the signal that ended it, as shells count. */
const SIGNAL_BASE = 128;

export interface ClientStart {
	/** Of the launch. */
	id: string;
	program: Program;
	args: readonly string[];
	variables: Variables;
	relay: SignalRelay;
}

interface Ended {
	/** Null if a signal ended it. */
	code: number | null;
	signal: NodeJS.Signals | null;
}

/**
 * Starts the client in this terminal, without a shell, and resolves to its exit code. If a signal ended it, nothing that it
 * has started in this process's group goes on by then.
 */
export async function startClient({ id, program, args, variables, relay }: ClientStart): Promise<number> {
	const mark = launchMark(id, process.env);
	// Node leaves out what is undefined.
	const env = { ...process.env, ...variables, [LAUNCH_MARK]: mark };
	const child = spawn(program.file, [...program.args, ...args], { stdio: "inherit", env });
	relay.to(child);
	const { code, signal } = await endOf(child, program);
	if (code !== null) return code;
	await endLeftBehind(mark);
	return SIGNAL_BASE + constants.signals[signal!];
}

function endOf(child: ChildProcess, { file }: Program): Promise<Ended> {
	return new Promise((resolve, reject) => {
		child.once("error", (error: NodeJS.ErrnoException) =>
			reject(new SettingError(`${file} cannot be started (${error.code})`)),
		);
		child.once("exit", (code, signal) => resolve({ code, signal }));
	});
}
