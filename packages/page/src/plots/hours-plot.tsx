import type { PlanAnswer } from "../../../gateway/src/page/contract.ts";
import type { Column } from "../parts/table.tsx";
import { exact } from "../text/numbers.ts";
import { WEEKDAYS } from "../text/times.ts";
import { turnsText } from "../text/words.ts";
import { Figure } from "./figure.tsx";

type Hour = PlanAnswer["hours"][number];

const COLUMNS: Column<Hour>[] = [
	{ title: "Weekday", cell: ({ weekday }) => WEEKDAYS[weekday], value: ({ weekday }) => WEEKDAYS[weekday]! },
	{ title: "Hour", cell: ({ hour }) => `${hour}:00`, value: ({ hour }) => `${hour}:00` },
	{ title: "Turns", cell: ({ turns }) => exact(turns), value: ({ turns }) => turns, isNumber: true },
];

const LEFT = 34;
const CELL = 18;
const GAP = 2;
const TOP = 16;

/** Hours × weekdays: the more turns, the stronger the colour. */
export function HoursPlot({ hours }: { hours: Hour[] }) {
	const busy = hours.filter(({ turns }) => turns > 0);
	const most = Math.max(1, ...busy.map(({ turns }) => turns));
	const busiest = busy.find(({ turns }) => turns === most);
	return (
		<Figure
			title="Hours and weekdays"
			columns={COLUMNS}
			rows={busy}
			keyOf={({ weekday, hour }) => `${weekday}-${hour}`}
			readout={busiest && `Most turns: ${exact(most)}, ${WEEKDAYS[busiest.weekday]} at ${busiest.hour}:00`}
		>
			<div class="sized">
				<svg
					class="hours"
					viewBox={`0 0 ${LEFT + 24 * CELL} ${TOP + 7 * CELL}`}
					role="img"
					aria-label="Turns by weekday and hour"
				>
					<Labels />
					{WEEKDAYS.flatMap((_, weekday) => Array.from({ length: 24 }, (__, hour) => cellAt(weekday, hour, "ground")))}
					{busy.map(({ weekday, hour, turns }) => cellAt(weekday, hour, "filled", turns, most))}
				</svg>
			</div>
		</Figure>
	);
}

const Labels = () => (
	<g class="labels">
		{[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => (
			<text key={hour} x={LEFT + hour * CELL} y={TOP - 5}>
				{hour}
			</text>
		))}
		{WEEKDAYS.map((name, weekday) => (
			<text key={name} x="0" y={TOP + weekday * CELL + 12}>
				{name}
			</text>
		))}
	</g>
);

const cellAt = (weekday: number, hour: number, kind: string, turns = 0, most = 1) => (
	<rect
		key={`${kind}${weekday}-${hour}`}
		class={kind}
		x={LEFT + hour * CELL}
		y={TOP + weekday * CELL}
		width={CELL - GAP}
		height={CELL - GAP}
		rx="2"
		opacity={kind === "filled" ? 0.15 + 0.85 * (turns / most) : undefined}
	>
		<title>{`${WEEKDAYS[weekday]} ${hour}:00, ${turnsText(turns)}`}</title>
	</rect>
);
