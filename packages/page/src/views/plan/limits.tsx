import type { PlanAnswer } from "../../../../gateway/src/page/contract.ts";
import { Gauge } from "../../parts/gauge.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Name } from "../../parts/texts.tsx";
import { percent, share, short } from "../../text/numbers.ts";
import { visible } from "../../text/visible.ts";

export const Limits = ({ limits }: { limits: PlanAnswer["limits"] }) => (
	<Panel title="Limits">
		{limits.length === 0 ? (
			<p class="empty">No limits are set. What a client uses is bounded by your plan alone.</p>
		) : (
			<ul class="limits">
				{limits.map((limit) => (
					<li key={limit.name}>
						<Name value={limit.name} />
						<span class="soft">
							{`${short(limit.used)} of ${short(limit.limit)} ${limit.unit}, ${percent(share(limit.used, limit.limit))}`}
						</span>
						<Gauge percent={share(limit.used, limit.limit)} label={visible(limit.name)} />
					</li>
				))}
			</ul>
		)}
	</Panel>
);
