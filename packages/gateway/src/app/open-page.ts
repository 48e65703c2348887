import { isLoopback } from "../access/bind.ts";
import type { AdmittedCaller } from "../access/caller.ts";
import type { Settings } from "../config/settings.ts";
import type { FactStream } from "../observe/facts.ts";
import type { Problem } from "../observe/problem.ts";
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
import type { LateUpstream } from "./late-upstream.ts";

export interface PageSources {
	version: string;
	isDemo: boolean;
	settings: Settings;
	clock: Clock;
	facts: FactStream;
	turns: TurnService;
	ladder: Ladder;
	store: GatewayStore;
	late: LateUpstream;
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
		finished: async () => [],
		isSessionValid: (session) => sessions.isValid(session),
		reportBug,
	});
	const routes = pageRoutes({
		sessions,
		pages,
		stopTurn: () => false,
		stopRun: () => false,
		data: [],
	});
	return { sessions, pages, routes };
}

const CHANNELS = { h2: "HTTP/2", h1: "HTTP/1.1" } as const;

function openStrip(sources: PageSources): LiveStrip {
	const { version, isDemo, clock, settings, facts, late, store, problems } = sources;
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
			return accountState(account);
		},
	});
}

async function accountState(account: CursorAccount): Promise<AccountState> {
	const { email, plan, pools, resetsAt } = await account.facts.usage();
	return {
		...(email !== undefined && { email }),
		...(plan !== undefined && { plan }),
		pools: pools.map(({ name, usedPercent, ...cents }) => ({
			name,
			...(usedPercent !== undefined && { usedPercent }),
			...cents,
			...(resetsAt && { resetsAt: resetsAt.getTime() }),
		})),
	};
}
