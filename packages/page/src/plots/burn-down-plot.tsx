import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PoolHistory } from "../../../gateway/src/page/contract.ts";
import type { Column } from "../parts/table.tsx";
import { percent } from "../text/numbers.ts";
import { dateOf, fullTime } from "../text/times.ts";
import { POOLS } from "../text/words.ts";
import { colour } from "../theme.ts";
import { type BurnDown, burnDown, forecastText } from "./burn-down.ts";
import { Figure } from "./figure.tsx";
import { type Drawing, Plot } from "./plot.tsx";

interface Row {
	at: number;
	left: number;
	kind: "read" | "forecast";
}

const COLUMNS: Column<Row>[] = [
	{ title: "Time", cell: ({ at }) => fullTime(at), value: ({ at }) => fullTime(at) },
	{ title: "Left", cell: ({ left }) => percent(left), value: ({ left }) => left, isNumber: true },
	{ title: "Kind", cell: ({ kind }) => kind, value: ({ kind }) => kind },
];

/** How much of a pool is left since the period began, and whether it lasts until the reset. */
export function BurnDownPlot({ pool, now }: { pool: PoolHistory; now: number }) {
	const burn = useMemo(() => burnDown(pool, now), [pool, now]);
	const rows = rowsOf(burn);
	const pointed = useSignal<number | undefined>(undefined);
	const draw = useMemo(() => () => drawingOf(burn, now), [burn, now]);
	const row = rows[pointed.value ?? -1];
	return (
		<Figure
			title={`${POOLS[pool.name]} burn-down`}
			note={<Forecast pool={pool} now={now} />}
			keys={[
				{ name: "left", colour: "accent" },
				{ name: "forecast", colour: "amber" },
				{ name: "even pace", colour: "edge" },
			]}
			readout={row && `${dateOf(row.at)}: ${percent(row.left)} left${row.kind === "read" ? "" : ", by the forecast"}`}
			columns={COLUMNS}
			rows={rows}
			keyOf={({ at, kind }) => `${kind}${at}`}
			class="burndown"
		>
			<Plot
				draw={draw}
				label={forecastText(pool, now)}
				onPoint={(index) => {
					pointed.value = index;
				}}
			/>
		</Figure>
	);
}

const rowsOf = ({ points, forecast }: BurnDown): Row[] => [
	...points.map((point) => ({ ...point, kind: "read" as const })),
	...forecast.slice(1).map((point) => ({ ...point, kind: "forecast" as const })),
];

function drawingOf({ from, to, points, forecast }: BurnDown, now: number): Drawing {
	const end = forecast[1];
	const times = [...points.map(({ at }) => at), ...(end === undefined ? [] : [end.at])].map((at) => at / 1000);
	const left = [...points.map((point) => point.left), ...(end === undefined ? [] : [null])];
	const ahead = points.map((point, index) => (index === points.length - 1 ? point.left : null));
	return {
		data: [times, left, [...ahead, ...(end === undefined ? [] : [end.left])]],
		series: [
			{ stroke: colour("accent"), width: 2, fill: colour("inset"), points: { show: points.length < 3 } },
			{ stroke: colour("amber"), width: 2, dash: [6, 4], spanGaps: true, points: { show: false } },
		],
		x: (seconds) => dateOf(seconds * 1000),
		y: (value) => `${value} %`,
		range: { x: [from / 1000, to / 1000], y: [0, 100] },
		marks: (plot) => {
			const at = (time: number, value: number): [number, number] => [
				plot.valToPos(time / 1000, "x", true),
				plot.valToPos(value, "y", true),
			];
			line(plot.ctx, at(from, 100), at(to, 0), [2, 4]);
			line(plot.ctx, at(now, 100), at(now, 0), []);
		},
	};
}

function line(context: CanvasRenderingContext2D, from: [number, number], to: [number, number], dash: number[]): void {
	context.save();
	context.strokeStyle = colour("edge");
	context.lineWidth = devicePixelRatio;
	context.setLineDash(dash.map((length) => length * devicePixelRatio));
	context.beginPath();
	context.moveTo(...from);
	context.lineTo(...to);
	context.stroke();
	context.restore();
}

const Forecast = ({ pool, now }: { pool: PoolHistory; now: number }) => (
	<strong class={pool.runsOutAt === undefined ? "lasts" : "ends"}>{forecastText(pool, now)}</strong>
);
