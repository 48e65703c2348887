import type { Clock } from "../time/clock.ts";
import { GatewayError } from "../turn/error.ts";
import { ERROR_KINDS } from "../turn/error-kinds.ts";

export interface CredentialCheckLimits {
	/** How many credentials are looked up at the same time. */
	atOnce: number;
	/** How many credentials are looked up per minute. */
	perMinute: number;
	/** How long a refusal by Cursor counts before it is asked again. */
	refusedMs: number;
	/** How many refusals are remembered; the oldest are dropped first. */
	refused: number;
	/** How many accepted credentials are remembered; the least recently used are dropped first. */
	known: number;
}

export const CREDENTIAL_CHECK_LIMITS: CredentialCheckLimits = {
	atOnce: 4,
	perMinute: 30,
	refusedMs: 60_000,
	refused: 4096,
	known: 1024,
};

const MINUTE = 60_000;

/**
 * Checks the Cursor credentials that come with requests. Anyone can invent one, and each costs a request to Cursor. So
 * credentials that Cursor has not accepted yet share one small budget, and refusals are remembered.
 */
export class CredentialChecks {
	readonly #limits: CredentialCheckLimits;
	readonly #clock: Clock;
	readonly #known = new Set<string>();
	readonly #refused = new Map<string, { error: GatewayError; until: number }>();
	readonly #lookUps = new Map<string, Promise<void>>();
	/** When the lookups of the last minute began. */
	#begun: number[] = [];

	constructor(clock: Clock, limits: CredentialCheckLimits = CREDENTIAL_CHECK_LIMITS) {
		this.#clock = clock;
		this.#limits = limits;
	}

	/**
	 * Resolves if Cursor accepts the credential with this id, and rejects if it refuses it or the budget is used up.
	 * `lookUp` asks Cursor. It is only called if nothing is known yet, and once for simultaneous requests.
	 */
	async check(id: string, lookUp: () => Promise<void>): Promise<void> {
		if (this.#isKnown(id)) return;
		const refused = this.#refusalOf(id);
		if (refused) throw refused;
		await (this.#lookUps.get(id) ?? this.#begin(id, lookUp));
	}

	#isKnown(id: string): boolean {
		const isKnown = this.#known.delete(id);
		if (isKnown) this.#known.add(id);
		return isKnown;
	}

	#refusalOf(id: string): GatewayError | undefined {
		const refused = this.#refused.get(id);
		if (refused && refused.until > this.#clock.now()) return refused.error;
		this.#refused.delete(id);
		return undefined;
	}

	#begin(id: string, lookUp: () => Promise<void>): Promise<void> {
		const { atOnce, perMinute } = this.#limits;
		const now = this.#clock.now();
		this.#begun = this.#begun.filter((at) => at > now - MINUTE);
		if (this.#begun.length >= perMinute) throw tooMany((this.#begun[0]! + MINUTE - now) / 1000);
		if (this.#lookUps.size >= atOnce) throw tooMany(1);
		this.#begun.push(now);
		const looking = this.#learn(id, lookUp).finally(() => this.#lookUps.delete(id));
		this.#lookUps.set(id, looking);
		return looking;
	}

	async #learn(id: string, lookUp: () => Promise<void>): Promise<void> {
		try {
			await lookUp();
			remember(this.#known, this.#limits.known, () => this.#known.add(id));
		} catch (error) {
			// Only a refusal that a retry cannot change is remembered.
			if (error instanceof GatewayError && ERROR_KINDS[error.kind].retry === "never") {
				const until = this.#clock.now() + this.#limits.refusedMs;
				remember(this.#refused, this.#limits.refused, () => this.#refused.set(id, { error, until }));
			}
			throw error;
		}
	}
}

function remember(memory: Set<string> | Map<string, unknown>, most: number, add: () => void): void {
	add();
	if (memory.size > most) memory.delete(memory.keys().next().value!);
}

function tooMany(seconds: number): GatewayError {
	const message = "Too many Cursor credentials that are new to this gateway arrived at once.";
	return new GatewayError("overloaded", message, {
		retryAfterSeconds: Math.ceil(seconds),
		nextStep: "Wait and try again, or use a gateway key.",
	});
}
