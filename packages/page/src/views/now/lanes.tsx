import type { TrackedLane } from "../../gateway/merge.ts";
import { Panel } from "../../parts/panel.tsx";
import { duration } from "../../text/numbers.ts";
import { STATES } from "../../text/words.ts";
import { LaneRow } from "./lane.tsx";
import { span } from "./track.tsx";

/** What is it doing? One lane for each turn under way. */
export function Lanes({ lanes }: { lanes: TrackedLane[] }) {
	return (
		<Panel title="Under way" class="lanes" side={<Legend lanes={lanes} />}>
			{lanes.length === 0 ? (
				<Idle />
			) : (
				<ul>
					{lanes.map((lane) => (
						<LaneRow key={lane.id} lane={lane} />
					))}
				</ul>
			)}
		</Panel>
	);
}

const Idle = () => (
	<p class="empty">
		Nothing runs at the moment. A turn appears here as soon as a client sends one; <a href="#/clients">Clients</a> has
		the commands that set one up.
	</p>
);

/** How long the whole width of a lane's track is. */
const Scale = () => <span class="soft">tracks: {duration(span.value)}</span>;

/** How many lanes are in which state. */
function Legend({ lanes }: { lanes: TrackedLane[] }) {
	const counts = Object.entries(STATES).map(([state, word]) => ({
		state,
		word,
		count: lanes.filter((lane) => lane.state === state).length,
	}));
	return (
		<span class="legend">
			{lanes.length > 0 && <Scale />}
			{counts
				.filter(({ count }) => count > 0)
				.map(({ state, word, count }) => (
					<span key={state} class={`state ${state}`}>
						<i aria-hidden="true" />
						{count} {word}
					</span>
				))}
		</span>
	);
}
