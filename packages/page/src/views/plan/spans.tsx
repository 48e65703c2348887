import { useSignal } from "@preact/signals";
import type { NamedSums, PlanAnswer, Sums } from "../../../../gateway/src/page/contract.ts";
import { Amount } from "../../parts/amount.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, CopyTable, Table } from "../../parts/table.tsx";
import { Name } from "../../parts/texts.tsx";
import { exact, percent, share, short } from "../../text/numbers.ts";
import { listOf } from "../turns/turn-list.ts";

type Span = PlanAnswer["spans"][number];

const TITLES: Record<Span["span"], string> = { today: "Today", week: "7 days", period: "This period" };

/** What was used in a span of time, by whom and for what. */
export function Spans({ spans }: { spans: Span[] }) {
	const chosen = useSignal<Span["span"]>("today");
	const span = spans.find((candidate) => candidate.span === chosen.value) ?? spans[0];
	if (span === undefined) return null;
	const choice = (
		<fieldset class="choice" aria-label="Span of time">
			{spans.map(({ span: name }) => (
				<button
					key={name}
					type="button"
					aria-pressed={name === span.span}
					onClick={() => {
						chosen.value = name;
					}}
				>
					{TITLES[name]}
				</button>
			))}
		</fieldset>
	);
	return (
		<Panel title="Used" side={choice}>
			<Totals sums={span.all} />
			<div class="triple">
				<By title="By client" what="client" rows={span.byClient} />
				<By title="By model" what="model" rows={span.byModel} />
				<By title="By conversation" what="conversation" rows={span.byConversation} />
			</div>
		</Panel>
	);
}

export const Totals = ({ sums }: { sums: Sums }) => (
	<dl class="totals">
		<Total term="turns" value={sums.turns} />
		<Total term="errors" value={sums.errors} />
		<Total
			term="tokens in"
			value={sums.inputTokens}
			detail={`${percent(share(sums.cachedTokens, sums.inputTokens))} cached`}
		/>
		<Total
			term="tokens out"
			value={sums.outputTokens}
			detail={`${percent(share(sums.reasoningTokens, sums.outputTokens))} reasoning`}
		/>
	</dl>
);

const Total = ({ term, value, detail }: { term: string; value: number; detail?: string }) => (
	<div>
		<dt>{term}</dt>
		<dd title={exact(value)}>{short(value)}</dd>
		{detail !== undefined && <dd class="detail">{detail}</dd>}
	</div>
);

const tokensOf = (sums: Sums): number => sums.inputTokens + sums.outputTokens;

type What = "client" | "model" | "conversation";

function By({ title, what, rows }: { title: string; what: What; rows: NamedSums[] }) {
	const most = Math.max(1, ...rows.map(tokensOf));
	const columns = columnsOf(what, most);
	return (
		<section aria-label={title} class={`by-${what}`}>
			<div class="head">
				<h3>{title}</h3>
				{rows.length > 0 && <CopyTable caption={title} columns={columns} rows={rows} />}
			</div>
			<Table caption={title} columns={columns} rows={rows} keyOf={({ name }) => name} empty="Nothing was used." />
		</section>
	);
}

const columnsOf = (what: What, most: number): Column<NamedSums>[] => [
	{
		title: "Name",
		cell: ({ name }) => (
			<a href={listOf({ [what]: name })}>
				<Name value={name} class="mono" />
			</a>
		),
		value: ({ name }) => name,
	},
	{
		title: "Tokens",
		cell: (sums) => <Amount part={tokensOf(sums) / most} text={short(tokensOf(sums))} title={exact(tokensOf(sums))} />,
		value: tokensOf,
		isNumber: true,
	},
	{ title: "Turns", cell: ({ turns }) => exact(turns), value: ({ turns }) => turns, isNumber: true },
	{ title: "Errors", cell: ({ errors }) => exact(errors), value: ({ errors }) => errors, isNumber: true },
];
