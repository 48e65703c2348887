import { DashboardService, PrivacyMode } from "@cursorwire/protocol/aiserver";
import { callUnary, type RpcClient } from "./rpc.ts";

const DEADLINE_MS = 3000;
const FRESH_MS = 60_000;
const RETRY_MS = 10_000;

/** True unless the account allows training: `x-ghost-mode`, and which of the two agent hosts serves it. */
function isGhostMode(mode: PrivacyMode): boolean {
	return mode !== PrivacyMode.USAGE_DATA_TRAINING_ALLOWED && mode !== PrivacyMode.USAGE_CODEBASE_TRAINING_ALLOWED;
}

/**
 * The privacy mode of an account. Every doubt counts as private: before the first answer, after a failure, and where
 * the answer is unknown. That training is allowed must not be older than a minute; private accounts never wait for it.
 */
export class Privacy {
	readonly #client: () => RpcClient;
	readonly #now: () => number;
	#ghostMode = true;
	#isAnswered = false;
	#validUntil = Number.NEGATIVE_INFINITY;
	#reading: Promise<void> | undefined;

	/** The client is asked for late: it, in turn, asks for the privacy mode. */
	constructor(client: () => RpcClient, now: () => number) {
		this.#client = client;
		this.#now = now;
	}

	/** What is known now. */
	get known(): boolean {
		return this.#ghostMode;
	}

	/** The mode to obey in a run that starts now. Never fails. */
	async ghostMode(): Promise<boolean> {
		if (this.#now() < this.#validUntil) return this.#ghostMode;
		const reading = this.#read();
		if (!this.#isAnswered || !this.#ghostMode) await reading;
		return this.#ghostMode;
	}

	/** Asks Cursor now. Fails where Cursor does not answer, or does not know the account. */
	async check(): Promise<void> {
		const request = { inferredPrivacyMode: PrivacyMode.NO_STORAGE };
		const method = DashboardService.method.getUserPrivacyMode;
		const { privacyMode } = await callUnary(this.#client(), method, request, { deadlineMs: DEADLINE_MS });
		this.#ghostMode = isGhostMode(privacyMode);
		this.#isAnswered = true;
		this.#validUntil = this.#now() + FRESH_MS;
	}

	#read(): Promise<void> {
		this.#reading ??= this.#ask().finally(() => {
			this.#reading = undefined;
		});
		return this.#reading;
	}

	async #ask(): Promise<void> {
		try {
			await this.check();
		} catch {
			this.#ghostMode = true;
			this.#isAnswered = false;
			this.#validUntil = this.#now() + RETRY_MS;
		}
	}
}
