import type { KeyRing } from "../access/key-ring.ts";
import type { Settings } from "../config/settings.ts";
import type { SpendGuard } from "../guard/spend-guard.ts";
import type { Problem } from "../observe/problem.ts";
import type { PageDataParts } from "../page/data/parts.ts";
import type { GatewayStore } from "../store/store.ts";
import { soon } from "../time/soon.ts";
import type { QuotaWatch } from "../usage/quota-watch.ts";
import type { LateUpstream } from "./upstream/late-upstream.ts";

export interface PageDataSources {
	version: string;
	settings: Settings;
	store: GatewayStore;
	keys: Pick<KeyRing, "list">;
	quota: QuotaWatch;
	guard: Pick<SpendGuard, "standings">;
	late: LateUpstream;
	problems(): readonly Problem[];
}

/** What the views of the page are made from. */
export function pageData(sources: PageDataSources): PageDataParts {
	const { version, settings, store, keys, quota, guard, late, problems } = sources;
	const upstream = async () => late.side;
	return {
		store,
		keys: () => keys.list(),
		quota,
		standings: () => guard.standings(),
		ownAccount: () => soon(late.side, (side) => side.ownAccount()),
		news: async () => (await upstream()).news.all(),
		inside: { version, settings, upstream, problems, now: Date.now },
		recordings: settings.record,
		now: Date.now,
	};
}
