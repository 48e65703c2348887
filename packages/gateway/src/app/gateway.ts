import { bringsCredential, callerOfKey } from "../access/caller.ts";
import type { GatewayKey } from "../access/key-file.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import { SharedLogins } from "../credentials/token/shared-logins.ts";
import { createLog, type LogFormat, openLogSink } from "../observe/log.ts";
import { LogBook } from "../observe/log-book.ts";
import { watchRevocations } from "../sessions/revocation-watch.ts";
import { openStore } from "../store/open-store.ts";
import type { GatewayError } from "../turn/error.ts";
import { closeGateway, type Ending } from "./close-gateway.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { ownUrl } from "./discovery.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { gatewayRoutes } from "./gateway-routes.ts";
import { shareAnswers } from "./group/share-answers.ts";
import { keptTimes } from "./limits.ts";
import { type GatewayParts, type Ground, openParts } from "./open-parts.ts";
import { openServer } from "./open-server.ts";
import { logHealth } from "./upstream/health-log.ts";
import { openUpstreamSide } from "./upstream/open-upstream.ts";
import type { UpstreamSide, UpstreamStats } from "./upstream/upstream.ts";

export interface Gateway {
	url: string;
	/** The owner's key; undefined when keys are switched off or a key was configured. */
	key: GatewayKey | undefined;
	/** All routes. Paths may end in a star. */
	routes: readonly { method: string; path: string }[];
	/** Where the page is, with a code that opens it once within a minute; undefined if there is no page. */
	pageUrl(): string | undefined;
	/** Why there is no login to Cursor that could be used; undefined if there is one. Cursor is not asked. */
	loginProblem(): Promise<GatewayError | undefined>;
	/** Whether an open page waits for the next thing that happens. */
	isWatched(): boolean;
	/** Runs that wait for tool results. */
	parkedRuns(): number;
	/** What is open to Cursor right now. */
	upstream(): UpstreamStats;
	/** How many turns are under way. */
	openTurns(): number;
	/** Ends a turn under way, by the id of its request, or a run that waits, by `run:` and its id. False: there is none. */
	stop(id: string): boolean;
	/** Gives open responses at most this long to end, then ends everything. */
	close(graceMs?: number): Promise<void>;
}

/** Before the id of a run, where a turn would have the id of its request. */
const RUN = "run:";

/** Puts the product together and listens. Throws a `SettingError` for settings that cannot be used. */
export async function startGateway(settings: Settings, options: GatewayOptions): Promise<Gateway> {
	const sink = options.log ? undefined : openLogSink(settings.logFormat as LogFormat);
	const book = new LogBook(options.log ?? createLog(settings.logLevel, sink!), Date.now);
	const { dataDir, redis, caFile } = settings;
	const unsafe = prepareDataFolder(dataDir, Date.now());
	if (unsafe) throw new SettingError(unsafe);
	const kept = keptTimes(settings);
	const store = await openStore({ dataDir, redis, caFile, kept, warn: (message) => book.write("warn", {}, message) });
	try {
		return await startOn({ settings, options, store, book, sink });
	} catch (error) {
		// An open connection would keep the process alive.
		await store.close();
		throw error;
	}
}

/** The order of the start: the parts, the port, then the Cursor side, for which early requests wait. */
async function startOn(ground: Ground): Promise<Gateway> {
	const { settings, options, sink } = ground;
	const parts = await openParts(ground);
	const { key, facts, ladder, turns, page } = parts;
	const ending: Ending = { isLeaving: false, isClosing: false };
	const routes = gatewayRoutes(parts, settings, options.version, ending);
	const { server, port } = await openServer(parts, settings, routes);
	const upstream = await openCursorSide(parts, ground).catch(async (error) => {
		await server.close();
		throw error;
	});
	parts.late.isOpen(upstream);
	await parts.group?.start();
	const stopWatch = endRevokedRuns(parts, upstream);
	const stopSharing = shareWithGroup(parts, ground, upstream);
	const url = urlOf(settings.host, port);
	return {
		url,
		key,
		routes: routes.map(({ method, path }) => ({ method, path })),
		pageUrl: () => page && `${ownUrl(url)}/#${page.sessions.newCode()}`,
		loginProblem: () => upstream.loginProblem(),
		isWatched: () => facts.isWatched,
		parkedRuns: () => ladder.parkedRuns,
		upstream: () => upstream.stats(),
		openTurns: () => turns.running().length,
		stop: (id) => (id.startsWith(RUN) ? ladder.stop(id.slice(RUN.length)) : turns.stop(id)),
		close: (graceMs = 0) => closeGateway(parts, { server, upstream, stopWatch, stopSharing, sink }, ending, graceMs),
	};
}

/** With the logins of the whole group, if there is one. */
function openCursorSide({ clock, group }: GatewayParts, { settings, options, book }: Ground): Promise<UpstreamSide> {
	return openUpstreamSide(settings, {
		clock,
		limits: options.runLimits,
		health: options.health,
		healthChanged: (health) => logHealth(book, health),
		report: (line) => book.write("warn", {}, line),
		shared: group && new SharedLogins(group.logins, clock),
	});
}

/** What was found out about the server is the group's, if there is one. */
function shareWithGroup({ clock, group }: GatewayParts, { settings }: Ground, upstream: UpstreamSide): () => void {
	return group ? shareAnswers(settings, group.answers, () => upstream.login(), clock) : () => {};
}

/** Ends the runs of those who may not use the gateway any more. Returns what stops looking for them. */
function endRevokedRuns({ ladder, keys, warn }: GatewayParts, upstream: UpstreamSide): () => void {
	return watchRevocations({
		ladder,
		newlyRevoked: async () => new Set((await keys.newlyRevoked()).map((revoked) => callerOfKey(revoked).id)),
		isSignedOut: () => upstream.isSignedOut(),
		usesOwnLogin: (caller) => !bringsCredential(caller),
		warn,
	});
}

const urlOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
