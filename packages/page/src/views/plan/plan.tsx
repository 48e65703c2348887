import type { PlanAnswer } from "../../../../gateway/src/page/contract.ts";
import { Answer, useAnswer } from "../../parts/load.tsx";
import { BurnDownPlot } from "../../plots/burn-down-plot.tsx";
import { FirstTokensPlot } from "../../plots/first-tokens-plot.tsx";
import { HoursPlot } from "../../plots/hours-plot.tsx";
import { RungsPlot } from "../../plots/rungs-plot.tsx";
import { TokensPlot } from "../../plots/tokens-plot.tsx";
import { Limits } from "./limits.tsx";
import { Spans } from "./spans.tsx";
import { Stopwatch } from "./stopwatch.tsx";

/** What it costs, and whether it lasts. */
export function Plan() {
	const loaded = useAnswer<PlanAnswer>("plan");
	return (
		<Answer loaded={loaded}>
			{(plan) => (
				<>
					<div class="pair">
						{plan.pools.map((pool) => (
							<BurnDownPlot key={pool.name} pool={pool} now={loaded.at} />
						))}
					</div>
					<Spans spans={plan.spans} />
					<div class="pair plots">
						<TokensPlot days={plan.days} />
						<FirstTokensPlot days={plan.firstTokens} />
						<RungsPlot days={plan.rungs} />
						<HoursPlot hours={plan.hours} />
					</div>
					<div class="pair">
						<Limits limits={plan.limits} addLimit={plan.addLimit} />
						<Stopwatch />
					</div>
				</>
			)}
		</Answer>
	);
}
