// What is left of the account's included usage, as far as a person has to know of it.

/** The fields used here of `GET /v1/usage`. */
export interface GatewayUsage {
	pools?: { name: string; used_percent: number | null; resets_at: string | null }[];
}

/** Where a pool is mentioned, in percent. */
const STEPS = [50, 80, 95, 100];
const POOLS: Readonly<Record<string, string>> = { auto: "Auto and Composer", api: "other models" };

/** Tells of each pool once when it has reached another step. What it has reached at the start counts as well. */
export class UsageNotices {
	readonly #told = new Map<string, number>();

	/** What is to be said now; undefined if nothing is. */
	next({ pools = [] }: GatewayUsage): { text: string; isUrgent: boolean } | undefined {
		const news = pools.filter(({ name, used_percent }) => {
			const step = STEPS.findLast((each) => (used_percent ?? 0) >= each) ?? 0;
			const former = this.#told.get(name) ?? 0;
			// A new period begins below; then the steps count anew.
			this.#told.set(name, step);
			return step > former;
		});
		if (news.length === 0) return undefined;
		const text = news.map(poolText).join(" ");
		return { text, isUrgent: news.some(({ used_percent }) => (used_percent ?? 0) >= 95) };
	}
}

function poolText({ name, used_percent, resets_at }: NonNullable<GatewayUsage["pools"]>[number]): string {
	const reset = resets_at === null ? "" : `, until ${resets_at.slice(0, 10)}`;
	return `${Math.floor(used_percent ?? 0)}% of the included usage for ${POOLS[name] ?? name} is used${reset}.`;
}
