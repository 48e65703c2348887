import type { ModelChoice, ModelRequest } from "./resolve-model.ts";

const MOST_KEPT = 256;

interface Known {
	request: ModelRequest;
	choice: ModelChoice;
}

/** What requested models stand for, so that each is resolved once. Found by the name, then by all that was asked for. */
export class KnownChoices {
	readonly #byName = new Map<string, Known[]>();
	#size = 0;

	find(request: ModelRequest): ModelChoice | undefined {
		const known = this.#byName.get(request.name);
		if (!known) return undefined;
		for (const one of known) if (isSame(one.request, request)) return one.choice;
		return undefined;
	}

	keep(request: ModelRequest, choice: ModelChoice): void {
		if (this.#size >= MOST_KEPT) this.clear();
		const known = this.#byName.get(request.name) ?? [];
		known.push({ request, choice });
		this.#byName.set(request.name, known);
		this.#size++;
	}

	clear(): void {
		this.#byName.clear();
		this.#size = 0;
	}
}

function isSame(one: ModelRequest, other: ModelRequest): boolean {
	return (
		one.effort === other.effort &&
		one.maxMode === other.maxMode &&
		one.window === other.window &&
		one.spelling === other.spelling
	);
}
