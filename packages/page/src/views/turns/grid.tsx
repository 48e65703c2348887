// A table of any length: only the rows in view are in the document, and rows are fetched when they come into view.
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { TurnRow } from "../../../../gateway/src/page/contract.ts";
import { Ago, ModelName, Name } from "../../parts/texts.tsx";
import { duration, exact, NOTHING, short } from "../../text/numbers.ts";
import { errorWords, failed } from "../../text/words.ts";
import { count, filter, NO_FILTER, rowAt, total, want } from "./turn-list.ts";
import { type Rows, rowsInView, scrollTo } from "./window.ts";

interface Cell {
	title: string;
	class: string;
	show: (turn: TurnRow) => ComponentChildren;
}

const CELLS: Cell[] = [
	{ title: "Ended", class: "when", show: ({ at }) => <Ago at={at} /> },
	{ title: "Model", class: "what", show: (turn) => <ModelName model={turn.model} answered={turn.answered} /> },
	{ title: "Client", class: "client", show: ({ key }) => <Name value={key} /> },
	{ title: "Rung", class: "path", show: ({ path }) => <Name value={path} /> },
	{ title: "In", class: "number in", show: (turn) => <Tokens value={turn.inputTokens} /> },
	{ title: "Out", class: "number out", show: (turn) => <Tokens value={turn.outputTokens} /> },
	{ title: "First token", class: "number first", show: (turn) => time(turn.firstTokenMs) },
	{ title: "Time", class: "number total", show: (turn) => time(turn.latencyMs) },
	{ title: "Result", class: "result", show: (turn) => <Result turn={turn} /> },
];

const time = (ms: number | undefined): string => (ms === undefined ? NOTHING : duration(ms));

const Tokens = ({ value }: { value: number }) => <span title={exact(value)}>{short(value)}</span>;

const Result = ({ turn }: { turn: TurnRow }) =>
	failed(turn) ? (
		<Name value={turn.errorKind === undefined ? String(turn.status) : errorWords(turn.errorKind)} class="bad" />
	) : (
		<span class="good">ok</span>
	);

const ROW_REM = 2.15;
const rowHeight = (): number =>
	Math.round(ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize));

interface Props {
	selected: Signal<number>;
	/** The turn that is shown in detail. */
	open: number | undefined;
	onOpen: (index: number) => void;
}

export function Grid({ selected, open, onOpen }: Props) {
	const box = useRef<HTMLDivElement>(null);
	const inView = useSignal<Rows>({ first: 0, end: 0 });
	const height = rowHeight();
	const all = total.value ?? 0;
	const look = () => {
		if (box.current === null) return;
		const { scrollTop, clientHeight } = box.current;
		const next = rowsInView(scrollTop, clientHeight - height, height, all);
		if (next.first !== inView.value.first || next.end !== inView.value.end) inView.value = next;
		if (next.end > 0) want(next.end - 1);
	};
	useLayoutEffect(look, [all, open]);
	useEffect(() => {
		const observer = new ResizeObserver(look);
		observer.observe(box.current!);
		return () => observer.disconnect();
	}, [all]);
	useEffect(() => follow(box.current!, selected.value, height), [selected.value]);
	if (total.value === 0) return <NoRows box={box} />;
	// Read so that it is drawn again when rows have come.
	const loaded = count.value;
	const { first, end } = inView.value;
	return (
		<div
			id="turn-grid"
			class="grid"
			role="grid"
			aria-label="Turns"
			aria-rowcount={all + 1}
			aria-activedescendant={selected.value >= first && selected.value < end ? `row-${selected.value}` : undefined}
			tabIndex={0}
			ref={box}
			onScroll={look}
			style={{ "--row": `${height}px` }}
		>
			<div class="row heads" role="row" aria-rowindex={1}>
				{CELLS.map((cell) => (
					<span key={cell.title} role="columnheader" class={cell.class}>
						{cell.title}
					</span>
				))}
			</div>
			<div class="all" role="rowgroup" style={{ height: `${all * height}px` }}>
				{Array.from({ length: Math.max(0, Math.min(end, all) - first) }, (_, index) => first + index).map((index) => (
					<Row
						key={index}
						index={index}
						turn={index < loaded ? rowAt(index) : undefined}
						top={index * height}
						isSelected={index === selected.value}
						isOpen={open !== undefined && rowAt(index)?.id === open}
						onOpen={onOpen}
					/>
				))}
			</div>
		</div>
	);
}

const NoRows = ({ box }: { box: RefObject<HTMLDivElement | null> }) => (
	<div id="turn-grid" class="grid" ref={box} tabIndex={-1}>
		<p class="empty">
			{filter.value === NO_FILTER
				? "No turn has ended yet. Every turn that ends is listed here."
				: "No turn matches these filters."}
		</p>
	</div>
);

function follow(box: HTMLElement | null, index: number, height: number): void {
	if (box === null || index < 0) return;
	// The headings stay at the top and hide what is below them.
	box.scrollTop = scrollTo(index, box.scrollTop, box.clientHeight - height, height);
}

interface RowProps {
	index: number;
	turn: TurnRow | undefined;
	top: number;
	isSelected: boolean;
	isOpen: boolean;
	onOpen: (index: number) => void;
}

const Row = ({ index, turn, top, isSelected, isOpen, onOpen }: RowProps) => (
	// biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
	<div
		id={`row-${index}`}
		class={`row ${turn !== undefined && failed(turn) ? "failed" : ""} ${isOpen ? "open" : ""}`}
		role="row"
		aria-rowindex={index + 2}
		aria-selected={isSelected}
		style={{ transform: `translateY(${top}px)` }}
		onClick={() => onOpen(index)}
	>
		{CELLS.map((cell) => (
			<span key={cell.title} role="gridcell" class={cell.class}>
				{turn === undefined ? "…" : cell.show(turn)}
			</span>
		))}
	</div>
);
