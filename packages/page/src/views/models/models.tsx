import type { ModelsAnswer } from "../../../../gateway/src/page/contract.ts";
import { Amount } from "../../parts/amount.tsx";
import { Answer, useAnswer } from "../../parts/load.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, CopyTable, Table } from "../../parts/table.tsx";
import { Name } from "../../parts/texts.tsx";
import { ToolNames as Names } from "../../parts/tool-names.tsx";
import { duration, exact, NOTHING, percent, rate, share, short } from "../../text/numbers.ts";
import { POOLS } from "../../text/words.ts";

type Model = ModelsAnswer["models"][number];
type Unknown = ModelsAnswer["unknown"][number];

/** The models of the account, and how they did. */
export function Models() {
	return (
		<Answer loaded={useAnswer<ModelsAnswer>("models")}>
			{({ models, unknown }) => (
				<>
					<Listed title="Models" rows={models} columns={columnsOf(models)} empty={NO_MODELS} />
					<Listed
						title="Asked for, but not there"
						note="Names that clients asked for and no model has. An alias in the settings gives them to a model."
						rows={unknown}
						columns={UNKNOWN}
						empty="Every name that was asked for is a model."
					/>
				</>
			)}
		</Answer>
	);
}

const NO_MODELS = "The list of models is not known yet. It is read from Cursor when you are signed in.";

interface ListedProps<T> {
	title: string;
	note?: string;
	rows: T[];
	columns: Column<T>[];
	empty: string;
}

function Listed<T extends { name: string }>({ title, note, rows, columns, empty }: ListedProps<T>) {
	const copy = rows.length > 0 && <CopyTable caption={title} columns={columns} rows={rows} />;
	return (
		<Panel title={title} note={note} side={copy}>
			<Table caption={title} columns={columns} rows={rows} keyOf={({ name }) => name} empty={empty} />
		</Panel>
	);
}

function columnsOf(models: Model[]): Column<Model>[] {
	const slowest = Math.max(1, ...models.map(({ firstTokenMsP50 = 0 }) => firstTokenMsP50));
	const fastest = Math.max(1, ...models.map(({ tokensPerSecond = 0 }) => tokensPerSecond));
	return [
		...NAMES,
		{
			title: "First token",
			cell: ({ firstTokenMsP50: ms }) => <Amount part={ms && ms / slowest} text={ms && duration(ms)} />,
			value: ({ firstTokenMsP50 }) => firstTokenMsP50 ?? "",
			isNumber: true,
		},
		{
			title: "Speed",
			cell: ({ tokensPerSecond: speed }) => <Amount part={speed && speed / fastest} text={speed && rate(speed)} />,
			value: ({ tokensPerSecond }) => tokensPerSecond ?? "",
			isNumber: true,
		},
		{ title: "Turns", cell: ({ turns }) => exact(turns), value: ({ turns }) => turns, isNumber: true },
		{
			title: "Errors",
			cell: ({ turns, errors }) => (
				<span class={errors > 0 ? "bad" : undefined}>{turns === 0 ? NOTHING : percent(share(errors, turns))}</span>
			),
			value: ({ errors }) => errors,
			isNumber: true,
		},
	];
}

const NAMES: Column<Model>[] = [
	{ title: "Model", cell: ({ name }) => <Name value={name} class="mono" />, value: ({ name }) => name },
	{
		title: "Pool",
		cell: ({ pool }) => (pool === undefined ? NOTHING : <span class="line">{POOLS[pool]}</span>),
		value: ({ pool }) => pool ?? "",
	},
	{
		title: "Context",
		cell: ({ contextTokens }) => (contextTokens === undefined ? NOTHING : short(contextTokens)),
		value: ({ contextTokens }) => contextTokens ?? "",
		isNumber: true,
	},
	{
		title: "Variants and aliases",
		cell: ({ variants, aliases }) =>
			variants.length + aliases.length === 0 ? NOTHING : <Names tools={[...variants, ...aliases]} />,
		value: ({ variants, aliases }) => [...variants, ...aliases].join(", "),
	},
];

const UNKNOWN: Column<Unknown>[] = [
	{ title: "Name", cell: ({ name }) => <Name value={name} class="mono" />, value: ({ name }) => name },
	{ title: "Turns", cell: ({ turns }) => exact(turns), value: ({ turns }) => turns, isNumber: true },
];
