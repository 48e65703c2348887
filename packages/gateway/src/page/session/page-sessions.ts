import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { SessionAnswer } from "../contract.ts";
import { ExpiringSecrets } from "./expiring-secrets.ts";

export const CODE_LIFE_MS = 60_000;
const SESSION_LIFE_MS = 12 * 3_600_000;
const MOST_CODES = 16;
const MOST_SESSIONS = 32;
/** Wrong codes within `ATTEMPTS_MS`, after which no code is looked at until that time is over. */
const MOST_WRONG_CODES = 10;
const ATTEMPTS_MS = 60_000;

/**
 * Who may see the page. A one-time code, which only the owner can get, is exchanged for a session; both are secrets of
 * this process, so a restart ends them all (ADR 39).
 */
export class PageSessions {
	readonly #clock: Clock;
	readonly #codes: ExpiringSecrets;
	readonly #sessions: ExpiringSecrets;
	/** When wrong codes came, lately. */
	#wrongCodes: number[] = [];

	/** `ended` hears of every session that is over. */
	constructor(clock: Clock, ended: (session: string) => void = () => {}) {
		this.#clock = clock;
		this.#codes = new ExpiringSecrets({ clock, lifeMs: CODE_LIFE_MS, most: MOST_CODES });
		this.#sessions = new ExpiringSecrets({ clock, lifeMs: SESSION_LIFE_MS, most: MOST_SESSIONS, ended });
	}

	newCode(): string {
		return this.#codes.make();
	}

	/** Throws a `GatewayError` for a code that is unknown, used or too old. */
	exchange(code: string): SessionAnswer {
		this.#requireAttempt();
		if (!this.#codes.take(code)) {
			this.#wrongCodes.push(this.#clock.now());
			throw new GatewayError("bad-key", "This address has been used already, or it is older than a minute.", {
				nextStep: "Run `cursorwire open` for a new one.",
			});
		}
		return { session: this.#sessions.make(), expiresAt: Date.now() + SESSION_LIFE_MS };
	}

	/** What a valid session is known by; undefined for one that is not valid. */
	find(session: string): string | undefined {
		return this.#sessions.find(session);
	}

	/** Whether a session that was found is still valid. */
	isValid(found: string): boolean {
		return this.#sessions.isValid(found);
	}

	end(session: string): void {
		this.#sessions.take(session);
	}

	#requireAttempt(): void {
		const now = this.#clock.now();
		this.#wrongCodes = this.#wrongCodes.filter((at) => at + ATTEMPTS_MS > now);
		const oldest = this.#wrongCodes[0];
		if (oldest === undefined || this.#wrongCodes.length < MOST_WRONG_CODES) return;
		throw new GatewayError("caller-limit", "Too many wrong codes for the page came within a minute.", {
			nextStep: "Wait a minute, then run `cursorwire open`.",
			retryAfterSeconds: Math.ceil((oldest + ATTEMPTS_MS - now) / 1000),
		});
	}
}
