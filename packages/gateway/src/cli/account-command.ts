import type { AccountFacts } from "../upstream/account/account-facts.ts";
import { describeFailure } from "./failure.ts";
import type { Output } from "./terminal/output.ts";

/** What commands about the account work on; put together by the program. */
export interface AccountCommandContext {
	facts: AccountFacts;
	/** Milliseconds of the epoch. */
	now: () => number;
	stdout: Output;
	stderr: Output;
}

/** Runs a command to its exit code, and to one line that says what is wrong and what to do where it is not 0. */
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
