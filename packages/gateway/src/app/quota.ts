import { bringsCredential } from "../access/caller.ts";
import type { FactStream } from "../observe/facts.ts";
import type { GatewayStore } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import { QuotaWatch } from "../usage/quota-watch.ts";
import type { LateUpstream } from "./upstream/late-upstream.ts";

export interface QuotaParts {
	late: LateUpstream;
	store: GatewayStore;
	facts: FactStream;
	clock: Clock;
	warn(what: string, error: unknown): void;
}

/** The quota of the own account, which is also read while turns run on it. */
export function watchQuota({ late, store, facts, clock, warn }: QuotaParts): QuotaWatch {
	const quota = new QuotaWatch({
		ask: async (poolsOnly) => (await (await late.side).ownAccount()).facts.usage(poolsOnly),
		readings: store,
		clock,
		warn,
	});
	facts.listen((fact) => fact.type === "turn-ended" && !bringsCredential(fact.caller) && quota.turnEnded());
	return quota;
}
