import { createHash } from "node:crypto";
import { inspect } from "node:util";

const MASK = "[secret]";

/**
 * A text that must not appear in a log, page or error. Every implicit conversion to text (templates, JSON, logging,
 * concatenation) gives a mask. The value itself is only available through `reveal`, which is easy to search for.
 */
export class Secret {
	readonly #value: string;

	constructor(value: string) {
		this.#value = value;
	}

	reveal(): string {
		return this.#value;
	}

	equals(other: Secret): boolean {
		return this.#value === other.#value;
	}

	/** Identifies the secret without revealing it, for map keys and connection keys. */
	fingerprint(): string {
		return createHash("sha256").update(this.#value).digest("hex").slice(0, 32);
	}

	toString(): string {
		return MASK;
	}

	toJSON(): string {
		return MASK;
	}

	[Symbol.toPrimitive](): string {
		return MASK;
	}

	[inspect.custom](): string {
		return MASK;
	}
}
