import { toGatewayError } from "../turn/error.ts";
import type { AccountFacts } from "../upstream/account-facts.ts";
import { cleanText } from "../upstream/errors/clean-text.ts";
import type { Output } from "./output.ts";

/** What commands about the account work on; put together by the program. */
export interface AccountCommandContext {
	facts: AccountFacts;
	/** Milliseconds of the epoch. */
	now: () => number;
	stdout: Output;
	stderr: Output;
}

/** Runs a command to its exit code: 0, or 1 and one line that says what is wrong and what to do. */
export async function toExitCode(
	context: Pick<AccountCommandContext, "stderr">,
	command: () => Promise<void>,
): Promise<number> {
	try {
		await command();
		return 0;
	} catch (error) {
		context.stderr.write(`cursorwire: ${cleanText(toGatewayError(error).fullMessage)}\n`);
		return 1;
	}
}
