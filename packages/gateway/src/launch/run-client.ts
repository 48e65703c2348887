import { spawn } from "node:child_process";
import { constants } from "node:os";
import { SettingError } from "../config/settings.ts";
import type { Program } from "./find-program.ts";
import type { Variables } from "./launch-client.ts";
import type { SignalRelay } from "./signal-relay.ts";

/** Above the exit codes of programs: the number of the signal that ended it, as shells count. */
const SIGNAL_BASE = 128;

export interface ClientStart {
	program: Program;
	args: readonly string[];
	variables: Variables;
	relay: SignalRelay;
}

/** Starts the client in this terminal, without a shell, and resolves to its exit code. */
export function runClient({ program, args, variables, relay }: ClientStart): Promise<number> {
	// Node leaves out what is undefined.
	const env = { ...process.env, ...variables };
	const child = spawn(program.file, [...program.args, ...args], { stdio: "inherit", env });
	relay.to(child);
	return new Promise((resolve, reject) => {
		child.once("error", (error: NodeJS.ErrnoException) =>
			reject(new SettingError(`${program.file} cannot be started (${error.code})`)),
		);
		child.once("exit", (code, signal) => resolve(code ?? SIGNAL_BASE + constants.signals[signal!]));
	});
}
