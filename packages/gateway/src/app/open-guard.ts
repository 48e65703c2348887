import type { Settings } from "../config/settings.ts";
import type { LoopLimits } from "../guard/loop-alarm.ts";
import { PlanShare } from "../guard/plan-share.ts";
import { PoolFallback } from "../guard/pool-fallback.ts";
import { SpendGuard } from "../guard/spend-guard.ts";
import type { FactStream } from "../observe/facts.ts";
import type { GatewayStore } from "../store/store.ts";
import type { QuotaWatch } from "../usage/quota-watch.ts";

export interface GuardParts {
	settings: Settings;
	store: GatewayStore;
	/** Where the limits are kept. */
	limits: GatewayStore;
	quota: QuotaWatch;
	facts: FactStream;
	warn(what: string, error: unknown): void;
}

/** What holds turns to what the owner wants to spend. The limits are known when it resolves. */
export async function openGuard({ settings, store, limits, quota, facts, warn }: GuardParts): Promise<{
	guard: SpendGuard;
	fallback: PoolFallback;
	loops: LoopLimits;
}> {
	const { loopWarning, loopStop, apiPoolFallback } = settings;
	const share = new PlanShare({ read: () => quota.read(), readings: store, now: Date.now });
	const guard = new SpendGuard({ store, limits, share, now: Date.now, tell: (fact) => facts.tell(fact), warn });
	await guard.start();
	// The fallback looks at what was read last, so somebody has to read.
	const fallback = new PoolFallback({
		percent: apiPoolFallback,
		told() {
			void share.refresh();
			return quota.last;
		},
	});
	// A warning that comes after the refusal would never come.
	const warnAt = loopStop > 0 ? Math.min(loopWarning || loopStop, loopStop) : loopWarning;
	return { guard, fallback, loops: { warnAt, stopAt: loopStop } };
}
