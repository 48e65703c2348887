import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refusalToListen } from "../access/bind.ts";
import { type Admission, admit } from "../access/caller.ts";
import { allowedHosts, checkRequest, isPublic, presentedKey } from "../access/guard.ts";
import { ensureGatewayKey, type GatewayKey } from "../access/key-file.ts";
import { KeyRing } from "../access/key-ring.ts";
import { TurnGate } from "../access/limits.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import { parseCredential } from "../credentials/parse-credential.ts";
import { encodeChatError } from "../dialects/chat/errors.ts";
import { createLog, type Logger } from "../observe/log.ts";
import { chatCall } from "../routes/chat.ts";
import { getModel, listModels } from "../routes/models.ts";
import { createServer, DEFAULT_SERVER_LIMITS, type Route } from "../server/server.ts";
import { DEFAULT_STREAM_LIMITS } from "../server/stream-response.ts";
import { sendJson, TurnService } from "../server/turn-service.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import { Sessions } from "../sessions/sessions.ts";
import { openStore } from "../store/open-store.ts";
import { GatewayError } from "../turn/error.ts";
import type { CursorAccount } from "../upstream/cursor-account.ts";
import type { RunLimits } from "../upstream/run-limits.ts";
import { systemClock } from "../wire/clock.ts";
import { openUpstreamSide } from "./upstream.ts";

export interface GatewayOptions {
	version: string;
	runLimits?: Partial<RunLimits>;
	/** How long and how many runs may wait for tool results. */
	parked?: Partial<ParkedLimits>;
	log?: Logger;
}

export interface Gateway {
	url: string;
	/** The owner's key; undefined where keys are switched off or one was given. */
	key: GatewayKey | undefined;
	/** Everything that is answered; paths may end in a star. */
	routes: readonly { method: string; path: string }[];
	/** Runs that wait for tool results. */
	parkedRuns(): number;
	/** Lets open answers end, for so long at the most, then ends everything. */
	close(graceMs?: number): Promise<void>;
}

type Caller = Admission & { id: string };

const PARKED: ParkedLimits = { deadlineMs: 15 * 60_000, total: 256, perCaller: 32 };
const HEALTH = "/healthz";

/** Puts the product together and listens. Settings that cannot be used throw a `SettingError`. */
export async function startGateway(settings: Settings, options: GatewayOptions): Promise<Gateway> {
	const log = options.log ?? createLog(settings.logLevel);
	const store = await openStore({ dataDir: settings.dataDir, warn: (message) => log.warn(message) });
	const ring = new KeyRing({ store, now: Date.now, random: randomBytes, configuredKey: settings.key || undefined });
	const key = settings.noAuth || settings.key ? undefined : await ensureGatewayKey(settings.dataDir, ring, randomBytes);
	const refusal = refusalToListen({
		host: settings.host,
		allowRemote: settings.allowRemote,
		noAuth: settings.noAuth,
		hasKey: key !== undefined || settings.key !== "",
	});
	if (refusal) throw new SettingError(refusal);

	const upstream = await openUpstreamSide(settings, { limits: options.runLimits, report: (line) => log.warn(line) });
	const sessions = new Sessions({
		store,
		clock: systemClock,
		parked: { ...PARKED, ...options.parked },
		newConversationId: randomUUID,
		warn: (what, error) => log.warn({ error: (error as Error)?.message }, what),
	});
	const mistake = (error: unknown) =>
		log.error({ error: (error as Error)?.stack ?? String(error) }, "a mistake of the gateway");
	const turns = new TurnService({
		sessions,
		clock: systemClock,
		streamLimits: DEFAULT_STREAM_LIMITS,
		now: Date.now,
		mistake,
		record(row) {
			store.record(row);
			log.info(row, "turn");
		},
	});
	const gate = new TurnGate();
	let closing = false;

	const accountOf = (caller: Caller): Promise<CursorAccount> | CursorAccount => {
		const credential = caller.credential === undefined ? undefined : parseCredential(caller.credential);
		return credential ? upstream.accountOf(credential) : upstream.ownAccount();
	};
	const chat: Route<Caller>["handler"] = async ({ caller, body, response }) => {
		if (closing) throw new GatewayError("shutting-down");
		const call = chatCall(body, { newId: randomUUID, now: Date.now });
		const leave = gate.enter(caller.caller);
		if (leave instanceof GatewayError) throw leave;
		// A client that left while its request was read has closed it already.
		if (response.closed) return leave();
		response.on("close", leave);
		await turns.serve(call, { caller: caller.id, account: await accountOf(caller) }, response);
	};
	const models: Route<Caller>["handler"] = async ({ caller, response }) =>
		sendJson(response, 200, {}, await listModels(await accountOf(caller)));
	const model: Route<Caller>["handler"] = async ({ caller, request, response }) => {
		const name = (request.params as Record<string, string>)["*"] ?? "";
		sendJson(response, 200, {}, await getModel(await accountOf(caller), name));
	};
	const health: Route<Caller>["handler"] = ({ response }) => {
		const { mode, degraded } = store.status();
		// Anyone may ask, so why it is degraded (a path, perhaps) stands in the log alone.
		sendJson(response, 200, {}, { status: degraded ? "degraded" : "ok", version: options.version, store: mode });
	};
	const routes: Route<Caller>[] = [{ method: "GET", path: HEALTH, handler: health }];
	// Some clients add /v1 to the base URL they are given, and some do not.
	for (const prefix of ["/v1", ""]) {
		routes.push(
			{ method: "POST", path: `${prefix}/chat/completions`, handler: chat },
			{ method: "GET", path: `${prefix}/models`, handler: models },
			{ method: "GET", path: `${prefix}/models/*`, handler: model },
		);
	}

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
			encodeError: (_path, error) => encodeChatError(error),
			mistake,
		},
		routes,
	);
	await server.listen({ host: settings.host, port: settings.port });
	const { port } = server.server.address() as { port: number };
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
		async close(graceMs = 0) {
			closing = true;
			const deadline = Date.now() + graceMs;
			while (turns.openResponses > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
			sessions.closeParked();
			await server.close();
			await upstream.close();
			await store.close();
		},
	};
}
