// Start, work, stop, and read what it cost. It survives a reload of the tab.
import { signal } from "@preact/signals";
import type { Pool, TotalsAnswer } from "../../../../gateway/src/page/contract.ts";
import { type AskError, ask } from "../../gateway/ask.ts";
import { now } from "../../now.ts";
import { Panel } from "../../parts/panel.tsx";
import { clock } from "../../text/numbers.ts";
import { POOLS } from "../../text/words.ts";
import { poolCost } from "./pool-cost.ts";
import { Totals } from "./spans.tsx";

interface Watch {
	startedAt: number;
	stoppedAt?: number;
	poolsBefore: Pool[];
	cost?: TotalsAnswer;
}

const KEPT_AS = "cursorwire-stopwatch";
const watch = signal<Watch | undefined>(JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "null") ?? undefined);
const problem = signal("");

const keep = (value: Watch): void => {
	watch.value = value;
	sessionStorage.setItem(KEPT_AS, JSON.stringify(value));
};

/** The gateway's clock counts, as it is what the turns are written with. */
async function measured(work: () => Promise<void>): Promise<void> {
	problem.value = "";
	await work().catch((error: AskError) => {
		problem.value = error.message;
	});
}

const start = () =>
	measured(async () => {
		const totals = await ask<TotalsAnswer>(`totals?since=${Date.now()}`);
		keep({ startedAt: totals.now, poolsBefore: totals.pools });
	});

const stop = (running: Watch) =>
	measured(async () => {
		const cost = await ask<TotalsAnswer>(`totals?since=${running.startedAt}`);
		keep({ ...running, stoppedAt: cost.now, cost });
	});

export function Stopwatch() {
	const state = watch.value;
	const isRunning = state !== undefined && state.stoppedAt === undefined;
	return (
		<Panel title="Stopwatch" note="Start it, work, stop it, and read what it cost." class="stopwatch">
			<div class="dial">
				<output class="clock">{state === undefined ? clock(0) : <Elapsed watch={state} />}</output>
				<button
					type="button"
					class={isRunning ? "danger" : "primary"}
					onClick={() => void (isRunning ? stop(state) : start())}
				>
					{isRunning ? "Stop" : "Start"}
				</button>
			</div>
			{problem.value !== "" && (
				<p class="bad" role="alert">
					{problem}
				</p>
			)}
			{state?.cost !== undefined && <Cost watch={state} cost={state.cost} />}
		</Panel>
	);
}

const Elapsed = ({ watch: { startedAt, stoppedAt } }: { watch: Watch }) => (
	<>{clock((stoppedAt ?? Math.max(startedAt, now.value)) - startedAt)}</>
);

const Cost = ({ watch: { poolsBefore }, cost }: { watch: Watch; cost: TotalsAnswer }) => (
	<div aria-live="polite">
		<Totals sums={cost} />
		<ul class="soft">
			{poolCost(poolsBefore, cost.pools).map(({ name, text }) => (
				<li key={name}>{`${POOLS[name]}: ${text}`}</li>
			))}
		</ul>
	</div>
);
