import type { TurnAnswer, TurnRow } from "../../../../gateway/src/page/contract.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Column, CopyTable, Table } from "../../parts/table.tsx";
import { Name } from "../../parts/texts.tsx";
import { duration, NOTHING } from "../../text/numbers.ts";
import { type Phase, phasesOf } from "./phases.ts";

const COLUMNS: Column<Phase>[] = [
	{
		title: "Step",
		cell: ({ step, kind }) => (
			<span class={`state ${kind}`}>
				<i aria-hidden="true" />
				<Name value={step} class="ink" />
			</span>
		),
		value: ({ step }) => step,
	},
	{ title: "At", cell: ({ fromMs }) => duration(fromMs), value: ({ fromMs }) => fromMs, isNumber: true },
	{
		title: "Until the next",
		cell: ({ fromMs, toMs }) => (toMs === undefined ? NOTHING : duration(toMs - fromMs)),
		value: ({ fromMs, toMs }) => (toMs === undefined ? "" : toMs - fromMs),
		isNumber: true,
	},
];

/** The turn from the request to its end, to scale. */
export function Timeline({ steps, turn }: { steps: TurnAnswer["timeline"]; turn: TurnRow }) {
	const phases = phasesOf(steps);
	// A run that waited for results began to do so before the request that brought them.
	const begun = Math.min(0, phases[0]?.fromMs ?? 0);
	const whole = Math.max(1, turn.latencyMs - begun);
	const part = (ms: number) => `${Math.min(100, (ms / whole) * 100)}%`;
	return (
		<Panel title="Timeline" side={<CopyTable caption="Timeline" columns={COLUMNS} rows={phases} />}>
			<svg class="track timeline" role="img" aria-label={`Timeline of ${duration(turn.latencyMs)}`}>
				<rect class="ground" width="100%" height="100%" />
				{phases.map(({ step, kind, fromMs, toMs = fromMs }) => (
					<rect key={step + fromMs} class={kind} x={part(fromMs - begun)} width={part(toMs - fromMs)} height="100%">
						<title>{`${step}: ${duration(toMs - fromMs)}`}</title>
					</rect>
				))}
			</svg>
			<Table caption="Timeline" columns={COLUMNS} rows={phases} keyOf={({ step, fromMs }) => step + fromMs} />
		</Panel>
	);
}
