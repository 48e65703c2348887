import { computed } from "@preact/signals";
import { live } from "../../gateway/live.ts";
import type { TrackedLane } from "../../gateway/merge.ts";
import { now } from "../../now.ts";
import { clock } from "../../text/numbers.ts";
import { STATES } from "../../text/words.ts";
import { stretchesOf, trackSpan } from "./stretches.ts";

/** All lanes have the same scale, so that their lengths can be compared. */
export const span = computed(() => trackSpan(live.value?.lanes ?? [], now.value));

const QUARTERS = ["25%", "50%", "75%"];

/** What the turn did since it began, to scale. */
export function Track({ lane }: { lane: TrackedLane }) {
	const stretches = stretchesOf(lane, now.value, span.value);
	return (
		<svg class="track" role="img" aria-label={`${STATES[lane.state]} now`} preserveAspectRatio="none">
			<rect class="ground" width="100%" height="100%" />
			{stretches.map(({ state, from, to, ms }) => (
				<rect key={`${from}`} class={state} x={`${from}%`} width={`${Math.max(0.2, to - from)}%`} height="100%">
					<title>{`${state === "before" ? "before this page was open" : STATES[state]}: ${clock(ms)}`}</title>
				</rect>
			))}
			{QUARTERS.map((at) => (
				<line key={at} x1={at} x2={at} y1="0" y2="100%" />
			))}
		</svg>
	);
}
