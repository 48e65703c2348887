import type { GatewayError } from "../../../turn/error.ts";
import type { HostAttempt, HostHealth } from "../../health/host-health.ts";

/** Tells the health of the host how the attempts of a run end: of each attempt once, and whatever comes first. */
export class HostAttempts {
	readonly #health: () => HostHealth;
	#current: HostAttempt | undefined;

	/** `permitted`: the first attempt, if the host's breaker was asked already. */
	constructor(health: () => HostHealth, permitted: HostAttempt | undefined) {
		this.#health = health;
		this.#current = permitted;
	}

	/** A new stream. Throws a `GatewayError` where the host has failed too often to be asked now. */
	begin(): void {
		this.#current ??= this.#health().begin();
	}

	/** Another turn in a stream that is open already. */
	join(): void {
		this.#current = this.#health().join();
	}

	/** The host answers. */
	answering(): void {
		this.#current?.answering();
	}

	succeeded(): void {
		this.#take()?.succeeded();
	}

	failed(error: GatewayError, madeProgress?: boolean): void {
		this.#take()?.failed(error, madeProgress);
	}

	/** The attempt ended in a way that says nothing about the host. */
	left(): void {
		this.#take()?.left();
	}

	/** Takes a retry from the host's budget. False: there is none left. */
	spendRetry(): boolean {
		return this.#health().spendRetry();
	}

	/** The error as the client is to hear it. */
	told(error: GatewayError): GatewayError {
		return this.#health().told(error);
	}

	#take(): HostAttempt | undefined {
		const attempt = this.#current;
		this.#current = undefined;
		return attempt;
	}
}
