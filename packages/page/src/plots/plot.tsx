// uPlot in a box that follows the size of its place and the colours of the theme.
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import { colour, colours } from "../theme.ts";

export interface Drawing {
	series: UPlot.Series[];
	data: UPlot.AlignedData;
	bands?: UPlot.Band[];
	/** What the numbers at the left stand for. */
	y: (value: number) => string;
	x: (value: number) => string;
	range?: { x?: [number, number]; y?: [number, number] };
	/** Draws over the plot. */
	marks?: (plot: UPlot) => void;
}

interface Props {
	draw: () => Drawing;
	label: string;
	/** The index under the pointer. */
	onPoint?: (index: number | undefined) => void;
}

/** Behind its size, which follows that of the page. */
const FAMILY = '-apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans Condensed", sans-serif';

export function Plot({ draw, label, onPoint }: Props) {
	const box = useRef<HTMLDivElement>(null);
	const version = colours.value;
	useEffect(() => {
		const place = box.current!;
		const { data, ...drawing } = draw();
		const plot = new UPlot(optionsOf(drawing, sizeOf(place), onPoint), data, place);
		const observer = new ResizeObserver(() => plot.setSize(sizeOf(place)));
		observer.observe(place);
		return () => {
			observer.disconnect();
			plot.destroy();
		};
	}, [draw, version]);
	return <div class="plot" ref={box} role="img" aria-label={label} />;
}

const sizeOf = (place: HTMLElement) => ({ width: place.clientWidth, height: place.clientHeight });

function optionsOf(
	{ series, bands, x, y, range, marks }: Omit<Drawing, "data">,
	size: { width: number; height: number },
	onPoint: Props["onPoint"],
): UPlot.Options {
	return {
		...size,
		series: [{}, ...series],
		bands,
		padding: [8, 22, 0, 0],
		legend: { show: false },
		cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
		scales: {
			x: range?.x === undefined ? {} : { range: range.x },
			y:
				range?.y === undefined ? { range: (_plot, _low, high) => [0, high > 0 ? high * 1.08 : 1] } : { range: range.y },
		},
		axes: [axis({ values: (_plot, values) => values.map(x), space: rem(4.8), size: rem(2.2) }), axis(valueAxis(y))],
		hooks: {
			draw: marks === undefined ? [] : [marks],
			setCursor: [({ cursor }) => onPoint?.(cursor.idx ?? undefined)],
		},
	};
}

/** Lengths follow the size of the page's text, as the style sheet's do. */
const rem = (times: number): number =>
	Math.round(times * Number.parseFloat(getComputedStyle(document.documentElement).fontSize));

const valueAxis = (y: (value: number) => string): UPlot.Axis => ({
	values: (_plot, values) => values.map(y),
	size: widthOf,
	space: rem(2.5),
});

/** As wide as the widest number, and never narrower than most are, so that plots below each other stand in line. */
function widthOf({ axes, ctx }: UPlot, values: string[] | null, index: number): number {
	const { font, gap = 0, ticks } = axes[index]!;
	ctx.font = Array.isArray(font) ? String(font[0]) : String(font);
	const widest = Math.max(0, ...(values ?? []).map((value) => ctx.measureText(value).width));
	return Math.max(rem(3.5), Math.ceil(widest / devicePixelRatio + gap + Number(ticks?.size ?? 0)));
}

const axis = (own: UPlot.Axis): UPlot.Axis => ({
	font: `${rem(0.8)}px ${FAMILY}`,
	stroke: colour("soft"),
	grid: { stroke: colour("grid"), width: 1 },
	ticks: { stroke: colour("grid"), width: 1, size: 4 },
	...own,
});
