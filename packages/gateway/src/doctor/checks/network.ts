import { lookup } from "node:dns/promises";
import { chooseProxy, hostOf } from "../../wire/connect/proxy.ts";
import { H1Client } from "../../wire/h1/h1.ts";
import { unary } from "../../wire/unary.ts";
import type { Check, DoctorContext } from "../check.ts";
import { failure, ok, type Verdict, warning } from "../verdict.ts";

const LIMIT_MS = 10_000;

/** A host that has to be reached. Without the login page everything else still works. */
interface Host {
	url: URL;
	isVital: boolean;
}

/** The API's host, the account's host for runs, and the host of the login page. */
async function hostsOf(context: DoctorContext): Promise<Host[]> {
	const { upstream, website } = context.settings();
	const agent = await context
		.upstream()
		.then((side) => side.ownAccount())
		.then(({ facts }) => facts.hosts.resolve())
		.then(({ agentUrl }) => [agentUrl])
		// Signed out: the account's own host is not known.
		.catch(() => []);
	const all = [new URL(upstream), ...agent, new URL(website)];
	const different = all.filter((url, index) => all.findIndex(({ origin }) => origin === url.origin) === index);
	return different.map((url) => ({
		url,
		isVital: url.origin !== new URL(website).origin || url.origin === all[0]!.origin,
	}));
}

/** A failure of a host that is not vital is only a warning. */
const weighed = (verdict: Verdict, { isVital }: Host): Verdict =>
	verdict.status === "failure" && !isVital ? { ...verdict, status: "warning" } : verdict;

const proxyOf = (origin: URL, context: DoctorContext): URL | undefined => {
	const { httpsProxy, httpProxy, noProxy } = context.settings();
	return chooseProxy(origin, { httpsProxy, httpProxy, noProxy });
};

export const proxy: Check = {
	id: "proxy",
	title: "Proxy",
	after: ["config", "trust"],
	async run(context) {
		const through = new Set((await hostsOf(context)).map(({ url }) => proxyOf(url, context)?.host ?? "none"));
		return ok([...through].map((name) => (name === "none" ? "none" : `through ${name}`)).join(", "));
	},
};

export const dns: Check = {
	id: "dns",
	title: "DNS",
	after: ["config", "proxy"],
	async run(context) {
		const verdicts = (await hostsOf(context)).map(async (wanted) => {
			const through = proxyOf(wanted.url, context);
			const host = hostOf(through ?? wanted.url);
			const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => error);
			return weighed(judgeLookup(host, through !== undefined, found), wanted);
		});
		return Promise.all(verdicts);
	},
};

export function judgeLookup(
	host: string,
	isProxy: boolean,
	found: { address: string }[] | NodeJS.ErrnoException,
): Verdict {
	const name = isProxy ? `the proxy ${host}` : host;
	if (found instanceof Error) {
		return failure(
			`${name} is not found (${found.code})`,
			"Check the network and its name server, or the proxy settings.",
		);
	}
	const addresses = found.map(({ address }) => address).join(", ");
	return ok(addresses === host ? `${name} is already an address` : `${name} is ${addresses}`);
}

/** What is read from a connection; one without TLS has none of it. */
interface SecureSocket {
	alpnProtocol?: string | false;
	getProtocol?(): string | null;
	getPeerCertificate?(): { issuer?: { O?: string; CN?: string }; valid_to?: string };
	destroy(): void;
}

export interface Handshake {
	origin: string;
	isSecure: boolean;
	alpn?: string;
	protocol?: string;
	issuer?: string;
}

export function judgeHandshake({ origin, isSecure, alpn, protocol, issuer }: Handshake): Verdict {
	if (!isSecure) return ok(`${origin}: no TLS, as the address says`);
	const secured = `${origin}: ${protocol}${issuer ? `, certificate of ${issuer}` : ""}`;
	if (alpn === "h2") return ok(`${secured}, HTTP/2 offered`);
	return warning(
		`${secured}, but no HTTP/2 (ALPN: ${alpn || "none"})`,
		"Something on the network removes HTTP/2; runs use HTTP/1.1 automatically. Set CURSORWIRE_HTTP1=1 to skip the attempt.",
	);
}

export function judgeConnectFailure(origin: string, error: Error & { code?: string }): Verdict {
	const steps: Record<string, string> = {
		tls: "If your company inspects TLS, set CURSORWIRE_CA_FILE to its certificate authority.",
		"proxy-refused": "Check HTTPS_PROXY, with user and password if the proxy needs them.",
		"bad-ca-file": "Set CURSORWIRE_CA_FILE to a PEM file, or unset it.",
		"bad-proxy-url": "Set HTTPS_PROXY to a URL such as http://proxy:8080.",
	};
	return failure(
		`${origin}: ${error.message}`,
		steps[error.code ?? ""] ?? "Check the network, a firewall, HTTPS_PROXY.",
	);
}

export const tls: Check = {
	id: "tls",
	title: "TLS",
	after: ["config", "dns"],
	async run(context) {
		const hosts = await hostsOf(context);
		return Promise.all(hosts.map(async (host) => weighed(await shakeHands(host.url, context), host)));
	},
};

async function shakeHands(origin: URL, context: DoctorContext): Promise<Verdict> {
	try {
		const connect = await context.connect();
		const socket = (await connect(origin, { alpn: ["h2", "http/1.1"], timeoutMs: LIMIT_MS })) as SecureSocket;
		const { O, CN } = socket.getPeerCertificate?.().issuer ?? {};
		const verdict = judgeHandshake({
			origin: origin.origin,
			isSecure: socket.getProtocol !== undefined,
			alpn: socket.alpnProtocol || undefined,
			protocol: socket.getProtocol?.() ?? undefined,
			issuer: O ?? CN,
		});
		socket.destroy();
		return verdict;
	} catch (error) {
		return judgeConnectFailure(origin.origin, error as Error);
	}
}

const SECOND = 1000;

/** Tokens are valid for a limited time; a clock that is minutes off makes them invalid. */
export function judgeClock(aheadMs: number | undefined): Verdict {
	if (aheadMs === undefined) return ok("the backend sends no time to compare with");
	const seconds = Math.round(Math.abs(aheadMs) / SECOND);
	const text = seconds < 2 ? "correct" : `${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the backend's`;
	const next =
		"Synchronise the clock with the network (`timedatectl set-ntp true`, or the date settings of the system).";
	if (seconds > 300) return failure(text, next);
	return seconds > 30 ? warning(text, next) : ok(text);
}

export const clock: Check = {
	id: "clock",
	title: "Clock",
	after: ["tls"],
	async run(context) {
		const origin = new URL(context.settings().upstream);
		const client = new H1Client({ connect: await context.connect() });
		try {
			const request = { origin, key: "doctor", path: "/", method: "GET", headers: {}, deadlineMs: LIMIT_MS };
			const { headers } = await unary(client, request, new Uint8Array());
			const told = Date.parse(String(headers.date));
			return judgeClock(Number.isNaN(told) ? undefined : context.now() - told);
		} finally {
			client.close();
		}
	},
};
