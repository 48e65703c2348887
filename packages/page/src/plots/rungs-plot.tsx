import type { PlanAnswer } from "../../../gateway/src/page/contract.ts";
import { exact } from "../text/numbers.ts";
import { bars, type DaySeries, DaysPlot } from "./days-plot.tsx";
import { shares, stacked } from "./stack.ts";
import { wholeDays } from "./whole-days.ts";

type Day = PlanAnswer["rungs"][number];

/** From the cheapest to the dearest. */
const SERIES: DaySeries<Day>[] = [
	{ name: "parked", colour: "output", value: (day) => day.parked },
	{ name: "checkpoint", colour: "input", value: (day) => day.checkpoint },
	{ name: "new", colour: "cached", value: (day) => day.new },
	{ name: "rebuild", colour: "amber", value: (day) => day.rebuild },
];

export const RungsPlot = ({ days }: { days: Day[] }) => (
	<DaysPlot
		title="Share of rungs"
		note="How turns reached Cursor. A rebuild sends the whole history again, and costs the most."
		rows={days.some((day) => SERIES.some(({ value }) => value(day) > 0)) ? days : []}
		series={SERIES}
		format={exact}
		summary="Turns per day by rung, as parts of all turns of the day."
		draw={(rows, times) => ({
			data: [times, ...stacked(shares(SERIES.map(({ value }) => rows.map(value)))).reverse()],
			series: SERIES.map(({ colour }) => bars(colour)).reverse(),
			y: (value) => `${value} %`,
			range: { x: wholeDays(times), y: [0, 100] },
		})}
	/>
);
