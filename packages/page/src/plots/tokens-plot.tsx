import type { PlanAnswer } from "../../../gateway/src/page/contract.ts";
import { exact, short } from "../text/numbers.ts";
import { bars, type DaySeries, DaysPlot } from "./days-plot.tsx";
import { stacked } from "./stack.ts";
import { wholeDays } from "./whole-days.ts";

type Day = PlanAnswer["days"][number];

/** From the bottom up. Cached tokens are part of the input, and reasoning is part of the output. */
const SERIES: DaySeries<Day>[] = [
	{ name: "cached input", colour: "cached", value: (day) => Math.min(day.cachedTokens, day.inputTokens) },
	{ name: "new input", colour: "input", value: (day) => Math.max(0, day.inputTokens - day.cachedTokens) },
	{ name: "reasoning", colour: "reasoning", value: (day) => Math.min(day.reasoningTokens, day.outputTokens) },
	{ name: "output", colour: "output", value: (day) => Math.max(0, day.outputTokens - day.reasoningTokens) },
];

export function TokensPlot({ days }: { days: Day[] }) {
	const total = days.reduce((sum, day) => sum + day.inputTokens + day.outputTokens, 0);
	return (
		<DaysPlot
			title="Tokens a day"
			rows={total === 0 ? [] : days}
			series={SERIES}
			format={exact}
			summary={`${short(total)} tokens in ${days.length} days.`}
			draw={(rows, times) => ({
				data: [times, ...stacked(SERIES.map(({ value }) => rows.map(value))).reverse()],
				series: SERIES.map(({ colour }) => bars(colour)).reverse(),
				y: short,
				range: { x: wholeDays(times) },
			})}
		/>
	);
}
