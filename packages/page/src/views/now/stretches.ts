import type { LaneState } from "../../../../gateway/src/page/contract.ts";
import type { TrackedLane } from "../../gateway/merge.ts";

/** A part of a lane's track: `before` is what this page has not seen. Percent of the scale. */
export interface ShownStretch {
	state: LaneState | "before";
	from: number;
	to: number;
	ms: number;
}

/** The scale of the lanes, in milliseconds: a round length that the oldest one fits into. */
const SCALES = [15, 30, 60, 120, 300, 600, 1800, 3600, 4 * 3600, 24 * 3600].map((seconds) => seconds * 1000);

export function trackSpan(lanes: { startedAt: number }[], now: number): number {
	const oldest = Math.max(0, ...lanes.map(({ startedAt }) => now - startedAt));
	return SCALES.find((scale) => oldest <= scale) ?? oldest;
}

export function stretchesOf(lane: TrackedLane, now: number, span: number): ShownStretch[] {
	const at = (time: number) => Math.min(100, Math.max(0, ((time - lane.startedAt) / span) * 100));
	const first = lane.track[0]!.from;
	const seen = lane.track.map(({ state, from }, index) => {
		const end = lane.track[index + 1]?.from ?? Math.max(now, from);
		return { state, from: at(from), to: at(end), ms: end - from };
	});
	if (first <= lane.startedAt) return seen;
	return [{ state: "before", from: 0, to: at(first), ms: first - lane.startedAt }, ...seen];
}
