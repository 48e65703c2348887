import { useEffect, useRef } from "preact/hooks";
import type { TurnAnswer, TurnRow } from "../../../../gateway/src/page/contract.ts";
import { DownloadButton } from "../../parts/download.tsx";
import { Answer, useAnswer } from "../../parts/load.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ModelName, Name, Sentence } from "../../parts/texts.tsx";
import { ToolNames } from "../../parts/tool-names.tsx";
import { TurnProblem } from "../../parts/turn-problem.tsx";
import { SwimLanesPlot } from "../../plots/swim-lanes-plot.tsx";
import { duration, exact, NOTHING, percent, share } from "../../text/numbers.ts";
import { fullTime } from "../../text/times.ts";
import { dialectName, failed, POOLS } from "../../text/words.ts";
import { Anatomy } from "./anatomy.tsx";
import { Timeline } from "./timeline.tsx";

/** One turn: what happened when, what the prompt was made of, and the conversation around it. */
export function TurnDetail({ id, close }: { id: number; close: () => void }) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => {
		if (document.activeElement?.closest("#turn-grid") === null) heading.current?.focus();
	}, [id]);
	return (
		<section class="turn-detail" aria-labelledby="turn-heading">
			<div class="head">
				<h2 id="turn-heading" tabIndex={-1} ref={heading}>
					Turn {exact(id)}
				</h2>
				<button type="button" onClick={close}>
					Close <kbd>Esc</kbd>
				</button>
			</div>
			<Loaded key={id} id={id} />
		</section>
	);
}

function Loaded({ id }: { id: number }) {
	const loaded = useAnswer<TurnAnswer>(`turns/${id}`);
	return (
		<Answer loaded={loaded}>
			{(answer) => (
				<>
					<Facts turn={answer.turn} recording={answer.recording} />
					<Timeline steps={answer.timeline} turn={answer.turn} />
					<Anatomy parts={answer.anatomy} cached={answer.turn.cachedTokens} />
					<Warnings warnings={answer.warnings} />
					<SwimLanesPlot turns={answer.conversation} current={id} />
				</>
			)}
		</Answer>
	);
}

/** A turn that used nothing is charged to nobody. */
const chargedTo = ({ pool, inputTokens, outputTokens }: TurnRow): string | undefined =>
	pool === undefined || inputTokens + outputTokens === 0 ? undefined : POOLS[pool];

const factsOf = (turn: TurnRow): [string, string | undefined][] => [
	["Ended", fullTime(turn.at)],
	["Key", turn.key],
	["Client", turn.client],
	["API", dialectName(turn.dialect)],
	["Rung", turn.reason === undefined ? turn.path : `${turn.path}: ${turn.reason}`],
	["Charged to", chargedTo(turn)],
	["Tokens in", `${exact(turn.inputTokens)}, ${percent(share(turn.cachedTokens, turn.inputTokens))} cached`],
	["Tokens out", `${exact(turn.outputTokens)}, ${exact(turn.reasoningTokens)} of them reasoning`],
	["First token", turn.firstTokenMs === undefined ? undefined : duration(turn.firstTokenMs)],
	["Gateway's part", turn.gatewayUs === undefined ? undefined : duration(turn.gatewayUs / 1000)],
	["Waited for tools", turn.waitedMs === undefined ? undefined : duration(turn.waitedMs)],
	["Conversation", turn.conversation],
	["Request", turn.requestId],
];

const Facts = ({ turn, recording }: { turn: TurnRow; recording: string | undefined }) => (
	<div class="panel">
		<div class="title">
			<ModelName model={turn.model} answered={turn.answered} />
			<span class={failed(turn) ? "bad" : "good"}>{failed(turn) ? turn.status : "ok"}</span>
			<span class="soft">{duration(turn.latencyMs)}</span>
		</div>
		{failed(turn) && <TurnProblem turn={turn} />}
		<dl class="facts">
			{factsOf(turn).map(([term, value]) => (
				<div key={term}>
					<dt>{term}</dt>
					<dd>{value === undefined ? NOTHING : <Name value={value} />}</dd>
				</div>
			))}
			{turn.tools !== undefined && (
				<div>
					<dt>Tools called</dt>
					<dd>
						<ToolNames tools={turn.tools} />
					</dd>
				</div>
			)}
			{recording !== undefined && (
				<div>
					<dt>Recorded as</dt>
					<dd>
						<Name value={recording} class="mono" />
						<DownloadButton path={`turns/${turn.id}/recording`} label="Save as replay" fileName="recording.jsonl" />
					</dd>
				</div>
			)}
		</dl>
	</div>
);

function Warnings({ warnings }: { warnings: string[] }) {
	if (warnings.length === 0) return null;
	return (
		<Panel title="Warnings">
			<ul>
				{warnings.map((warning) => (
					<li key={warning}>
						<Sentence value={warning} />
					</li>
				))}
			</ul>
		</Panel>
	);
}
