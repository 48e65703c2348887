import { randomBytes } from "node:crypto";
import { release, type } from "node:os";
import { AnswerFile } from "../../calibrate/answer-file.ts";
import type { Answers } from "../../calibrate/answers.ts";
import { runChoices } from "../../calibrate/choices.ts";
import { Learner } from "../../calibrate/learner.ts";
import { ownAccountKey } from "../../calibrate/own-account.ts";
import { acceptedVersions } from "../../config/client-versions.ts";
import { SettingError, type Settings } from "../../config/settings.ts";
import type { Account } from "../../credentials/account.ts";
import { accountOf, openAccount } from "../../credentials/open-account.ts";
import { Secret } from "../../credentials/secret.ts";
import type { SharedLogins } from "../../credentials/token/shared-logins.ts";
import { newId } from "../../text/new-id.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Soon } from "../../time/soon.ts";
import type { GatewayError } from "../../turn/error.ts";
import type { TurnMode } from "../../turn/request.ts";
import { AccountFacts } from "../../upstream/account/account-facts.ts";
import { CursorAccount } from "../../upstream/account/cursor-account.ts";
import type { ClientIdentity } from "../../upstream/account/identity.ts";
import type { TokenSource } from "../../upstream/account/token-source.ts";
import type { CensusKeeper } from "../../upstream/census/census-keeper.ts";
import { DEFAULT_HEALTH_LIMITS, HealthRegister } from "../../upstream/health/health-register.ts";
import type { HealthLimits, HealthReport } from "../../upstream/health/host-health.ts";
import type { ProtocolName } from "../../upstream/protocols/driver.ts";
import { createDrivers, type OlderFraming, type UnifiedStream } from "../../upstream/protocols/drivers.ts";
import { Protocols } from "../../upstream/protocols/protocols.ts";
import type { Observe } from "../../upstream/run/observe.ts";
import { Pulse } from "../../upstream/run/pulse.ts";
import { DEFAULT_CHOICES } from "../../upstream/run/run-choices.ts";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "../../upstream/run/run-limits.ts";
import type { RunServices } from "../../upstream/run/run-parts.ts";
import type { RunRecorder } from "../../upstream/run/run-tape.ts";
import { packageVersion } from "../../version.ts";
import { createConnector } from "../../wire/connect/connector.ts";
import { readTrust } from "../../wire/connect/trust.ts";
import { WireError } from "../../wire/errors.ts";
import { H1Client, type H1ClientStats } from "../../wire/h1/h1.ts";
import { H2Pool, type H2PoolStats } from "../../wire/h2/h2-pool.ts";
import { bindPlainly } from "../../wire/h2/plain-bind.ts";
import type { Transport } from "../../wire/stream.ts";
import { runDeadlines, sizeLimits } from "../limits.ts";
import { openCensus } from "./census.ts";
import { GuestAccounts } from "./guest-accounts.ts";
import { olderIdentity } from "./older-identity.ts";

/** The Cursor side of the product, put together from settings. */
export interface UpstreamSide {
	/** HTTP/1.1, used for everything except runs. */
	transport: H1Client;
	/** The account of this installation. */
	ownAccount(): Soon<CursorAccount>;
	/** Which login the account has, as soon as it is in use. */
	login(): Promise<string | undefined>;
	/** Why there is no login that could be used; undefined if there is one. Cursor is not asked. */
	loginProblem(): Promise<GatewayError | undefined>;
	/** Whether the login of the account was in use and has been given up since. */
	isSignedOut(): Promise<boolean>;
	/** The accounts of credentials that come with requests. */
	guests: GuestAccounts;
	/** Counts what Cursor sends that is unknown here. */
	news: CensusKeeper;
	stats(): UpstreamStats;
	/** Whether the account of this installation lists a model of this name, as far as that is known without asking. */
	listsModel(name: string): boolean;
	/** When the access token of the account expires, if it is known. */
	loginExpiresAt(): number | undefined;
	close(): Promise<void>;
}

/** What is open to Cursor right now. */
export interface UpstreamStats {
	/** Runs in progress, including those that wait for tool results. */
	runs: number;
	http2: H2PoolStats;
	http1: H1ClientStats;
}

export interface UpstreamSideOptions {
	limits?: Partial<RunLimits>;
	health?: Partial<HealthLimits>;
	/** The breaker of a host opened, half-opened or closed. */
	healthChanged?: (health: HealthReport) => void;
	/** Runs do not fall back to HTTP/1.1. `doctor` uses this to find out whether HTTP/2 gets through. */
	http2Only?: boolean;
	/** Carries runs in place of HTTP/2, to measure the rest of the path without sockets. */
	runTransport?: Transport;
	/** Default: a keeper for the data folder of the settings. */
	news?: CensusKeeper;
	report?: (line: string) => void;
	/**
	 * Receives what turns show about the server. When it is given, nothing is learnt for later from these turns, and
	 * nothing that was learnt before is applied to them.
	 */
	observe?: Observe;
	/** Records every run, unless the settings ask for a recording on disk. */
	recorder?: RunRecorder;
	/** Default: real time. */
	clock?: Clock;
	/** The gateways with the same login. */
	shared?: SharedLogins | undefined;
}

const NO_ANSWERS: Answers = {};
const NO_FALLBACK: Transport = {
	open: () => Promise.reject(new WireError("alpn-no-h2", "HTTP/2 does not get through", { safeToRetry: true })),
};

export async function openUpstreamSide(settings: Settings, options: UpstreamSideOptions = {}): Promise<UpstreamSide> {
	const connect = createConnector({
		proxy: { httpsProxy: settings.httpsProxy, httpProxy: settings.httpProxy, noProxy: settings.noProxy },
		...(settings.caFile && { ca: await readTrust(settings.caFile) }),
	});
	const clock = options.clock ?? systemClock;
	bindPlainly();
	const pool = new H2Pool({ connect, clock });
	const transport = new H1Client({ connect, clock });
	const pulse = new Pulse(clock);
	const news = options.news ?? openCensus(settings);
	const limits = { ...DEFAULT_RUN_LIMITS, ...sizeLimits(settings), ...runDeadlines(settings), ...options.limits };
	const learner = new Learner({
		file: new AnswerFile(settings.dataDir, settings.upstream),
		clientVersion: settings.clientVersion,
		now: Date.now,
	});
	const own = ownAccountKey(settings);
	const learn: Observe = (account, fact, value) => account === own && learner.observe(account, fact, value);
	const observe = options.observe ?? learn;
	const services: RunServices = {
		clock,
		pulse,
		limits,
		health: new HealthRegister({
			limits: { ...DEFAULT_HEALTH_LIMITS, ...options.health },
			clock: systemClock,
			changed: options.healthChanged ?? (() => {}),
		}),
		newId,
		newCallId: () => `call_${randomBytes(16).toString("hex")}`,
		random: Math.random,
		approveWeb: settings.webSearch,
		cacheTokens: DEFAULT_CHOICES.cacheTokens,
		observe,
		recorder: settings.record === "" ? options.recorder : await openRecorder(settings, options.report ?? (() => {})),
	};
	const protocols = new Protocols({
		drivers: createDrivers({
			http2: options.runTransport ?? pool,
			http1: options.http2Only ? NO_FALLBACK : transport,
			forceHttp1: settings.http1,
			clock,
			limits,
			newId,
			counterFor: (protocol) =>
				news.census.counterFor(protocol === "agent" ? settings.clientVersion : settings.chatClientVersion),
			observe,
			unifiedStream: settings.unifiedStream as UnifiedStream,
			olderFraming: settings.chatFraming as OlderFraming,
		}),
		wanted: settings.protocol as ProtocolName | "auto",
		wantedByModel: settings.modelProtocols as Readonly<Record<string, ProtocolName | "auto">>,
		clock,
		report: options.report ?? (() => {}),
	});
	const identity: ClientIdentity = {
		clientType: settings.clientType,
		clientVersion: settings.clientVersion,
		ifOutdated: { setting: "clientVersion", variable: "CURSORWIRE_CLIENT_VERSION", others: acceptedVersions() },
	};
	const cursorAccount = (account: Account, apiKey: Secret | undefined): CursorAccount => {
		const tokens = tokenSource(account);
		const facts = new AccountFacts({
			upstream: new URL(settings.upstream),
			transport,
			tokens,
			accountId: account.key,
			apiKey: () => apiKey?.reveal(),
			identity,
			countUnknown: news.census.counterFor(settings.clientVersion),
			modelAppeared: (id) => news.census.add(settings.clientVersion, { what: "model", path: id }),
			dataDir: settings.dataDir,
			modelAliases: settings.modelAliases,
			maxMode: settings.maxMode,
			now: Date.now,
			newId,
			observe,
		});
		return new CursorAccount({
			id: account.key,
			facts,
			tokens,
			services,
			identity,
			chatIdentity: (protocol) => olderIdentity(settings, protocol),
			protocols,
			choices: () => runChoices(settings, options.observe ? NO_ANSWERS : learner.answers(account.key)),
			mode: settings.mode === "auto" ? undefined : (settings.mode as TurnMode),
			environment: { osVersion: `${type()} ${release()}`, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
			now: Date.now,
		});
	};

	let ownAccount: Soon<CursorAccount> | undefined;
	let ownLogin: Account | undefined;
	const guests = new GuestAccounts({
		clock: systemClock,
		open(credential) {
			const apiKey = credential.kind === "api-key" ? credential.apiKey : undefined;
			return cursorAccount(accountOf(credential, settings.upstream, { transport }), apiKey);
		},
		release(id) {
			pool.release(id);
			transport.release(id);
		},
	});
	const openOwnAccount = (): Soon<CursorAccount> => {
		ownAccount ??= openAccount(settings, { transport, report: options.report, shared: options.shared })
			.then((account) => {
				ownLogin = account;
				ownAccount = cursorAccount(account, settings.apiKey === "" ? undefined : new Secret(settings.apiKey));
				return ownAccount;
			})
			.catch((error) => {
				// Such as a keychain that is locked now.
				ownAccount = undefined;
				throw error;
			});
		return ownAccount;
	};
	return {
		transport,
		news,
		stats: () => ({ runs: pulse.size, http2: pool.stats(), http1: transport.stats() }),
		ownAccount: openOwnAccount,
		listsModel: (name) => ownAccount instanceof CursorAccount && ownAccount.facts.catalog.lists(name),
		loginExpiresAt: () => ownLogin?.expiresAt,
		login: async () => ownLogin?.login(),
		async loginProblem() {
			await openOwnAccount();
			return ownLogin?.loginProblem();
		},
		isSignedOut: async () => (await ownLogin?.isSignedOut()) ?? false,
		guests,
		async close() {
			await pool.close();
			transport.close();
			await news.save();
		},
	};
}

/** Loaded only when something is recorded, because it knows the messages of all protocols. */
async function openRecorder({ record, recordContent }: Settings, warn: (line: string) => void): Promise<RunRecorder> {
	const { FileRecorder } = await import("../../record/file-recorder.ts");
	try {
		const content = recordContent;
		return new FileRecorder({ folder: record, content, gatewayVersion: packageVersion(), now: Date.now, warn });
	} catch (error) {
		throw new SettingError(`recordings cannot be written to ${record}: ${(error as NodeJS.ErrnoException).code}`);
	}
}

/** Tokens are unwrapped only on their way into a header. */
function tokenSource(account: Account): TokenSource {
	return {
		token: () => account.readyToken?.reveal() ?? account.token().then((token) => token.reveal()),
		tokenRefused: async (token) => void (await account.tokenRefused(new Secret(token))),
	};
}
