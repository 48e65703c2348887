/**
 * Ends a text before the first stop sequence that becomes complete, as a model that stops by itself would. Text passes
 * at once except for a tail that may still turn out to be the beginning of a stop sequence. The result does not depend
 * on how the text is cut into deltas, and the work is linear in its length for any stop sequences.
 */
export class StopCutter {
	readonly #matchers: StopMatcher[];
	/** Finds where a stop sequence can begin. */
	readonly #beginning: RegExp;
	#held = "";
	#stoppedBy: string | undefined;

	constructor(stops: readonly string[]) {
		const all = stops.filter((stop) => stop !== "");
		this.#matchers = all.map((stop) => new StopMatcher(stop));
		this.#beginning = new RegExp(`[${[...new Set(all.map(firstCode))].join("")}]`, "g");
	}

	/** The stop sequence that ended the text. Nothing passes any more once it is set. */
	get stoppedBy(): string | undefined {
		return this.#stoppedBy;
	}

	/** The text that is certain to lie before a stop sequence. */
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

	/** The text held back, when no more comes: at the end of a block. What follows is another text. */
	end(): string {
		const rest = this.#held;
		this.#held = "";
		for (const matcher of this.#matchers) matcher.reset();
		return rest;
	}

	/** Some of the text may be the beginning of a stop sequence. */
	get #isWithin(): boolean {
		return this.#matchers.some(({ matched }) => matched > 0);
	}

	/** Most text has nothing to do with any of them, and is passed over without a look at each. */
	#nextBeginning(text: string, from: number): number {
		this.#beginning.lastIndex = from;
		return this.#beginning.test(text) ? this.#beginning.lastIndex - 1 : text.length;
	}

	/** The longest stop sequence that this character completes: it begins first, so the others lie inside it. */
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
	/** For each length of a partial match: the next shorter one that is still a match. */
	readonly #shorter: Uint32Array;
	/** How many characters at the end of the text so far begin the stop sequence. */
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

	/** Whether the stop sequence is complete with this character. */
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
