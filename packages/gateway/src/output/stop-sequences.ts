/**
 * Ends a text before the first stop sequence that is completed, just like a model that stops by itself. Text passes at
 * once, except for an end that may turn out to be the beginning of a stop sequence. The outcome does not depend on how
 * the text is split into deltas, and the time is linear in the length of the text for any stop sequences.
 */
export class StopCutter {
	readonly #matchers: StopMatcher[];
	/** Matches the characters that a stop sequence can begin with. */
	readonly #beginning: RegExp;
	#held = "";
	#stoppedBy: string | undefined;

	constructor(stops: readonly string[]) {
		const all = stops.filter((stop) => stop !== "");
		this.#matchers = all.map((stop) => new StopMatcher(stop));
		this.#beginning = new RegExp(`[${[...new Set(all.map(firstCode))].join("")}]`, "g");
	}

	/** The stop sequence that ended the text. Once it is set, nothing passes any more. */
	get stoppedBy(): string | undefined {
		return this.#stoppedBy;
	}

	/** Adds text and returns what is certain to come before any stop sequence. */
	push(delta: string): string {
		if (this.#stoppedBy !== undefined) return "";
		if (this.#matchers.length === 0) return delta;
		const text = this.#held + delta;
		for (let index = this.#held.length; index < text.length; index++) {
			if (!this.#isWithin) index = this.#nextBeginning(text, index);
			if (index === text.length) break;
			const stop = this.#step(text.charCodeAt(index));
			if (stop === undefined) continue;
			this.#stoppedBy = stop;
			this.#held = "";
			return text.slice(0, index + 1 - stop.length);
		}
		const certain = text.length - Math.max(...this.#matchers.map(({ matched }) => matched));
		this.#held = text.slice(certain);
		return text.slice(0, certain);
	}

	/** The text that was held back, at the end of a block. The next block is matched from scratch. */
	end(): string {
		const rest = this.#held;
		this.#held = "";
		for (const matcher of this.#matchers) matcher.reset();
		return rest;
	}

	/** Whether the end of the text so far may be the beginning of a stop sequence. */
	get #isWithin(): boolean {
		return this.#matchers.some(({ matched }) => matched > 0);
	}

	/** Skips text that cannot be part of a stop sequence, which is most of it, without stepping through it. */
	#nextBeginning(text: string, from: number): number {
		this.#beginning.lastIndex = from;
		return this.#beginning.test(text) ? this.#beginning.lastIndex - 1 : text.length;
	}

	/** The longest stop sequence that this character completes. It begins first, and the others lie inside it. */
	#step(code: number): string | undefined {
		let longest: string | undefined;
		for (const matcher of this.#matchers) {
			if (matcher.step(code) && matcher.stop.length > (longest?.length ?? 0)) longest = matcher.stop;
		}
		return longest;
	}
}

/** The first UTF-16 unit of a text, as a regular expression writes it. */
const firstCode = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Knuth-Morris-Pratt over a text that arrives in pieces. */
class StopMatcher {
	readonly stop: string;
	/** For each length of a partial match, the next shorter length that is also a match. */
	readonly #shorter: Uint32Array;
	/** How many characters at the end of the text so far match the beginning of the stop sequence. */
	matched = 0;

	constructor(stop: string) {
		this.stop = stop;
		this.#shorter = new Uint32Array(stop.length + 1);
		for (let length = 2, border = 0; length <= stop.length; length++) {
			const code = stop.charCodeAt(length - 1);
			while (border > 0 && stop.charCodeAt(border) !== code) border = this.#shorter[border] as number;
			if (stop.charCodeAt(border) === code) border++;
			this.#shorter[length] = border;
		}
	}

	/** Whether this character completes the stop sequence. */
	step(code: number): boolean {
		const { stop } = this;
		let matched = this.matched;
		while (matched > 0 && stop.charCodeAt(matched) !== code) matched = this.#shorter[matched] as number;
		if (stop.charCodeAt(matched) === code) matched++;
		this.matched = matched;
		return matched === stop.length;
	}

	reset(): void {
		this.matched = 0;
	}
}
