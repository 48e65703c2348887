import type { HostRole } from "./agent-hosts.ts";
import type { LoggedRequest } from "./control/request-log.ts";
import { addControl } from "./control/routes.ts";
import type { Stats } from "./control/stats.ts";
import { Exchange } from "./http/exchange.ts";
import { makeCertificate } from "./listen/certificate.ts";
import { type Listener, listen } from "./listen/listener.ts";
import { makeBackend } from "./make-backend.ts";
import type { EmulatorOptions } from "./options.ts";
import type { ShownPrompt } from "./prompts/prompt.ts";
import { makeRouter } from "./routes.ts";
import { serveExchange } from "./serve-exchange.ts";
import type { Bill } from "./token-usage/bill.ts";

export interface Emulator {
	url: string;
	/** The certificate in PEM, for clients to trust; undefined without TLS. */
	ca: string | undefined;
	/** Hosts for runs; the same as `url` unless `agentHosts` is on. */
	agentUrls: { agent: string; agentn: string };
	stats(): Stats & { connections: { open: number } };
	requests(): LoggedRequest[];
	/** The newest prompts as the model would read them, oldest first. */
	prompts(): ShownPrompt[];
	clearPrompts(): void;
	/** What the last runs cost by the emulator's own count, whatever the client was told. */
	bills(): Bill[];
	addFault(spec: string): void;
	clearFaults(): void;
	set(setting: string): void;
	expireTokens(): void;
	close(): Promise<void>;
}

/** Starts the emulator. Throws one line that says which option is wrong. */
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
	const open = async (port: number, role: HostRole): Promise<string> => {
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
			onRequest: (request, response) => void serveExchange(new Exchange(request, response), router, backend, role),
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
		prompts: () => backend.promptLog.list(),
		clearPrompts: () => backend.promptLog.clear(),
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

function tlsOf(tls: EmulatorOptions["tls"]) {
	if (!tls) return undefined;
	const settings = tls === true ? {} : tls;
	const certificate = makeCertificate({
		hosts: settings.hosts ?? ["localhost", "127.0.0.1", "::1"],
		...(settings.expired && { notBefore: new Date("2020-01-01"), notAfter: new Date("2020-02-01") }),
	});
	return { ...certificate, alpn: settings.alpn ?? ["h2", "http/1.1"] };
}
