/** What a caller's use of limited capacity is counted by. */
export interface CapacityUser {
	id: string;
	/** Guests are the callers of kind `credential`: they bring a Cursor credential instead of a gateway key. */
	kind?: "key" | "credential" | "anonymous" | "page";
}

export interface CapacityLimits {
	/** For all callers together. */
	total: number;
	perCaller: number;
	/** For all guests together; the rest is reserved for the owner's keys. Default: `total`. */
	guests?: number;
}

/** Which limit is used up: the caller's own, that of all guests, or the total. */
export type Shortage = "caller" | "guests" | "all";

/** Counts how much of a limited resource (turns, bytes, places in a queue) each caller has taken. */
export class Capacity {
	readonly #limits: CapacityLimits;
	readonly #byCaller = new Map<string, number>();
	#total = 0;
	#guests = 0;

	constructor(limits: CapacityLimits) {
		this.#limits = limits;
	}

	/** Which limit keeps the caller from taking this amount; undefined if none does. */
	shortage(caller: CapacityUser, amount: number, perCaller = this.#limits.perCaller): Shortage | undefined {
		const { total, guests = total } = this.#limits;
		if (this.usedBy(caller) + amount > perCaller) return "caller";
		if (this.#total + amount > total) return "all";
		return isGuest(caller) && this.#guests + amount > guests ? "guests" : undefined;
	}

	/** Takes the amount and returns a function that gives it back. Calling that again does nothing. */
	take(caller: CapacityUser, amount: number): () => void {
		this.#add(caller, amount);
		let isBack = false;
		return () => {
			if (!isBack) this.#add(caller, -amount);
			isBack = true;
		};
	}

	/** How much a caller has taken. */
	usedBy({ id }: CapacityUser): number {
		return this.#byCaller.get(id) ?? 0;
	}

	get used(): { total: number; callers: number } {
		return { total: this.#total, callers: this.#byCaller.size };
	}

	#add(caller: CapacityUser, amount: number): void {
		this.#total += amount;
		if (isGuest(caller)) this.#guests += amount;
		const own = this.usedBy(caller) + amount;
		if (own === 0) this.#byCaller.delete(caller.id);
		else this.#byCaller.set(caller.id, own);
	}
}

function isGuest({ kind }: CapacityUser): boolean {
	return kind === "credential";
}
