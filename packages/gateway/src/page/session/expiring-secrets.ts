import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../time/clock.ts";

export interface ExpiringSecretsOptions {
	clock: Clock;
	lifeMs: number;
	/** The oldest makes room for one more. */
	most: number;
	/** Called with the hash of a secret that is valid no longer. */
	ended?(hash: string): void;
}

const SECRET_BYTES = 32;

/** Random secrets that are valid for a while. Only their hashes are kept, and a secret is looked up by its hash. */
export class ExpiringSecrets {
	readonly #options: ExpiringSecretsOptions;
	/** The end of each by its hash, oldest first. */
	readonly #ends = new Map<string, number>();

	constructor(options: ExpiringSecretsOptions) {
		this.#options = options;
	}

	make(): string {
		const { clock, lifeMs, most } = this.#options;
		const secret = randomBytes(SECRET_BYTES).toString("base64url");
		this.#ends.set(hashOf(secret), clock.now() + lifeMs);
		for (const hash of this.#ends.keys()) if (this.#ends.size > most) this.#end(hash);
		return secret;
	}

	/** The hash of a secret that is valid. */
	find(secret: string): string | undefined {
		const hash = hashOf(secret);
		return this.isValid(hash) ? hash : undefined;
	}

	isValid(hash: string): boolean {
		const end = this.#ends.get(hash);
		if (end === undefined) return false;
		if (end > this.#options.clock.now()) return true;
		this.#end(hash);
		return false;
	}

	/** Whether the secret was valid. It is not any more. */
	take(secret: string): boolean {
		const hash = this.find(secret);
		if (hash !== undefined) this.#end(hash);
		return hash !== undefined;
	}

	#end(hash: string): void {
		this.#ends.delete(hash);
		this.#options.ended?.(hash);
	}
}

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64");
