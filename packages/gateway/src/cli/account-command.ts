import { openUpstreamSide } from "../app/upstream/open-upstream.ts";
import type { Settings } from "../config/settings.ts";
import type { AccountFacts } from "../upstream/account/account-facts.ts";
import { loadHomeSettings } from "./home-settings.ts";
import { describeFailure } from "./process/failure.ts";
import { runCommand } from "./process/run-command.ts";
import type { Output } from "./terminal/output.ts";

/** What commands about the account work with; the program provides it. */
export interface AccountCommandContext {
	facts: AccountFacts;
	/** Milliseconds of the epoch. */
	now: () => number;
	stdout: Output;
	stderr: Output;
	/** Aborted by Ctrl-C. */
	signal: AbortSignal;
}

/** Runs a command and returns its exit code. On failure it also prints one line: what is wrong, and what to do. */
export async function toExitCode(
	context: Pick<AccountCommandContext, "stderr">,
	command: () => Promise<void>,
): Promise<number> {
	try {
		await command();
		return 0;
	} catch (error) {
		const { line, code } = describeFailure(error);
		context.stderr.write(`${line}\n`);
		return code;
	}
}

/** Runs a command about this installation's account. */
export function withAccount(
	command: (context: AccountCommandContext, settings: Settings) => Promise<number>,
): Promise<void> {
	return runCommand(async (signal) => {
		const { settings } = loadHomeSettings();
		const upstream = await openUpstreamSide(settings);
		try {
			const { facts } = await upstream.ownAccount();
			const context = { facts, now: Date.now, stdout: process.stdout, stderr: process.stderr, signal };
			process.exitCode = await command(context, settings);
		} finally {
			await upstream.close();
		}
	});
}
