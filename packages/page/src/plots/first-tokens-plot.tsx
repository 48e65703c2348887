import type { PlanAnswer } from "../../../gateway/src/page/contract.ts";
import { duration } from "../text/numbers.ts";
import { colour } from "../theme.ts";
import { type DaySeries, DaysPlot } from "./days-plot.tsx";
import { wholeDays } from "./whole-days.ts";

type Day = PlanAnswer["firstTokens"][number];

const SERIES: DaySeries<Day>[] = [
	{ name: "slow end (p95)", colour: "band", value: ({ p95 }) => p95 },
	{ name: "middle (p50)", colour: "input", value: ({ p50 }) => p50 },
	{ name: "the gateway's part", colour: "accent", value: ({ gatewayMs }) => gatewayMs },
];

/** The band lies between the middle and the slow end; the gateway's own part is the line at the bottom. */
export const FirstTokensPlot = ({ days }: { days: Day[] }) => (
	<DaysPlot
		title="Time to the first token"
		rows={days}
		series={SERIES}
		format={duration}
		summary="The middle and the slow end of the time to the first token per day, with the gateway's own part."
		draw={(rows, times) => ({
			data: [times, ...SERIES.map(({ value }) => rows.map(value))],
			series: [
				{ stroke: colour("cached"), width: 1, points: { show: rows.length === 1 } },
				{ stroke: colour("input"), width: 2, points: { show: rows.length === 1 } },
				{ stroke: colour("accent"), width: 2, fill: colour("accent"), points: { show: rows.length === 1 } },
			],
			bands: [{ series: [1, 2], fill: colour("band") }],
			y: duration,
			range: { x: wholeDays(times) },
		})}
	/>
);
