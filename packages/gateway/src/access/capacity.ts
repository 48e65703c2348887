/** Whoever takes a part of something there is little of. */
export interface CapacityUser {
	id: string;
	/** Guests are callers without a key of the gateway: they bring a credential of Cursor. */
	kind?: "key" | "credential" | "anonymous";
}

export interface CapacityLimits {
	/** For all callers together. */
	total: number;
	perCaller: number;
	/** For all guests together. What is left belongs to the owner's keys. Default: as much as there is. */
	guests?: number;
}

/** Whose part is used up. */
export type Shortage = "caller" | "guests" | "all";

/** Counts how much of something is taken, by whom, and says where there is no more. */
export class Capacity {
	readonly #limits: CapacityLimits;
	readonly #byCaller = new Map<string, number>();
	#total = 0;
	#guests = 0;

	constructor(limits: CapacityLimits) {
		this.#limits = limits;
	}

	/** Why the caller cannot have so much more; undefined says it can. */
	shortage(caller: CapacityUser, amount: number, perCaller = this.#limits.perCaller): Shortage | undefined {
		const { total, guests = total } = this.#limits;
		if ((this.#byCaller.get(caller.id) ?? 0) + amount > perCaller) return "caller";
		if (this.#total + amount > total) return "all";
		return isGuest(caller) && this.#guests + amount > guests ? "guests" : undefined;
	}

	/** Takes it, and returns what gives it back; a second call of that does nothing. */
	take(caller: CapacityUser, amount: number): () => void {
		this.#add(caller, amount);
		let isBack = false;
		return () => {
			if (!isBack) this.#add(caller, -amount);
			isBack = true;
		};
	}

	get used(): { total: number; callers: number } {
		return { total: this.#total, callers: this.#byCaller.size };
	}

	#add(caller: CapacityUser, amount: number): void {
		this.#total += amount;
		if (isGuest(caller)) this.#guests += amount;
		const own = (this.#byCaller.get(caller.id) ?? 0) + amount;
		if (own === 0) this.#byCaller.delete(caller.id);
		else this.#byCaller.set(caller.id, own);
	}
}

function isGuest({ kind }: CapacityUser): boolean {
	return kind === "credential";
}
