/** What a limit counts. `percent` and `cents` are of a pool of included usage, as Cursor tells it. */
export const LIMIT_UNITS = ["turns", "tokens", "percent", "cents"] as const;
type LimitUnit = (typeof LIMIT_UNITS)[number];

/** After what time a limit begins anew. `period`: Cursor's billing period; `ever`: never. */
export const LIMIT_WINDOWS = ["minute", "hour", "day", "week", "period", "ever"] as const;
export type LimitWindow = (typeof LIMIT_WINDOWS)[number];

/** `stop` refuses. `finish` lets a turn end that is under way, tool calls included. `watch` only counts and warns. */
export const LIMIT_MODES = ["stop", "finish", "watch"] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** What a limit is about. Undefined fields are no condition, so that an empty scope is everything. */
interface LimitScope {
	/** The id of a gateway key. */
	key?: string;
	/** A pattern of models as clients ask for them; a star matches anything. */
	model?: string;
	/** Each conversation is counted by itself. */
	perConversation?: true;
}

/** A limit that the owner has set on what may be spent. */
export interface SpendLimit {
	id: string;
	amount: number;
	unit: LimitUnit;
	/** For `percent` and `cents`. */
	pool?: "auto" | "api";
	window: LimitWindow;
	scope: LimitScope;
	mode: LimitMode;
	isPaused?: true;
	createdAt: number;
	/** The newest of several copies counts. */
	changedAt: number;
	/** It is kept, so that an older copy does not bring the limit back. */
	removedAt?: number;
}

/** The copies of all limits as one list, oldest first: of each limit the newest one. Removed ones are still in it. */
export function mergeLimits(...copies: (readonly SpendLimit[])[]): SpendLimit[] {
	const merged = new Map<string, SpendLimit>();
	for (const limit of copies.flat()) {
		const known = merged.get(limit.id);
		if (!known || known.changedAt < limit.changedAt) merged.set(limit.id, limit);
	}
	return [...merged.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Limits of `wanted` that are not in `present`, or only in an older form. */
export function missingLimits(present: readonly SpendLimit[], wanted: readonly SpendLimit[]): SpendLimit[] {
	const known = new Map(present.map(({ id, changedAt }) => [id, changedAt]));
	return wanted.filter(({ id, changedAt }) => (known.get(id) ?? -1) < changedAt);
}

export const limitsInForce = (limits: readonly SpendLimit[]): SpendLimit[] =>
	limits.filter(({ removedAt }) => removedAt === undefined);
