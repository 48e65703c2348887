import type { TurnRow } from "../../../../gateway/src/page/contract.ts";
import { Panel } from "../../parts/panel.tsx";
import { Ago, ModelName, Name } from "../../parts/texts.tsx";
import { TurnProblem } from "../../parts/turn-problem.tsx";
import { duration, exact, NOTHING, short } from "../../text/numbers.ts";
import { failed } from "../../text/words.ts";

export function Finished({ rows }: { rows: TurnRow[] }) {
	return (
		<Panel title="Just finished" class="finished" side={<a href="#/turns">All turns</a>}>
			{rows.length === 0 ? (
				<p class="empty">No turn has ended yet.</p>
			) : (
				<>
					<Titles />
					<ul>
						{rows.map((turn) => (
							<FinishedRow key={turn.id} turn={turn} />
						))}
					</ul>
				</>
			)}
		</Panel>
	);
}

/** Only where there is a column for each. */
const Titles = () => (
	<p class="turnline titles" aria-hidden="true">
		<span>Ended</span>
		<span>Model</span>
		<span>Client</span>
		<span>Rung</span>
		<span class="number">Tokens</span>
		<span class="number">First token</span>
		<span class="number">Time</span>
		<span class="result">Result</span>
	</p>
);

function FinishedRow({ turn }: { turn: TurnRow }) {
	const isBad = failed(turn);
	return (
		<li class={isBad ? "failed" : undefined}>
			<a class="turnline" href={`#/turns/${turn.id}`}>
				<span class="when">
					<Ago at={turn.at} />
				</span>
				<ModelName model={turn.model} answered={turn.answered} />
				<Name value={turn.key} class="key" />
				<Name value={turn.path} class={`rungname ${turn.path}`} />
				<span class="number tokens" title={`${exact(turn.inputTokens)} tokens in, ${exact(turn.outputTokens)} out`}>
					{short(turn.inputTokens)}
					<span class="soft"> in </span>
					{short(turn.outputTokens)}
					<span class="soft"> out</span>
				</span>
				<span class="number first" title="Time to the first token">
					{turn.firstTokenMs === undefined ? NOTHING : duration(turn.firstTokenMs)}
				</span>
				<span class="number total" title="Time in all">
					{duration(turn.latencyMs)}
				</span>
				<span class={`result ${isBad ? "bad" : "good"}`}>{isBad ? turn.status : "ok"}</span>
			</a>
			{isBad && <TurnProblem turn={turn} />}
		</li>
	);
}
