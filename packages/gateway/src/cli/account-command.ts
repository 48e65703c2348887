import type { AccountFacts } from "../upstream/account/account-facts.ts";
import { describeFailure } from "./process/failure.ts";
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
