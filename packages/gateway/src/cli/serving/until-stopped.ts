import type { Gateway } from "../../app/gateway.ts";
import { EXIT_CODES } from "../process/exit-codes.ts";
import { drainBeforeFatal } from "../process/fatal.ts";

/** How long open responses may take to end. */
const DRAIN_MS = 30_000;

/**
 * Resolves when the gateway has been told to stop and has stopped. `interrupt` tells of a Ctrl-C that came while the
 * gateway was started.
 */
export async function untilStopped(gateway: Gateway, interrupt: AbortSignal, withdraw: () => void): Promise<void> {
	const release = drainBeforeFatal(() => {
		withdraw();
		return gateway.close(DRAIN_MS);
	});
	await new Promise<void>((resolve) => {
		if (interrupt.aborted) return resolve();
		for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
	});
	release();
	// It accepts no new conversations from here on, so nobody should find it.
	withdraw();
	const open = gateway.openTurns();
	if (open > 0)
		console.error(
			`Stopping: ${underWay(open)}, and may take ${DRAIN_MS / 1000} seconds to end. Ctrl-C again stops at once.`,
		);
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(EXIT_CODES.failed.code));
	await gateway.close(DRAIN_MS);
}

const underWay = (turns: number): string => (turns === 1 ? "one turn is under way" : `${turns} turns are under way`);
