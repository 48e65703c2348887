import type { ComponentChildren } from "preact";
import type { TrackedLane } from "../../gateway/merge.ts";
import { now } from "../../now.ts";
import { ModelName, Name } from "../../parts/texts.tsx";
import { ToolNames } from "../../parts/tool-names.tsx";
import { clock, NOTHING, rate, short } from "../../text/numbers.ts";
import { dialectName, STATES } from "../../text/words.ts";
import { StopButton } from "./stop.tsx";
import { Track } from "./track.tsx";

export function LaneRow({ lane }: { lane: TrackedLane }) {
	return (
		<li class={`lane ${lane.state}`}>
			<div class="doing">
				<span class={`state ${lane.state}`}>
					<i aria-hidden="true" />
					{STATES[lane.state]}
				</span>
				<Clock since={lane.stateSince} />
			</div>
			<div class="who">
				<ModelName model={lane.model} answered={lane.answered} />
				<span class="detail">
					<Name value={lane.key ?? lane.client} class="key" />
					{lane.key !== undefined && lane.client !== undefined && <Name value={lane.client} />}
					{lane.dialect !== undefined && <Name value={dialectName(lane.dialect)} />}
					<Rung path={lane.path} reason={lane.reason} />
				</span>
			</div>
			<div class="flow">
				<Track lane={lane} />
				{lane.tools !== undefined && lane.tools.length > 0 && <ToolNames tools={lane.tools} />}
			</div>
			<dl class="figures">
				<Figure term="tokens">{lane.state === "waiting" ? NOTHING : short(lane.outputTokens)}</Figure>
				<Figure term="speed">{lane.tokensPerSecond === undefined ? NOTHING : rate(lane.tokensPerSecond)}</Figure>
				<Figure term="time">
					<Clock since={lane.startedAt} />
				</Figure>
			</dl>
			<StopButton lane={lane} />
		</li>
	);
}

function Figure({ term, children }: { term: string; children: ComponentChildren }) {
	return (
		<div>
			<dt>{term}</dt>
			<dd>{children}</dd>
		</div>
	);
}

/** How the turn reaches Cursor, and why this way. */
function Rung({ path, reason }: { path: string | undefined; reason: string | undefined }) {
	if (path === undefined) return null;
	return (
		<span class="rung">
			<Name value={path} class={`rungname ${path}`} />
			{reason !== undefined && (
				<>
					<span aria-hidden="true">·</span>
					<Name value={reason} class="reason" />
				</>
			)}
		</span>
	);
}

const Clock = ({ since }: { since: number }) => <span class="clock">{clock(now.value - since)}</span>;
