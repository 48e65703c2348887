import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refusalToListen } from "../access/bind.ts";
import { admit, callerOfKey } from "../access/caller.ts";
import { allowedHosts, checkRequest, isPublic, presentedKey } from "../access/guard.ts";
import { ensureGatewayKey, type GatewayKey } from "../access/key-file.ts";
import { KeyRing } from "../access/key-ring.ts";
import { TurnGate } from "../access/limits.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import { parseCredential } from "../credentials/parse-credential.ts";
import { createLog, type Logger } from "../observe/log.ts";
import { StoredResponses } from "../routes/stored-responses.ts";
import { errorAnswer } from "../server/error-form.ts";
import { createServer, DEFAULT_SERVER_LIMITS } from "../server/server.ts";
import { DEFAULT_STREAM_LIMITS } from "../server/stream-response.ts";
import { TurnService } from "../server/turn-service.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import { Sessions } from "../sessions/sessions.ts";
import { openStore } from "../store/open-store.ts";
import type { GatewayStore } from "../store/store.ts";
import { GatewayError } from "../turn/error.ts";
import type { RunLimits } from "../upstream/run-limits.ts";
import { type Clock, systemClock } from "../wire/clock.ts";
import { apiRoutes, type Caller } from "./api-routes.ts";
import { openUpstreamSide } from "./open-upstream.ts";
import type { UpstreamStats } from "./upstream.ts";

export interface GatewayOptions {
	version: string;
	runLimits?: Partial<RunLimits>;
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

export const PARKED_LIMITS: ParkedLimits = { deadlineMs: 15 * 60_000, total: 256, perCaller: 32 };
const REVOCATIONS_EVERY_MS = 1_000;

/** Puts the product together and listens. Settings that cannot be used throw a `SettingError`. */
export async function startGateway(settings: Settings, options: GatewayOptions): Promise<Gateway> {
	const log = options.log ?? createLog(settings.logLevel);
	const { dataDir, redis, caFile } = settings;
	const store = await openStore({ dataDir, redis, caFile, warn: (message) => log.warn(message) });
	try {
		return await startOn(store, settings, { ...options, log });
	} catch (error) {
		// A connection that stays open would keep the program from ending.
		await store.close();
		throw error;
	}
}

async function startOn(
	store: GatewayStore,
	settings: Settings,
	{ log, ...options }: GatewayOptions & { log: Logger },
): Promise<Gateway> {
	const ring = new KeyRing({ store, now: Date.now, random: randomBytes, configuredKey: settings.key || undefined });
	const key = settings.noAuth || settings.key ? undefined : await ensureGatewayKey(settings.dataDir, ring, randomBytes);
	const refusal = refusalToListen({
		host: settings.host,
		allowRemote: settings.allowRemote,
		noAuth: settings.noAuth,
		hasKey: key !== undefined || settings.key !== "",
	});
	if (refusal) throw new SettingError(refusal);

	const clock = options.clock ?? systemClock;
	const report = (line: string) => log.warn(line);
	const upstream = await openUpstreamSide(settings, { limits: options.runLimits, report, clock });
	const sessions = new Sessions({
		store,
		clock,
		parked: { ...PARKED_LIMITS, ...options.parked },
		newConversationId: randomUUID,
		warn: (what, error) => log.warn({ error: (error as Error)?.message }, what),
	});
	const mistake = (error: unknown) =>
		log.error({ error: (error as Error)?.stack ?? String(error) }, "a mistake of the gateway");
	const turns = new TurnService({
		sessions,
		clock,
		streamLimits: DEFAULT_STREAM_LIMITS,
		now: Date.now,
		mistake,
		record(row) {
			store.record(row);
			log.info(row, "turn");
		},
	});
	let closing = false;
	const routes = apiRoutes({
		version: options.version,
		turns,
		gate: new TurnGate(),
		responses: new StoredResponses(store, mistake),
		storeStatus: () => store.status(),
		accountOf(caller) {
			const credential = caller.credential === undefined ? undefined : parseCredential(caller.credential);
			return credential ? upstream.accountOf(credential) : upstream.ownAccount();
		},
		isClosing: () => closing,
	});

	let hosts: ReadonlySet<string> = new Set();
	const server = createServer<Caller>(
		{
			limits: DEFAULT_SERVER_LIMITS,
			isPublic: (request) => isPublic({ method: request.method ?? "", target: request.url ?? "" }),
			guard(request) {
				const head = { method: request.method ?? "", target: request.url ?? "", rawHeaders: request.rawHeaders };
				const problem = checkRequest({ ...head, allowedHosts: hosts });
				if (problem) throw problem;
			},
			async admit(request: IncomingMessage) {
				const presented = presentedKey(request.rawHeaders);
				if (presented instanceof GatewayError) throw presented;
				const isCursorCredential = (text: string) => parseCredential(text) !== undefined;
				const admission = await admit(presented, { keys: ring, isCursorCredential, noAuth: settings.noAuth });
				if (admission instanceof GatewayError) throw admission;
				return { ...admission, id: admission.caller.id };
			},
			encodeError: (request, error) => errorAnswer(request, error, randomUUID),
			mistake,
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
				for (const record of records) sessions.closeParked(callerOfKey(record).id);
			},
			(error) => log.warn({ error: (error as Error).message }, "revoked keys cannot be read"),
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
		},
	};
}
