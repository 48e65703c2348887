import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Panel } from "../parts/panel.tsx";
import { type Column, CopyTable, Table } from "../parts/table.tsx";

export interface Key {
	name: string;
	/** Of the colour in the style sheet. */
	colour: string;
}

interface Props<T> {
	title: string;
	note?: ComponentChildren;
	keys?: Key[];
	/** What the pointer is on, or what the plot says as a whole. */
	readout?: ComponentChildren;
	columns: Column<T>[];
	rows: T[];
	keyOf: (row: T) => string | number;
	children: ComponentChildren;
	class?: string;
}

/** A plot and its table: the same figures, one at a time. */
export function Figure<T>({ title, note, keys = [], readout, columns, rows, keyOf, children, class: kind }: Props<T>) {
	const isTable = useSignal(false);
	const toggle = rows.length > 0 && (
		<>
			<CopyTable caption={title} columns={columns} rows={rows} />
			<button
				type="button"
				class="quiet"
				aria-pressed={isTable.value}
				aria-label={`${title} as a table`}
				onClick={() => {
					isTable.value = !isTable.value;
				}}
			>
				Table
			</button>
		</>
	);
	return (
		<Panel title={title} note={note} side={toggle} class={`figure ${kind ?? ""}`}>
			{rows.length === 0 && <p class="empty">Nothing to draw yet.</p>}
			{rows.length > 0 && isTable.value && <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} />}
			{rows.length > 0 && !isTable.value && (
				<>
					{children}
					<div class="below">
						<Keys keys={keys} />
						<span class="readout">{readout}</span>
					</div>
				</>
			)}
		</Panel>
	);
}

const Keys = ({ keys }: { keys: Key[] }) => (
	<span class="keys">
		{keys.map(({ name, colour }) => (
			<span key={name}>
				<i class={`swatch ${colour}`} aria-hidden="true" />
				{name}
			</span>
		))}
	</span>
);
