import { readFileSync } from "node:fs";
import { AgentClientMessageSchema, AgentServerMessageSchema, AgentService } from "@cursorwire/protocol/agent";
import { type Account, type AccountFileInput, DEFAULT_ACCOUNTS, parseAccountFile } from "./accounts/account.ts";
import { bearerToken, Directory } from "./accounts/directory.ts";
import { agentRun } from "./agent/run.ts";
import { addLogin } from "./auth/login.ts";
import { addTokenEndpoints } from "./auth/token-endpoints.ts";
import type { Backend } from "./backend.ts";
import { bidiAppend } from "./bidi/append.ts";
import { AppendInboxes } from "./bidi/append-inboxes.ts";
import type { BidiService } from "./bidi/channel.ts";
import { duplex } from "./bidi/duplex.ts";
import { poll } from "./bidi/poll.ts";
import { sse } from "./bidi/sse.ts";
import type { Brain } from "./brains/brain.ts";
import { loadBrain } from "./brains/load.ts";
import { type LoggedRequest, RequestLog } from "./control/request-log.ts";
import { addControl } from "./control/routes.ts";
import { Stats } from "./control/stats.ts";
import { FaultPlan } from "./faults/plan.ts";
import { Exchange } from "./http/exchange.ts";
import { type Handler, Router } from "./http/router.ts";
import { makeCertificate } from "./listen/certificate.ts";
import { type Listener, listen } from "./listen/listener.ts";
import { addChatService } from "./older/routes.ts";
import type { ShownPrompt } from "./prompts/prompt.ts";
import { Eye } from "./prompts/prompt-log.ts";
import { readRecordings } from "./replay/recording.ts";
import { Replay } from "./replay/replay.ts";
import { addPromptContextUsage } from "./services/prompt-context-usage.ts";
import { addRest } from "./services/rest.ts";
import { addUnaryRpcs, unimplemented } from "./services/unary-rpcs.ts";
import { addWeb } from "./services/web.ts";
import { Switches } from "./switches.ts";
import { type Bill, Bills } from "./token-usage/bill.ts";
import { ContextUsages } from "./token-usage/context-usage.ts";

export interface EmulatorOptions {
	/** Default 127.0.0.1. The emulator has no access control of its own. */
	host?: string;
	/** Default 0: any free port. */
	port?: number;
	tls?: boolean | TlsOptions;
	/** `demo` (default), `echo`, `relay:<url>`, a module path, or a function. */
	brain?: string | Brain;
	/** A recording of `cursorwire serve --record`, or a folder of them, to play in place of the brain. */
	replay?: string;
	/** Path of an account file, or its content. */
	accounts?: string | AccountFileInput;
	faults?: string[];
	/** `name=value` each. */
	switches?: string[];
	strict?: boolean;
	/** Compress messages of at least this many bytes. */
	gzipFrom?: number;
	autoApprove?: boolean;
	heartbeatMs?: number;
	/** How many requests `/__emulator/requests` remembers, and up to 50 how many prompts `/__emulator/prompts`. */
	requestLog?: number;
	/** Called with each prompt as the model would read it, as text for a person. */
	onPrompt?: (text: string) => void;
	/** Two more ports that stand for the privacy and the other agent host; the main one then serves no runs. */
	agentHosts?: boolean;
	/** API key for a `relay:` brain. */
	relayKey?: string;
	/** Where module paths are looked up. Default: the current folder. */
	folder?: string;
	report?: (line: string) => void;
}

export interface TlsOptions {
	/** Default h2 and http/1.1. Without h2 it behaves like a network that inspects TLS. */
	alpn?: string[];
	/** Names the certificate is for. */
	hosts?: string[];
	expired?: boolean;
}

export interface Emulator {
	url: string;
	/** PEM of the certificate, to be trusted by clients; undefined without TLS. */
	ca: string | undefined;
	/** Hosts for runs; the same as `url` unless `agentHosts` is on. */
	agentUrls: { agent: string; agentn: string };
	stats(): Stats & { connections: { open: number } };
	requests(): LoggedRequest[];
	/** The newest prompts as the model would read them, oldest first. */
	prompts(): ShownPrompt[];
	clearPrompts(): void;
	/** What the last runs cost, by the emulator's own count, whatever it told the client. */
	bills(): Bill[];
	addFault(spec: string): void;
	clearFaults(): void;
	set(setting: string): void;
	expireTokens(): void;
	close(): Promise<void>;
}

const MOST_PROMPTS = 50;
const PROMPT_CHARACTERS = 16 << 20;
const MOST_CONVERSATIONS = 1000;

const RUN_TYPES = { input: AgentClientMessageSchema, output: AgentServerMessageSchema };

type Role = "main" | "agent" | "agentn";

/** Starts Cursor's backend in a box. Bad options throw one clear line. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const backend = await makeBackend(options);
	const tls = tlsOf(options.tls);
	const listeners: Listener[] = [];
	const openConnections = () => listeners.reduce((sum, listener) => sum + listener.openConnections(), 0);
	const stats = () =>
		Object.assign(Object.create(null), backend.stats, {
			connections: { ...backend.stats.connections, open: openConnections() },
		}) as ReturnType<Emulator["stats"]>;

	const router = makeRouter(backend);
	addControl(router, backend, { stats, caPem: tls?.cert });

	const host = options.host ?? "127.0.0.1";
	const open = async (port: number, role: Role): Promise<string> => {
		const listener = await listen({
			host,
			port,
			tls,
			onConnection: () => {
				backend.stats.connections.accepted += 1;
				return backend.faults.empty || backend.faults.take("connect", "") === undefined;
			},
			onProtocol: (protocol) => {
				backend.stats.connections[protocol] += 1;
			},
			onRequest: (request, response) => void handle(new Exchange(request, response), router, backend, role),
		});
		listeners.push(listener);
		return listener.url;
	};

	const url = await open(options.port ?? 0, "main");
	backend.urls = options.agentHosts
		? { main: url, agent: await open(0, "agent"), agentn: await open(0, "agentn") }
		: { main: url, agent: url, agentn: url };
	backend.separateAgentHosts = options.agentHosts ?? false;

	return {
		url,
		ca: tls?.cert,
		agentUrls: { agent: backend.urls.agent, agentn: backend.urls.agentn },
		stats,
		requests: () => backend.log.list(),
		prompts: () => backend.eye.list(),
		clearPrompts: () => backend.eye.clear(),
		bills: () => backend.bills.list(),
		addFault: (spec) => backend.faults.add(spec),
		clearFaults: () => backend.faults.clear(),
		set: (setting) => backend.switches.set(setting),
		expireTokens: () => backend.directory.expireAccessTokens(),
		async close() {
			await Promise.all(listeners.map((listener) => listener.close()));
		},
	};
}

async function makeBackend(options: EmulatorOptions): Promise<Backend> {
	const folder = options.folder ?? process.cwd();
	const brain = typeof options.brain === "function" ? options.brain : undefined;
	const now = Date.now;
	const requestLog = options.requestLog ?? 200;
	return {
		brain: brain ?? (await loadBrain((options.brain as string | undefined) ?? "demo", folder, options.relayKey)),
		directory: new Directory(readAccounts(options.accounts), now),
		switches: new Switches(options.switches),
		faults: new FaultPlan(options.faults),
		stats: new Stats(),
		log: new RequestLog(requestLog),
		eye: new Eye({
			prompts: Math.min(requestLog, MOST_PROMPTS),
			characters: PROMPT_CHARACTERS,
			now,
			print: options.onPrompt,
		}),
		bills: new Bills(requestLog),
		contextUsages: new ContextUsages(MOST_CONVERSATIONS),
		inboxes: new AppendInboxes(),
		replay: options.replay === undefined ? undefined : new Replay(readRecordings(options.replay)),
		strict: options.strict ?? false,
		autoApprove: options.autoApprove ?? false,
		gzipFrom: options.gzipFrom ?? Number.POSITIVE_INFINITY,
		heartbeatMs: options.heartbeatMs ?? 5000,
		urls: { main: "", agent: "", agentn: "" },
		separateAgentHosts: false,
		now,
		report: options.report ?? (() => {}),
	};
}

function readAccounts(accounts: EmulatorOptions["accounts"]) {
	if (typeof accounts !== "string") return parseAccountFile(accounts ?? DEFAULT_ACCOUNTS, "accounts");
	let text: string;
	try {
		text = readFileSync(accounts, "utf8");
	} catch (error) {
		throw new Error(`account file ${accounts} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
	}
	try {
		return parseAccountFile(JSON.parse(text), accounts);
	} catch (error) {
		throw error instanceof SyntaxError ? new Error(`${accounts}: not JSON: ${error.message}`) : error;
	}
}

function tlsOf(tls: EmulatorOptions["tls"]) {
	if (!tls) return undefined;
	const settings = tls === true ? {} : tls;
	const certificate = makeCertificate({
		hosts: settings.hosts ?? ["localhost", "127.0.0.1", "::1"],
		...(settings.expired && { notBefore: new Date("2020-01-01"), notAfter: new Date("2020-02-01") }),
	});
	return { ...certificate, alpn: settings.alpn ?? ["h2", "http/1.1"] };
}

function makeRouter(backend: Backend): Router {
	const router = new Router();
	addLogin(router, backend);
	addTokenEndpoints(router, backend);
	addUnaryRpcs(router, backend);
	addPromptContextUsage(router, backend);
	addRest(router, backend);
	addWeb(router, backend);
	const run: BidiService = backend.replay?.service("agent", backend.stats) ?? ((channel) => agentRun(channel, backend));
	const path = (rpc: string) => `/${AgentService.typeName}/${rpc}`;
	router.add("POST", path("Run"), duplex(backend, "Run", run, RUN_TYPES));
	router.add("POST", path("RunSSE"), sse(backend, "RunSSE", run, RUN_TYPES));
	router.add("POST", path("RunPoll"), poll(backend, "RunPoll", run));
	router.add("POST", "/aiserver.v1.BidiService/BidiAppend", bidiAppend(backend));
	addChatService(router, backend);
	return router;
}

async function handle(exchange: Exchange, router: Router, backend: Backend, role: Role): Promise<void> {
	backend.stats.called(exchange.path);
	backend.stats.exchanges.open += 1;
	exchange.onClosed(() => {
		backend.stats.exchanges.open -= 1;
	});
	if (!exchange.path.startsWith("/__emulator/")) backend.log.add(exchange);
	try {
		if (isRun(exchange) && !servesRuns(backend, exchange, role)) {
			// The wrong region's host says nothing at all.
			exchange.send(200, { "content-type": "application/connect+proto" });
			return;
		}
		const handler: Handler | undefined = router.find(exchange.method, exchange.path);
		if (handler) await handler(exchange);
		else if (exchange.method === "POST") unimplemented(exchange);
		else exchange.text(404, "Not found: this is the Cursorwire emulator, see /__emulator/stats\n");
	} catch (error) {
		if (exchange.clientGone.aborted) return;
		backend.report(`${exchange.method} ${exchange.path}: ${(error as Error).message}`);
		exchange.json(400, { error: { code: "bad_request", message: (error as Error).message } });
	}
}

function isRun(exchange: Exchange): boolean {
	return exchange.path.startsWith(`/${AgentService.typeName}/Run`);
}

/** With separate agent hosts, an account's runs are served by one of them only. */
function servesRuns(backend: Backend, exchange: Exchange, role: Role): boolean {
	if (!backend.separateAgentHosts) return true;
	if (role === "main") return false;
	const wanted = backend.switches.get("privacy-host");
	if (wanted === "any") return true;
	const privateHost = wanted;
	const otherHost = wanted === "agent" ? "agentn" : "agent";
	return role === (isPrivate(backend, exchange) ? privateHost : otherHost);
}

function isPrivate(backend: Backend, exchange: Exchange): boolean {
	const token = bearerToken(exchange.headers.authorization);
	let account: Account;
	try {
		account = backend.directory.byAccessToken(token && `Bearer ${token}`);
	} catch {
		return true;
	}
	return account.privacyMode === "no-storage" || account.privacyMode === "no-training";
}
