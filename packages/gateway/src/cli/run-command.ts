import { SettingError } from "../config/settings.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import { WireError } from "../wire/errors.ts";

const EXIT = { failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * Runs a command for a person: Ctrl-C aborts the signal, and whatever is thrown becomes one line and an exit code,
 * never a stack trace. A second Ctrl-C ends the process at once.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
	const interrupt = new AbortController();
	const onInterrupt = () => interrupt.abort();
	process.once("SIGINT", onInterrupt);
	// Timers of the gateway's clock do not keep a process alive, and a wait may consist of nothing else.
	const alive = setInterval(() => {}, 60_000);
	try {
		await work(interrupt.signal);
	} catch (error) {
		const [line, code] = describe(error);
		console.error(line);
		process.exitCode = code;
	} finally {
		clearInterval(alive);
		process.removeListener("SIGINT", onInterrupt);
	}
}

function describe(error: unknown): [line: string, code: number] {
	if (error instanceof SettingError) return [error.message, EXIT.usage];
	if (error instanceof WireError) return [error.message, EXIT.usage];
	const known = error instanceof GatewayError ? error : toGatewayError(error);
	if (known.kind === "cancelled") return ["Cancelled.", EXIT.interrupted];
	if (known.kind === "internal" && known.cause instanceof Error && !(error instanceof GatewayError)) {
		return [`cursorwire made a mistake: ${known.cause.message}`, EXIT.failed];
	}
	return [known.fullMessage, EXIT.failed];
}
