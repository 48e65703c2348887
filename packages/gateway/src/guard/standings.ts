import type { SpendLimit } from "../store/spend/spend-limit.ts";
import type { SpendStore } from "../store/spend/spend-store.ts";
import { limitText } from "./limit-text.ts";
import type { PlanShare } from "./plan-share.ts";
import { counterName, spanAt } from "./windows.ts";

/** A limit, and how much of it is used. */
export interface Standing {
	limit: SpendLimit;
	/** As it can be typed. */
	text: string;
	/** Undefined: it counts each conversation by itself, or Cursor has not said. */
	used?: number;
	/** When it begins anew, in milliseconds since 1970. */
	resetsAt?: number;
}

/** How much is used of each limit. */
export async function standingsOf(
	limits: readonly SpendLimit[],
	{ store, share, now }: { store: Pick<SpendStore, "readSpend">; share: PlanShare; now: number },
): Promise<Standing[]> {
	const spans = limits.map(({ window }) => spanAt(window, now, share.period));
	const used = await store.readSpend(limits.map((limit, index) => counterName(limit, spans[index]!)));
	return limits.map((limit, index) => {
		const { unit, scope } = limit;
		const isShare = unit === "percent" || unit === "cents";
		const own = isShare ? share.usedOf(limit) : scope.perConversation ? undefined : used[index]!;
		const { end } = spans[index]!;
		return {
			limit,
			text: limitText(limit),
			...(own !== undefined && { used: own }),
			...(end !== undefined && { resetsAt: end }),
		};
	});
}
