import type { GatewayKey } from "../access/key-file.ts";
import type { KeyRing } from "../access/key-ring.ts";
import type { Settings } from "../config/settings.ts";
import type { GatewayGroup } from "../group/gateway-group.ts";
import type { SpendGuard } from "../guard/spend-guard.ts";
import type { LogBook } from "../observe/log-book.ts";
import type { LogSink } from "../observe/log-sink.ts";
import type { Ladder } from "../sessions/ladder.ts";
import type { GatewayStore } from "../store/store.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { TurnService } from "../turns/turn-service.ts";
import type { QuotaWatch } from "../usage/quota-watch.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { openGroup } from "./group/open-group.ts";
import { parkedLimits, streamLimits } from "./limits.ts";
import { type Measuring, openMetrics } from "./metrics/open-metrics.ts";
import { openGuard } from "./open-guard.ts";
import { openKeys } from "./open-keys.ts";
import { openPage, type Page, servesPage } from "./open-page.ts";
import { openReports, type Reports } from "./open-reports.ts";
import { openTurns } from "./open-turns.ts";
import { watchQuota } from "./quota.ts";
import { LateUpstream } from "./upstream/late-upstream.ts";

/** What a gateway is put together on. */
export interface Ground {
	settings: Settings;
	options: GatewayOptions;
	store: GatewayStore;
	book: LogBook;
	sink: LogSink | undefined;
}

/** Everything of a gateway that is open before its port is. */
export interface GatewayParts extends Reports {
	clock: Clock;
	store: GatewayStore;
	keys: KeyRing;
	/** The owner's key; undefined when keys are switched off or a key was configured. */
	key: GatewayKey | undefined;
	ownersId: string | undefined;
	/** The Cursor side, which opens after the port. */
	late: LateUpstream;
	quota: QuotaWatch;
	guard: SpendGuard;
	ladder: Ladder;
	turns: TurnService;
	group: GatewayGroup | undefined;
	measuring: Measuring;
	page: Page | undefined;
}

/** Opens all of it, each part with those that it needs. */
export async function openParts({ settings, options, store, book, sink }: Ground): Promise<GatewayParts> {
	const place = options.keys ?? { store, dataDir: settings.dataDir };
	const { keys, key, ownersId } = await openKeys(place, settings, options.passingKeys);
	const { clock = systemClock, version, isDemo = false } = options;
	const reports = openReports({ store, book, sink, clock, facts: options.facts });
	const { facts, warn, reportBug, problems } = reports;
	const late = new LateUpstream();
	const quota = watchQuota({ late, store, facts, clock, warn });
	const { guard, ...holding } = await openGuard({ settings, store, limits: place.store, quota, facts, warn });
	const parked = { ...parkedLimits(settings), ...options.parked };
	const { ladder, turns } = openTurns({
		...{ store, clock, facts, parked, limits: streamLimits(settings), guard, webSearch: settings.webSearch },
		...holding,
		...{ warn, reportBug },
	});
	const group = await openGroup(settings, { ladder, turns, parked, clock, warn });
	const shared = { version, settings, clock, facts, store, late, quota, guard, ladder, turns };
	const measuring = await openMetrics({
		...shared,
		env: options.env ?? {},
		warn: (message) => book.write("warn", {}, message),
	});
	const page = servesPage(settings) ? openPage({ ...shared, isDemo, keys, problems, reportBug }) : undefined;
	return { ...reports, clock, store, keys, key, ownersId, late, quota, guard, ladder, turns, group, measuring, page };
}
