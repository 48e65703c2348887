import type { FailureFacts } from "./retry-policy.ts";

/** How often a run was tried again, and in which way: the next decision depends on it. */
export class Repetitions {
	#transport = 0;
	#server = 0;
	#fruitless = 0;
	#tokenWasRefreshed = false;

	get facts(): Pick<FailureFacts, "transportRetries" | "serverRetries" | "fruitlessResumes" | "tokenWasRefreshed"> {
		return {
			transportRetries: this.#transport,
			serverRetries: this.#server,
			fruitlessResumes: this.#fruitless,
			tokenWasRefreshed: this.#tokenWasRefreshed,
		};
	}

	retried(count: "transport" | "server"): void {
		if (count === "transport") this.#transport += 1;
		else this.#server += 1;
	}

	resumed(hasProgressed: boolean): void {
		this.#transport += 1;
		this.#fruitless = hasProgressed ? 0 : this.#fruitless + 1;
	}

	tokenRefreshed(): void {
		this.#tokenWasRefreshed = true;
	}
}
