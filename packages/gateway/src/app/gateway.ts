import { randomBytes, randomUUID } from "node:crypto";
import { type AdmittedCaller, bringsCredential, callerOfKey } from "../access/caller.ts";
import type { GatewayKey } from "../access/key-file.ts";
import type { PassingKey } from "../access/passing-keys.ts";
import { openSealing } from "../access/sealing.ts";
import { TurnGate } from "../access/turn-gate.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import { parseCredential } from "../credentials/parse-credential.ts";
import { SharedLogins } from "../credentials/token/shared-logins.ts";
import { jsonBodyParser } from "../dialects/json/json-body.ts";
import { FactLog } from "../observe/fact-log.ts";
import { FactStream } from "../observe/facts.ts";
import { createLog, type LogFormat, type Logger, openLogSink } from "../observe/log.ts";
import { LogBook } from "../observe/log-book.ts";
import type { LogSink } from "../observe/log-sink.ts";
import type { Telemetry } from "../observe/traces/telemetry.ts";
import { isPagePath, pageForm } from "../page/page-form.ts";
import { codeRoute } from "../page/page-routes.ts";
import { apiRoutes } from "../routes/api-routes.ts";
import { dialectOf } from "../routes/dialects.ts";
import { LogReaders } from "../routes/log-readers.ts";
import { StoredResponses } from "../routes/stored-responses.ts";
import { openFilesLimit } from "../server/descriptors.ts";
import { GatewayServer } from "../server/server.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import { watchRevocations } from "../sessions/revocation-watch.ts";
import { openStore } from "../store/open-store.ts";
import { type GatewayStore, storeProblems } from "../store/store.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { sleep } from "../time/sleep.ts";
import { soon } from "../time/soon.ts";
import type { HealthLimits } from "../upstream/health/host-health.ts";
import type { RunLimits } from "../upstream/run/run-limits.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { ownUrl } from "./discovery.ts";
import { openGroup } from "./group/open-group.ts";
import { logHealth } from "./health-log.ts";
import { LateUpstream } from "./late-upstream.ts";
import { parkedLimits, serverLimits, streamLimits, turnLimits } from "./limits.ts";
import { GatewayMetrics } from "./metrics.ts";
import { openDoor, remoteNames } from "./open-door.ts";
import { openGuard } from "./open-guard.ts";
import { type KeyPlace, openKeys } from "./open-keys.ts";

import { openPage, servesPage } from "./open-page.ts";
import { openTurns } from "./open-turns.ts";
import { openUpstreamSide } from "./open-upstream.ts";
import { watchQuota } from "./quota.ts";
import { openTelemetry } from "./telemetry.ts";
import type { UpstreamStats } from "./upstream.ts";

export interface GatewayOptions {
	version: string;
	runLimits?: Partial<RunLimits>;
	/** When the breaker leaves a failing host alone, and for how long. */
	health?: Partial<HealthLimits>;
	/** How many runs may wait for tool results, and for how long. */
	parked?: Partial<ParkedLimits>;
	/** It stands before the emulator. */
	isDemo?: boolean;
	/** Where keys are kept, if not with everything else. The caller closes the store. */
	keys?: KeyPlace;
	/** Keys that are valid while this gateway runs, and are kept nowhere. */
	passingKeys?: readonly PassingKey[];
	log?: Logger;
	/** Default: a stream of its own. */
	facts?: FactStream;
	/** The variables of OpenTelemetry, which say where spans and metrics are sent. Default: nowhere. */
	env?: Readonly<Record<string, string | undefined>>;
	/** Default: real time. */
	clock?: Clock;
}

export interface Gateway {
	url: string;
	/** The owner's key; undefined when keys are switched off or a key was configured. */
	key: GatewayKey | undefined;
	/** All routes. Paths may end in a star. */
	routes: readonly { method: string; path: string }[];
	/** Where the page is, with a code that opens it once within a minute; undefined if there is no page. */
	pageUrl(): string | undefined;
	/** Whether a page or a trace follows every step of turns. */
	isWatched(): boolean;
	/** Runs that wait for tool results. */
	parkedRuns(): number;
	/** What is open to Cursor right now. */
	upstream(): UpstreamStats;
	/** Ends a turn under way, by the id of its request, or a run that waits, by `run:` and its id. False: there is none. */
	stop(id: string): boolean;
	/** Gives open responses at most this long to end, then ends everything. */
	close(graceMs?: number): Promise<void>;
}

/** Before the id of a run, where a turn would have the id of its request. */
const RUN = "run:";
/** How long a load balancer has to notice that this gateway stops, before new turns are refused. */
const NOTICE_MS = 2_000;
/** How long writing the last lines of the log may take. */
const LAST_LINES_MS = 1_000;
/** How long sending the last spans may take. */
const LAST_SPANS_MS = 2_000;

/** Puts the product together and listens. Throws a `SettingError` for settings that cannot be used. */
export async function startGateway(settings: Settings, options: GatewayOptions): Promise<Gateway> {
	const sink = options.log ? undefined : openLogSink(settings.logFormat as LogFormat);
	const book = new LogBook(options.log ?? createLog(settings.logLevel, sink!), Date.now);
	const { dataDir, redis, caFile } = settings;
	const unsafe = prepareDataFolder(dataDir, Date.now());
	if (unsafe) throw new SettingError(unsafe);
	const store = await openStore({ dataDir, redis, caFile, warn: (message) => book.write("warn", {}, message) });
	try {
		return await startOn(store, settings, { ...options, book, sink });
	} catch (error) {
		// An open connection would keep the process alive.
		await store.close();
		throw error;
	}
}

async function startOn(
	store: GatewayStore,
	settings: Settings,
	{ book, sink, ...options }: GatewayOptions & { book: LogBook; sink: LogSink | undefined },
): Promise<Gateway> {
	const { keys, key, ownersId } = await openKeys(
		options.keys ?? { store, dataDir: settings.dataDir },
		settings,
		options.passingKeys,
	);
	const clock = options.clock ?? systemClock;
	const warn = (what: string, error: unknown) => book.write("warn", { error: (error as Error)?.message }, what);
	const reportBug = (error: unknown) =>
		book.write("error", { error: (error as Error)?.stack ?? String(error) }, "a mistake of the gateway");
	const facts = options.facts ?? new FactStream();
	const factLog = new FactLog(book, clock);
	facts.listen((fact) => fact.type === "turn-ended" && store.addToLedger(fact));
	facts.listen(factLog.write);
	const logReaders = new LogReaders(book, clock);
	const parked = { ...parkedLimits(settings), ...options.parked };
	const late = new LateUpstream();
	const quota = watchQuota({ late, store, facts, clock, warn });
	const { guard, ...holding } = await openGuard({ settings, store, quota, facts, warn });
	const { ladder, turns } = openTurns({
		...{ store, clock, facts, parked, limits: streamLimits(settings), guard, webSearch: settings.webSearch },
		...holding,
		...{ warn, reportBug },
	});
	const group = await openGroup(settings, { ladder, turns, parked, clock, warn });
	const metrics = new GatewayMetrics(settings, facts, late);
	const { version, isDemo = false } = options;
	let telemetry: Telemetry | undefined;
	const families = () =>
		metrics.families({
			version,
			settings,
			turns,
			ladder,
			store,
			quota,
			guard,
			droppedSpans: () => telemetry?.droppedSpans,
			upstream: () => late.ready,
		});
	telemetry = await openTelemetry(options.env ?? {}, {
		version,
		facts,
		clock,
		families,
		warn: (message) => book.write("warn", {}, message),
	});
	let isLeaving = false;
	let isClosing = false;
	const isOwner = ({ kind, keyId }: AdmittedCaller) =>
		kind === "anonymous" || (keyId !== undefined && keyId === ownersId);
	const problems = () => [...storeProblems(store.status()), ...(sink?.problems() ?? [])];
	const page = servesPage(settings)
		? openPage({
				version,
				isDemo,
				settings,
				clock,
				facts,
				turns,
				ladder,
				store,
				keys,
				late,
				quota,
				guard,
				problems,
				reportBug,
			})
		: undefined;
	const sessions = page?.sessions;
	const api = apiRoutes({
		version,
		webSockets: settings.webSockets,
		turns,
		gate: new TurnGate(turnLimits(settings)),
		responses: new StoredResponses(store, reportBug),
		storeKind: () => store.kind,
		problems,
		accountOf(caller) {
			const credential = caller.credential === undefined ? undefined : parseCredential(caller.credential);
			return soon(late.side, (side) => (credential ? side.guests.of(credential) : side.ownAccount()));
		},
		sealer: openSealing({
			dataDir: settings.dataDir,
			...(settings.redis && { sharedSecret: (fresh: Uint8Array) => store.sharedSecret(fresh) }),
			random: randomBytes,
			warn,
		}),
		isClosing: () => isClosing,
		isLeaving: () => isLeaving,
		isOwner,
		logReaders,
		waiting: () => ladder.waiting(),
		keys: () => keys.list(),
		usageSince: (since) => store.usageSince(since),
		ledger: store,
		metrics: families,
		quota,
		guard,
	});
	const routes = [...api, codeRoute(sessions, isOwner), ...(page?.routes ?? [])];
	const door = openDoor(settings, keys, late, sessions);
	const limits = serverLimits(settings, openFilesLimit());
	const server = new GatewayServer<AdmittedCaller>(
		{
			limits,
			door,
			formOf: (request) => (isPagePath(request?.url) ? pageForm : dialectOf(request)),
			parseBody: jsonBodyParser(),
			newId: randomUUID,
			reportBug,
			refused: (refusal) => facts.tell(refusal),
		},
		routes,
	);
	const port = await server.listen(settings.host, settings.port);
	door.listensOn(port, remoteNames(settings));
	const upstream = await openUpstreamSide(settings, {
		clock,
		limits: options.runLimits,
		health: options.health,
		healthChanged: (health) => logHealth(book, health),
		report: (line) => book.write("warn", {}, line),
		shared: group && new SharedLogins(group.logins, clock),
	}).catch(async (error) => {
		await server.close();
		throw error;
	});
	late.isOpen(upstream);
	await group?.start();
	const stopWatch = watchRevocations({
		ladder,
		newlyRevoked: async () => new Set((await keys.newlyRevoked()).map((revoked) => callerOfKey(revoked).id)),
		isSignedOut: () => upstream.isSignedOut(),
		usesOwnLogin: (caller) => !bringsCredential(caller),
		warn,
	});
	const shown = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
	const url = `http://${shown}:${port}`;

	return {
		url,
		key,
		routes: routes.map(({ method, path }) => ({ method, path })),
		pageUrl: () => sessions && `${ownUrl(url)}/#${sessions.newCode()}`,
		isWatched: () => facts.isWatched,
		parkedRuns: () => ladder.parkedRuns,
		upstream: () => upstream.stats(),
		stop: (id) => (id.startsWith(RUN) ? ladder.stop(id.slice(RUN.length)) : turns.stop(id)),
		async close(graceMs = 0) {
			isLeaving = true;
			if (group && graceMs > 0) await sleep(NOTICE_MS, clock);
			isClosing = true;
			stopWatch();
			guard.close();
			await Promise.all([turns.allEnded(graceMs), group?.finish(graceMs)]);
			await group?.close();
			ladder.closeParked();
			factLog.close();
			await telemetry?.close(LAST_SPANS_MS);
			metrics.close();
			logReaders.close();
			page?.pages.close();
			await server.close();
			await upstream.close();
			await store.close();
			await sink?.drain(LAST_LINES_MS);
		},
	};
}
