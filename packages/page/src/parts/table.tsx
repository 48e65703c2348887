import type { ComponentChildren } from "preact";
import { toTsv } from "../text/tsv.ts";
import { CopyButton } from "./copy.tsx";

/** A column: its heading, what a row shows, and what it is when copied. */
export interface Column<T> {
	title: string;
	cell: (row: T) => ComponentChildren;
	value: (row: T) => string | number;
	isNumber?: boolean;
}

interface Props<T> {
	caption: string;
	columns: Column<T>[];
	rows: T[];
	keyOf: (row: T) => string | number;
	empty?: string;
}

/** Where it is narrow, a row of a table with more columns becomes several lines. */
const MOST_IN_A_ROW = 5;

export function Table<T>({ caption, columns, rows, keyOf, empty }: Props<T>) {
	if (rows.length === 0) return <p class="empty">{empty ?? "Nothing yet."}</p>;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
		<section class="scroll" tabIndex={0} aria-label={caption}>
			<table class={columns.length > MOST_IN_A_ROW ? "stacks" : undefined}>
				<caption class="unseen">{caption}</caption>
				<thead>
					<tr>
						{columns.map(({ title, isNumber }) => (
							<th key={title} scope="col" class={isNumber ? "number" : undefined}>
								{title}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={keyOf(row)}>
							{columns.map(({ title, cell, isNumber }) => (
								<td key={title} class={isNumber ? "number" : undefined} data-title={title}>
									{cell(row)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

export function CopyTable<T>({ caption, columns, rows }: Pick<Props<T>, "caption" | "columns" | "rows">) {
	const text = () =>
		toTsv(
			columns.map(({ title }) => title),
			rows.map((row) => columns.map(({ value }) => value(row))),
		);
	return <CopyButton text={text} label="Copy" what={`${caption} as a table`} />;
}
