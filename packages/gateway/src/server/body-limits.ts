import type { CapacityLimits } from "../access/capacity.ts";

/** How many bytes of bodies may be in memory at once, from before they are read until they are parsed. */
export interface BodyLimits {
	/** Bodies up to this size have their own room, which large ones cannot take. */
	smallBytes: number;
	small: CapacityLimits;
	large: CapacityLimits;
	/** How many requests may wait for room, for small and large bodies each. */
	waiting: CapacityLimits;
	/** How long a request waits while no room becomes free at all. While some does, it keeps waiting. */
	waitMs: number;
}

const MiB = 1 << 20;

export const DEFAULT_BODY_LIMITS = {
	// Enough for the context of most models as text.
	smallBytes: MiB,
	small: { total: 48 * MiB, perCaller: 24 * MiB, guests: 24 * MiB },
	// Per caller: one body of the largest size, or two of 20 MB.
	large: { total: 96 * MiB, perCaller: 40 * MiB, guests: 48 * MiB },
	waiting: { total: 128, perCaller: 32, guests: 64 },
	waitMs: 10_000,
} satisfies BodyLimits;

/** The default limits scaled to another budget, but always large enough for a body of the largest size. */
export function bodyLimits(budgetBytes: number, largestBytes: number): BodyLimits {
	const { small, large } = DEFAULT_BODY_LIMITS;
	const scale = budgetBytes / (small.total + large.total);
	const scaled = ({ total, perCaller, guests }: Required<CapacityLimits>, least: number) => ({
		total: Math.max(least, Math.floor(total * scale)),
		perCaller: Math.max(least, Math.floor(perCaller * scale)),
		guests: Math.max(least, Math.floor(guests * scale)),
	});
	return {
		...DEFAULT_BODY_LIMITS,
		small: scaled(small, DEFAULT_BODY_LIMITS.smallBytes),
		large: scaled(large, largestBytes),
	};
}
