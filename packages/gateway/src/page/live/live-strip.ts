import { PROBLEMS, type Problem } from "../../observe/problem.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { HealthReport } from "../../upstream/health/host-health.ts";
import type { Pool, Strip } from "../contract.ts";

/** What Cursor says of the account of this installation. */
export interface AccountState {
	email?: string;
	plan?: string;
	pools: Pool[];
}

export interface LiveStripOptions {
	version: string;
	isDemo: boolean;
	clock: Clock;
	/** Asks Cursor. */
	account(): Promise<AccountState>;
	storeKind(): Store["kind"];
	/** What streams travel on, once one was open. */
	channel(): string | undefined;
	problems(): readonly Problem[];
	/** Of the hosts that the account uses. */
	health(): readonly HealthReport[];
}

/** How long what Cursor said is shown without asking again. */
const FRESH_MS = 60_000;

/** The strip at the top of the first view. Cursor is asked while somebody looks, and nobody waits for its answer. */
export class LiveStrip {
	readonly #options: LiveStripOptions;
	#askedAt = Number.NEGATIVE_INFINITY;
	#account: AccountState | undefined;
	#failure: GatewayError | undefined;

	constructor(options: LiveStripOptions) {
		this.#options = options;
	}

	/** As it is known now. `changed` is called when Cursor has said more. */
	read(changed: () => void): Strip {
		const { version, isDemo, clock, storeKind, channel } = this.#options;
		if (clock.now() - this.#askedAt >= FRESH_MS) {
			this.#askedAt = clock.now();
			void this.#ask().then(changed);
		}
		const { email, plan, pools = [] } = this.#account ?? {};
		const travelsOn = channel();
		return {
			version,
			isDemo,
			signedIn: this.#failure?.kind !== "signed-out",
			...(email !== undefined && { email }),
			...(plan !== undefined && { plan }),
			pools,
			...(travelsOn !== undefined && { channel: travelsOn }),
			store: storeKind(),
			problems: this.#problems(),
		};
	}

	async #ask(): Promise<void> {
		try {
			this.#account = await this.#options.account();
			this.#failure = undefined;
		} catch (error) {
			this.#failure = error instanceof GatewayError ? error : new GatewayError("upstream-unavailable");
			if (this.#failure.kind === "signed-out") this.#account = undefined;
		}
	}

	#problems(): string[] {
		const { problems, health } = this.#options;
		const own = problems().map(({ name }) => `The gateway runs, but ${PROBLEMS[name].meaning}. ${PROBLEMS[name].next}`);
		const failing = health()
			.filter(({ state }) => state !== "closed")
			.map(({ host }) => `Cursor keeps failing at ${host}, so it is left alone for a while.`);
		return [...new Set([...own, ...(this.#failure ? [this.#failure.fullMessage] : []), ...failing])];
	}
}
