import { DashboardService, PrivacyMode } from "@cursorwire/protocol/aiserver";
import type { Soon } from "../../time/soon.ts";
import { callUnary, type RpcClient } from "./rpc.ts";

const DEADLINE_MS = 3000;
const FRESH_MS = 60_000;
const RETRY_MS = 10_000;

/** True unless the account allows training. Determines `x-ghost-mode` and which of the two agent hosts is used. */
function isGhostMode(mode: PrivacyMode): boolean {
	return mode !== PrivacyMode.USAGE_DATA_TRAINING_ALLOWED && mode !== PrivacyMode.USAGE_CODEBASE_TRAINING_ALLOWED;
}

/**
 * The privacy mode of an account. Whenever in doubt it counts as private: before the first response, after a failure,
 * and for an unknown mode. Permission to train must be less than a minute old. Private accounts do not wait for a
 * refresh.
 */
export class Privacy {
	readonly #client: () => RpcClient;
	readonly #now: () => number;
	#ghostMode = true;
	#isAnswered = false;
	#validUntil = Number.NEGATIVE_INFINITY;
	#reading: Promise<void> | undefined;

	/** The client is passed as a function because it depends on the privacy mode itself. */
	constructor(client: () => RpcClient, now: () => number) {
		this.#client = client;
		this.#now = now;
	}

	/** The mode as currently known. */
	get known(): boolean {
		return this.#ghostMode;
	}

	/** The mode that applies to a run starting now. Never fails. */
	ghostMode(): Soon<boolean> {
		if (this.#now() < this.#validUntil) return this.#ghostMode;
		const reading = this.#read();
		return this.#isAnswered && this.#ghostMode ? true : reading.then(() => this.#ghostMode);
	}

	/** Asks Cursor now. Fails if Cursor does not respond or does not know the account. */
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
