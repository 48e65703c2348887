import type { LimitBar } from "../../../gateway/src/page/contract.ts";
import { percent, share, short } from "../text/numbers.ts";
import { visible } from "../text/visible.ts";
import { Gauge } from "./gauge.tsx";
import { Ago, Name } from "./texts.tsx";

/** A bar for each limit: how much of it is used, and when it begins anew. */
export const LimitBars = ({ limits, withKeys = false }: { limits: LimitBar[]; withKeys?: boolean }) => (
	<ul class="limits">
		{limits.map((limit) => (
			<li key={limit.id}>
				<span>
					<Name value={limit.name} />
					{withKeys && limit.key !== undefined && <Name value={limit.key} class="tag" />}
					{limit.state === "paused" && <span class="tag">paused</span>}
				</span>
				<span class="soft">
					{usedText(limit)}
					{limit.resetsAt !== undefined && (
						<>
							{", anew "}
							<Ago at={limit.resetsAt} />
						</>
					)}
				</span>
				{limit.used !== undefined && <Gauge percent={share(limit.used, limit.limit)} label={visible(limit.name)} />}
			</li>
		))}
	</ul>
);

function usedText({ used, limit, unit, name }: LimitBar): string {
	if (used === undefined) return name.includes("per conversation") ? "each by itself" : "not known";
	if (unit === "percent") return `${percent(used)} of ${percent(limit)}`;
	return `${short(used)} of ${short(limit)} ${unit}, ${percent(share(used, limit))}`;
}
