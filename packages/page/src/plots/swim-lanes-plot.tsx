import type { TurnRow } from "../../../gateway/src/page/contract.ts";
import type { Column } from "../parts/table.tsx";
import { duration, exact, NOTHING } from "../text/numbers.ts";
import { fullTime, timeOfDay } from "../text/times.ts";
import { visible } from "../text/visible.ts";
import { failed, turnsText } from "../text/words.ts";
import { Figure } from "./figure.tsx";
import { type LaneName, swimLanes } from "./swim-lanes.ts";

const LANES: { name: LaneName; title: string; colour: string }[] = [
	{ name: "run", title: "Run", colour: "streaming" },
	{ name: "tools", title: "Tools", colour: "tool" },
	{ name: "waits", title: "Waits", colour: "waiting" },
];

const COLUMNS: Column<TurnRow>[] = [
	{
		title: "Turn",
		cell: ({ id }) => <a href={`#/turns/${id}`}>{exact(id)}</a>,
		value: ({ id }) => id,
	},
	{ title: "Ended", cell: ({ at }) => fullTime(at), value: ({ at }) => fullTime(at) },
	{ title: "Ran", cell: ({ latencyMs }) => duration(latencyMs), value: ({ latencyMs }) => latencyMs, isNumber: true },
	{
		title: "Waited",
		cell: ({ waitedMs }) => (waitedMs === undefined ? NOTHING : duration(waitedMs)),
		value: ({ waitedMs }) => waitedMs ?? 0,
		isNumber: true,
	},
	{
		title: "Tools",
		cell: ({ tools }) => visible(tools?.join(", ") ?? NOTHING),
		value: ({ tools }) => tools?.join(", ") ?? "",
	},
];

/** The conversation of a turn, with the turn itself marked. */
export const SwimLanesPlot = ({ turns, current }: { turns: TurnRow[]; current: number }) => (
	<Figure title="Conversation" note={noteOn(turns)} columns={COLUMNS} rows={turns} keyOf={({ id }) => id}>
		<div class="swim">
			{LANES.map((lane) => (
				<Lane key={lane.name} {...lane} turns={turns} current={current} />
			))}
		</div>
	</Figure>
);

function noteOn(turns: TurnRow[]): string {
	const count = turnsText(turns.length);
	if (turns.length < 2) return `${count}.`;
	return `${count}, ${timeOfDay(turns[0]!.at)} to ${timeOfDay(turns.at(-1)!.at)}. Long pauses are drawn short.`;
}

interface LaneProps {
	name: LaneName;
	title: string;
	colour: string;
	turns: TurnRow[];
	current: number;
}

const Lane = ({ name, title, colour, turns, current }: LaneProps) => (
	<>
		<span class="label">{title}</span>
		<svg class="track" role="img" aria-label={`${title}, over time`}>
			<rect class="ground" width="100%" height="100%" />
			{swimLanes(turns)
				.filter(({ lane }) => lane === name)
				.map(({ turn, from, width, ms }) => (
					<rect
						key={turn.id}
						class={`${name === "run" && failed(turn) ? "retrying" : colour} ${turn.id === current ? "current" : "other"}`}
						x={`${from}%`}
						width={`${Math.max(0.4, width - 0.15)}%`}
						height="100%"
					>
						<title>{`Turn ${exact(turn.id)}: ${duration(ms)}`}</title>
					</rect>
				))}
		</svg>
	</>
);
