import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { live } from "../../gateway/live.ts";
import { Failure } from "../../parts/load.tsx";
import { openTurn, route } from "../../route.ts";
import { Filters, focusFilters } from "./filters.tsx";
import { Grid } from "./grid.tsx";
import { type Move, moved, moveOf } from "./keys.ts";
import { TurnDetail } from "./turn-detail.tsx";
import { failure, filterIn, indexOf, reload, rowAt, total } from "./turn-list.ts";

/** The row that the keyboard is on. */
const selected = signal(-1);

export function Turns() {
	const { turn, query } = route.value;
	useEffect(() => {
		if (query !== undefined) reload(filterIn(query));
	}, [query]);
	useEffect(() => {
		if (query === undefined) reload();
		selected.value = -1;
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, []);
	return (
		<div class={`ledger ${turn === undefined ? "" : "with-detail"}`}>
			<section class="panel list" aria-label="List of turns">
				<Filters news={<News />} />
				{failure.value !== undefined && <Failure error={failure.value} retry={() => reload()} />}
				<Grid selected={selected} open={turn} onOpen={openRow} />
			</section>
			{turn !== undefined && <TurnDetail id={turn} close={close} />}
		</div>
	);
}

/** Turns that ended since the list was read. */
function News() {
	const newest = rowAt(0)?.id ?? 0;
	const isFull = total.value !== undefined;
	const fresh = isFull ? (live.value?.finished.filter(({ id }) => id > newest).length ?? 0) : 0;
	if (fresh === 0) return null;
	return (
		<button type="button" class="primary" onClick={() => reload()}>
			{fresh >= 10 ? "10 or more" : fresh} new
		</button>
	);
}

function openRow(index: number): void {
	const row = rowAt(index);
	selected.value = index;
	if (row !== undefined) openTurn(row.id);
}

function close(): void {
	location.hash = "#/turns";
	document.getElementById("turn-grid")?.focus();
}

function onKey(event: KeyboardEvent): void {
	const move = moveOf(event);
	if (move === undefined) return;
	event.preventDefault();
	act(move);
}

function act(move: Move): void {
	const { turn } = route.peek();
	if (move === "filter") return focusFilters();
	if (move === "close") return turn === undefined ? undefined : close();
	const from = selected.peek() === -1 && turn !== undefined ? indexOf(turn) : selected.peek();
	if (move === "open") return openRow(Math.max(0, from));
	selected.value = moved(from, move, total.peek() ?? 0);
	const row = rowAt(selected.value);
	// The detail follows, without an entry in the history for each row.
	if (turn !== undefined && row !== undefined) location.replace(`#/turns/${row.id}`);
}
