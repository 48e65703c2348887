import type { LimitBar } from "../../../../gateway/src/page/contract.ts";
import { Command } from "../../parts/copy.tsx";
import { LimitBars } from "../../parts/limit-bars.tsx";
import { Panel } from "../../parts/panel.tsx";

export const Limits = ({ limits, addLimit }: { limits: LimitBar[]; addLimit: string }) => (
	<Panel title="Limits">
		{limits.length === 0 ? (
			<>
				<p class="empty">No limits are set. What a client uses is bounded by your plan alone.</p>
				<Command command={addLimit} what="a command that adds a limit" />
			</>
		) : (
			<LimitBars limits={limits} withKeys />
		)}
	</Panel>
);
