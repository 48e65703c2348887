import type { TurnAnswer } from "../../../../gateway/src/page/contract.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Column, CopyTable, Table } from "../../parts/table.tsx";
import { exact, percent, share } from "../../text/numbers.ts";

type Part = NonNullable<TurnAnswer["anatomy"]>[number];

const NAMES: Record<Part["part"], string> = {
	system: "system prompt",
	tools: "tool definitions",
	history: "history",
	results: "tool results",
	images: "images",
	message: "new message",
};

/** Why the prompt was as large as it was: its tokens by part. */
export function Anatomy({ parts, cached }: { parts: Part[] | undefined; cached: number }) {
	const shown = (parts ?? []).filter(({ tokens }) => tokens > 0);
	const all = shown.reduce((sum, { tokens }) => sum + tokens, 0);
	const columns = columnsOf(all);
	let left = 0;
	const placed = shown.map(({ part, tokens }) => {
		const from = left;
		left += share(tokens, all);
		return { part, from, width: left - from };
	});
	return (
		<Panel
			title="Anatomy of the prompt"
			note={cached > 0 ? `${exact(cached)} of these tokens came from Cursor's cache.` : undefined}
			side={shown.length > 0 && <CopyTable caption="Anatomy of the prompt" columns={columns} rows={shown} />}
		>
			{shown.length === 0 ? (
				<p class="empty">What the prompt consists of is not known for this turn.</p>
			) : (
				<>
					<svg class="track anatomy" role="img" aria-label={`${exact(all)} tokens by part`}>
						{placed.map(({ part, from, width }) => (
							<rect key={part} class={`part-${part}`} x={`${from}%`} width={`${width}%`} height="100%">
								<title>{`${NAMES[part]}: ${percent(width)}`}</title>
							</rect>
						))}
					</svg>
					<Table caption="Anatomy of the prompt" columns={columns} rows={shown} keyOf={({ part }) => part} />
				</>
			)}
		</Panel>
	);
}

const columnsOf = (all: number): Column<Part>[] => [
	{
		title: "Part",
		cell: ({ part }) => (
			<>
				<i class={`swatch part-${part}`} aria-hidden="true" />
				{NAMES[part]}
			</>
		),
		value: ({ part }) => NAMES[part],
	},
	{ title: "Tokens", cell: ({ tokens }) => exact(tokens), value: ({ tokens }) => tokens, isNumber: true },
	{
		title: "Share",
		cell: ({ tokens }) => percent(share(tokens, all)),
		value: ({ tokens }) => share(tokens, all),
		isNumber: true,
	},
];
