import type { CapacityLimits } from "../access/capacity.ts";

/** How many bytes of bodies may be on their way into memory at once. */
export interface BodyLimits {
	/** Bodies up to this size have room of their own, which large ones cannot take. */
	smallBytes: number;
	small: CapacityLimits;
	large: CapacityLimits;
	/** Requests that wait for room, for each of the two. */
	waiting: CapacityLimits;
	/** So long they wait while no room comes back at all. Where some does, their turn will come. */
	waitMs: number;
}

const MiB = 1 << 20;

export const DEFAULT_BODY_LIMITS = {
	// The context of most models as text.
	smallBytes: MiB,
	small: { total: 48 * MiB, perCaller: 24 * MiB, guests: 24 * MiB },
	// For one caller a body of the largest size, or two of 20 MB.
	large: { total: 96 * MiB, perCaller: 40 * MiB, guests: 48 * MiB },
	waiting: { total: 128, perCaller: 32, guests: 64 },
	waitMs: 10_000,
} satisfies BodyLimits;

/** The same for another budget: everybody's share of it, but so much that a body of the largest size fits. */
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
