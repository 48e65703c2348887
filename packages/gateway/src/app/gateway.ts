import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refusalToListen } from "../access/bind.ts";
import { admit, bringsCredential, callerOfKey } from "../access/caller.ts";
import { strongConfiguredKey } from "../access/configured-key.ts";
import { pageHeaders, preflightHeaders } from "../access/cross-origin.ts";
import { allowedHosts, checkRequest, isPublic, presentedKey } from "../access/guard.ts";
import { ensureGatewayKey, type GatewayKey } from "../access/key-file.ts";
import { KeyRing } from "../access/key-ring.ts";
import { TurnGate } from "../access/turn-gate.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import { meaningOf, parseCredential, secretOf } from "../credentials/parse-credential.ts";
import { jsonBodyParser } from "../dialects/json/json-body.ts";
import { createLog, type Logger, openLogSink } from "../observe/log.ts";
import type { LogSink } from "../observe/log-sink.ts";
import type { Caller } from "../routes/api-parts.ts";
import { apiRoutes } from "../routes/api-routes.ts";
import { dialectOf } from "../routes/dialects.ts";
import { StoredResponses } from "../routes/stored-responses.ts";
import { openFilesLimit } from "../server/descriptors.ts";
import { createServer } from "../server/server.ts";
import { Ladder } from "../sessions/ladder.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import { openStore } from "../store/open-store.ts";
import { type GatewayStore, storeProblems } from "../store/store.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { GatewayError } from "../turn/error.ts";
import { DEFAULT_STREAM_LIMITS } from "../turns/stream-options.ts";
import { TurnService } from "../turns/turn-service.ts";
import type { HealthLimits, HealthReport } from "../upstream/health/host-health.ts";
import type { RunLimits } from "../upstream/run/run-limits.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { parkedLimits, serverLimits, turnLimits } from "./limits.ts";
import { openUpstreamSide } from "./open-upstream.ts";
import type { UpstreamStats } from "./upstream.ts";

export interface GatewayOptions {
	version: string;
	runLimits?: Partial<RunLimits>;
	/** When a host that fails is left alone, and for how long. */
	health?: Partial<HealthLimits>;
	/** How long and how many runs may wait for tool results. */
	parked?: Partial<ParkedLimits>;
	log?: Logger;
	/** Default: real time. */
	clock?: Clock;
}

export interface Gateway {
	url: string;
	/** The owner's key; undefined where keys are switched off or one was given. */
	key: GatewayKey | undefined;
	/** Everything that is answered; paths may end in a star. */
	routes: readonly { method: string; path: string }[];
	/** Runs that wait for tool results. */
	parkedRuns(): number;
	/** What is open towards Cursor. */
	upstream(): UpstreamStats;
	/** Lets open answers end, for so long at the most, then ends everything. */
	close(graceMs?: number): Promise<void>;
}

const REVOCATIONS_EVERY_MS = 1_000;
/** So long the last lines of the log may take. */
const LAST_LINES_MS = 1_000;

/** Puts the product together and listens. Settings that cannot be used throw a `SettingError`. */
export async function startGateway(settings: Settings, options: GatewayOptions): Promise<Gateway> {
	const sink = options.log ? undefined : openLogSink();
	const log = options.log ?? createLog(settings.logLevel, sink!);
	const { dataDir, redis, caFile } = settings;
	const unsafe = prepareDataFolder(dataDir, Date.now());
	if (unsafe) throw new SettingError(unsafe);
	const store = await openStore({ dataDir, redis, caFile, warn: (message) => log.warn(message) });
	try {
		return await startOn(store, settings, { ...options, log, sink });
	} catch (error) {
		// A connection that stays open would keep the program from ending.
		await store.close();
		throw error;
	}
}

async function startOn(
	store: GatewayStore,
	settings: Settings,
	{ log, sink, ...options }: GatewayOptions & { log: Logger; sink: LogSink | undefined },
): Promise<Gateway> {
	const configuredKey = strongConfiguredKey(settings) || undefined;
	const ring = new KeyRing({ store, now: Date.now, random: randomBytes, configuredKey });
	const key =
		settings.noAuth || configuredKey ? undefined : await ensureGatewayKey(settings.dataDir, ring, randomBytes);
	const refusal = refusalToListen({
		host: settings.host,
		allowRemote: settings.allowRemote,
		noAuth: settings.noAuth,
		hasKey: key !== undefined || configuredKey !== undefined,
	});
	if (refusal) throw new SettingError(refusal);

	const clock = options.clock ?? systemClock;
	const upstream = await openUpstreamSide(settings, {
		clock,
		limits: options.runLimits,
		health: options.health,
		healthChanged: (health) => logHealth(log, health),
		report: (line) => log.warn(line),
	});
	const sessions = new Ladder({
		store,
		clock,
		parked: { ...parkedLimits(settings), ...options.parked },
		newConversationId: randomUUID,
		warn: (what, error) => log.warn({ error: (error as Error)?.message }, what),
	});
	const reportBug = (error: unknown) =>
		log.error({ error: (error as Error)?.stack ?? String(error) }, "a mistake of the gateway");
	const turns = new TurnService({
		sessions,
		clock,
		streamLimits: DEFAULT_STREAM_LIMITS,
		now: Date.now,
		reportBug,
		record(row) {
			store.addToLedger(row);
			log.info(row, "turn");
		},
	});
	let closing = false;
	const routes = apiRoutes({
		version: options.version,
		turns,
		gate: new TurnGate(turnLimits(settings)),
		responses: new StoredResponses(store, reportBug),
		storeKind: () => store.kind,
		problems: () => [...storeProblems(store.status()), ...(sink?.problems() ?? [])],
		accountOf(caller) {
			const credential = caller.credential === undefined ? undefined : parseCredential(caller.credential);
			return credential ? upstream.guests.of(credential) : upstream.ownAccount();
		},
		isClosing: () => closing,
	});

	let hosts: ReadonlySet<string> = new Set();
	const allowedOrigins = new Set(settings.allowOrigins.split(",").filter((origin) => origin !== ""));
	const server = createServer<Caller>(
		{
			limits: serverLimits(settings, openFilesLimit()),
			isPublic: (request) => isPublic({ method: request.method ?? "", target: request.url ?? "" }),
			guard(request) {
				const head = { method: request.method ?? "", target: request.url ?? "", rawHeaders: request.rawHeaders };
				const problem = checkRequest({ ...head, allowedHosts: hosts, allowedOrigins });
				if (problem) throw problem;
			},
			standingHeaders: ({ headers }) => pageHeaders(headers, allowedOrigins),
			preflight: ({ method, headers }) => preflightHeaders(method, headers, allowedOrigins),
			async admit(request: IncomingMessage) {
				const presented = presentedKey(request.rawHeaders);
				if (presented instanceof GatewayError) throw presented;
				const admission = await admit(presented, {
					keys: ring,
					cursorCredential,
					acceptCredentials: settings.acceptCursorCredentials,
					noAuth: settings.noAuth,
				});
				if (admission instanceof GatewayError) throw admission;
				if (admission.credential !== undefined) await upstream.guests.check(parseCredential(admission.credential)!);
				return { ...admission, id: admission.caller.id, kind: admission.caller.kind };
			},
			formOf: dialectOf,
			parseBody: jsonBodyParser(),
			newId: randomUUID,
			reportBug,
		},
		routes,
	);
	await server.listen({ host: settings.host, port: settings.port });
	const { port } = server.server.address() as { port: number };
	// Who has no key any more gets no results in, so what waits for them is given up.
	const revocations = setInterval(() => {
		if (sessions.parkedRuns === 0) return;
		ring.newlyRevoked().then(
			(records) => {
				const gone = new Set(records.map((record) => callerOfKey(record).id));
				sessions.closeParked((caller) => gone.has(caller));
			},
			(error) => log.warn({ error: (error as Error).message }, "revoked keys cannot be read"),
		);
		// Nothing goes on with a login that was given up.
		upstream.isSignedOut().then(
			(isSignedOut) => isSignedOut && sessions.closeParked((caller) => !bringsCredential(caller)),
			(error) => log.warn({ error: (error as Error).message }, "the login cannot be read"),
		);
	}, REVOCATIONS_EVERY_MS);
	hosts = allowedHosts(
		port,
		settings.allowRemote ? [settings.host, ...settings.allowHosts.split(",").filter((name) => name !== "")] : [],
	);
	const shown = settings.host.includes(":") ? `[${settings.host}]` : settings.host;

	return {
		url: `http://${shown}:${port}`,
		key,
		routes: routes.map(({ method, path }) => ({ method, path })),
		parkedRuns: () => sessions.parkedRuns,
		upstream: () => upstream.stats(),
		async close(graceMs = 0) {
			closing = true;
			clearInterval(revocations);
			const deadline = Date.now() + graceMs;
			while (turns.openResponses > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
			sessions.closeParked();
			await server.close();
			await upstream.close();
			await store.close();
			await sink?.drain(LAST_LINES_MS);
		},
	};
}

const HEALTH_LINES: Record<HealthReport["state"], string> = {
	open: "Cursor keeps failing: no more requests for a while",
	"half-open": "Cursor is tried again with one request",
	closed: "Cursor answers again",
};

function logHealth(log: Logger, { state, ...health }: HealthReport): void {
	log[state === "open" ? "warn" : "info"]({ breaker: state, ...health }, HEALTH_LINES[state]);
}

function cursorCredential(text: string): { secret: string; meaning: string } | undefined {
	const credential = parseCredential(text);
	return credential && { secret: secretOf(credential).reveal(), meaning: meaningOf(credential).reveal() };
}
