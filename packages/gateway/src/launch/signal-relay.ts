import type { ChildProcess } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK", "SIGUSR2"] as const;
type Relayed = (typeof SIGNALS)[number];

/** The keys of a terminal send these to every program in it. */
const FROM_KEYS: readonly Relayed[] = ["SIGINT", "SIGQUIT", "SIGBREAK"];

/**
 * Passes signals on to the client, which decides what they mean. What a key of the terminal sends reaches the client
 * without us; passed on as well, it would come twice, and many clients end when Ctrl-C comes twice.
 */
export class SignalRelay {
	readonly #hasTerminal: boolean;
	readonly #listeners: [Relayed, () => void][];
	#child: ChildProcess | undefined;

	/** `stop` is called for a signal that comes before there is a client. */
	constructor({ hasTerminal, stop }: { hasTerminal: boolean; stop(): void }) {
		this.#hasTerminal = hasTerminal;
		this.#listeners = SIGNALS.map((signal) => [signal, () => (this.#child ? this.#pass(signal) : stop())]);
		for (const [signal, listener] of this.#listeners) process.on(signal, listener);
	}

	to(child: ChildProcess): void {
		this.#child = child;
	}

	close(): void {
		for (const [signal, listener] of this.#listeners) process.removeListener(signal, listener);
	}

	#pass(signal: Relayed): void {
		if (this.#hasTerminal && FROM_KEYS.includes(signal)) return;
		this.#child?.kill(signal);
	}
}
