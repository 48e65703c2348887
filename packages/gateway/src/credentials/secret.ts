import { createHash } from "node:crypto";
import { inspect } from "node:util";

const MASK = "[secret]";

/**
 * A text that must appear in no log, page or error. Everything that turns values into text by itself (templates, JSON,
 * `console.log`, string concatenation) gets a mask; the value leaves only through `reveal`, which is easy to search for.
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

	/** Tells secrets apart without telling them: for map keys and connection keys. */
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
