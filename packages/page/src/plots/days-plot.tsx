import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import UPlot from "uplot";
import type { Column } from "../parts/table.tsx";
import { dayTime, shortDay } from "../text/times.ts";
import { colour } from "../theme.ts";
import { Figure, type Key } from "./figure.tsx";
import { type Drawing, Plot } from "./plot.tsx";

/** One kind of figure per day. */
export interface DaySeries<T> extends Key {
	value: (row: T) => number;
}

interface Props<T extends { day: string }> {
	title: string;
	note?: string;
	rows: T[];
	series: DaySeries<T>[];
	format: (value: number) => string;
	/** The drawing of these days; the times are given. */
	draw: (rows: T[], times: number[]) => Omit<Drawing, "x">;
	summary: string;
}

/** A plot whose table has a row for each day. */
export function DaysPlot<T extends { day: string }>({ title, note, rows, series, format, draw, summary }: Props<T>) {
	const pointed = useSignal<number | undefined>(undefined);
	const drawing = useMemo(
		() => () => ({
			...draw(
				rows,
				rows.map(({ day }) => dayTime(day) / 1000),
			),
			x: dayLabel,
		}),
		[rows],
	);
	const row = rows[pointed.value ?? -1];
	return (
		<Figure
			title={title}
			note={note}
			keys={series}
			columns={columnsOf(series, format)}
			rows={rows}
			keyOf={({ day }) => day}
			readout={row && <Readout row={row} series={series} format={format} />}
		>
			<Plot
				draw={drawing}
				label={summary}
				onPoint={(index) => {
					pointed.value = index;
				}}
			/>
		</Figure>
	);
}

const dayLabel = (seconds: number): string => shortDay(new Date(seconds * 1000).toLocaleDateString("sv"));

const columnsOf = <T extends { day: string }>(
	series: DaySeries<T>[],
	format: (value: number) => string,
): Column<T>[] => [
	{ title: "Day", cell: ({ day }) => shortDay(day), value: ({ day }) => day },
	...series.map(({ name, value }) => ({
		title: name,
		cell: (row: T) => format(value(row)),
		value,
		isNumber: true,
	})),
];

function Readout<T extends { day: string }>({ row, series, format }: { row: T } & Pick<Props<T>, "series" | "format">) {
	return (
		<>
			<b>{shortDay(row.day)}</b>
			{series.map(({ name, colour: of, value }) => (
				<span key={name}>
					<i class={`swatch ${of}`} aria-hidden="true" />
					{format(value(row))}
				</span>
			))}
		</>
	);
}

/** Bars for stacked sums: the highest sum first, so that the others cover its lower part. */
export const bars = (name: string): UPlot.Series => ({
	fill: colour(name),
	stroke: colour(name),
	width: 0,
	paths: UPlot.paths.bars?.({ size: [0.72, 40], align: 0 }),
	points: { show: false },
});
