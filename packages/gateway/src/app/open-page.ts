import { isLoopback } from "../access/bind.ts";
import type { AdmittedCaller } from "../access/caller.ts";
import { callerNames } from "../access/caller-names.ts";
import type { KeyRing } from "../access/key-ring.ts";
import type { Settings } from "../config/settings.ts";
import type { SpendGuard } from "../guard/spend-guard.ts";
import type { FactStream } from "../observe/facts.ts";
import type { Problem } from "../observe/problem.ts";
import type { TurnRow } from "../page/contract.ts";
import { dataRoutes } from "../page/data/data-routes.ts";
import { poolsOf } from "../page/data/pools.ts";
import { turnRow } from "../page/data/turn-row.ts";
import { LivePages } from "../page/live/live-pages.ts";
import { type AccountState, LiveStrip } from "../page/live/live-strip.ts";
import { pageRoutes } from "../page/page-routes.ts";
import { PageSessions } from "../page/session/page-sessions.ts";
import type { Route } from "../server/exchange.ts";
import type { Ladder } from "../sessions/ladder.ts";
import type { GatewayStore } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { TurnService } from "../turns/turn-service.ts";
import type { CursorAccount } from "../upstream/account/cursor-account.ts";
import type { KnownQuota, QuotaWatch } from "../usage/quota-watch.ts";
import { pageData } from "./page-data.ts";
import type { LateUpstream } from "./upstream/late-upstream.ts";

export interface PageSources {
	version: string;
	isDemo: boolean;
	settings: Settings;
	clock: Clock;
	facts: FactStream;
	turns: TurnService;
	ladder: Ladder;
	store: GatewayStore;
	keys: Pick<KeyRing, "list">;
	late: LateUpstream;
	quota: QuotaWatch;
	guard: Pick<SpendGuard, "standings">;
	problems(): readonly Problem[];
	reportBug(error: unknown): void;
}

/** The page of a gateway that has one. */
export interface Page {
	sessions: PageSessions;
	pages: LivePages;
	routes: readonly Route<AdmittedCaller>[];
}

/** Other machines may see the page only if that was asked for, besides being reached at all. */
export function servesPage({ page, host, allowRemote, pageRemote }: Settings): boolean {
	return page && (isLoopback(host) || (allowRemote && pageRemote));
}

export function openPage(sources: PageSources): Page {
	const { clock, facts, turns, ladder, reportBug } = sources;
	const sessions: PageSessions = new PageSessions(clock, (session) => pages.endSession(session));
	const strip = openStrip(sources);
	const pages = new LivePages({
		clock,
		facts,
		running: () => turns.running(),
		waiting: () => ladder.waiting(),
		strip: (changed) => strip.read(changed),
		finished: () => readFinished(sources),
		isSessionValid: (session) => sessions.isValid(session),
		reportBug,
	});
	const routes = pageRoutes({
		sessions,
		pages,
		stopTurn: (requestId) => turns.stop(requestId),
		stopRun: (runId) => ladder.stop(runId),
		data: dataRoutes(pageData(sources)),
	});
	return { sessions, pages, routes };
}

const FINISHED = 10;

async function readFinished({ store, keys }: PageSources): Promise<TurnRow[]> {
	// Once a second while a page is open, so without counting what there is in all.
	const [rows, records] = await Promise.all([store.lastRequests(FINISHED), keys.list()]);
	const nameOf = callerNames(records);
	return rows.map((row) => turnRow(row, nameOf));
}

const CHANNELS = { h2: "HTTP/2", h1: "HTTP/1.1" } as const;

function openStrip(sources: PageSources): LiveStrip {
	const { version, isDemo, clock, settings, facts, late, quota, store, problems } = sources;
	let channel: string | undefined = settings.http1 ? CHANNELS.h1 : undefined;
	facts.listen((fact) => {
		if (fact.type === "run-ended") channel = CHANNELS[fact.channel];
	});
	let account: CursorAccount | undefined;
	return new LiveStrip({
		...{ version, isDemo, clock, problems },
		storeKind: () => store.kind,
		channel: () => channel,
		health: () => account?.health() ?? [],
		async account() {
			account = await (await late.side).ownAccount();
			return accountState(await quota.read());
		},
	});
}

function accountState(quota: KnownQuota): AccountState {
	const { email, plan } = quota;
	return { ...(email !== undefined && { email }), ...(plan !== undefined && { plan }), pools: poolsOf(quota) };
}
