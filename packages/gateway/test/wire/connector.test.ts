import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type ConnectorOptions, createConnector } from "../../src/wire/connect/connector.ts";
import { readTrust } from "../../src/wire/connect/trust.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { H2Pool, type H2PoolOptions } from "../../src/wire/h2/h2-pool.ts";
import type { Transport } from "../../src/wire/stream.ts";
import { unary } from "../../src/wire/unary.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ConnectProxy, type ConnectProxyOptions } from "../kit/network/connect-proxy.ts";
import { FrameFlag, FrameType, frames, RawPeer, type RawPeerOptions } from "../kit/network/h2-raw.ts";
import { TestAuthority } from "../kit/network/tls.ts";

const authority = new TestAuthority();
const certificate = authority.issue();
const apiCertificate = authority.issue(["api.test"]);
afterAll(() => authority.dispose());

const h2Server: RawPeerOptions = {
	tls: { ...certificate, ALPNProtocols: ["h2"] },
	onConnection(connection) {
		void connection.waitForType(FrameType.HEADERS).then(() => {
			connection.send(frames.headers(1, { ":status": "200" }), frames.data(1, "over h2", FrameFlag.END_STREAM));
		});
	},
};

async function listenH2(options: RawPeerOptions = h2Server): Promise<RawPeer> {
	return closing(await RawPeer.listen(options));
}

/** A server whose connections are handled by `serve`; every socket is closed at the end of the test. */
async function listenSockets(serve: (socket: Socket) => void, tls?: TlsOptions): Promise<URL> {
	const server = tls === undefined ? createServer() : createTlsServer(tls);
	const sockets = new Set<Socket>();
	server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
		socket.on("error", () => {});
		sockets.add(socket);
		serve(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing({
		close: () => {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	});
	return new URL(`${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** A server on another loopback address, which says where it is. */
async function listenAt(address: string): Promise<{ port: number }> {
	const server = createServer((socket) => {
		socket.on("error", () => {});
		socket.on("data", () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${address.length}\r\n\r\n${address}`));
	});
	await new Promise<void>((resolve) => server.listen(0, address, resolve));
	closing({ close: () => void server.close() });
	return server.address() as AddressInfo;
}

const answerH1 = (socket: Socket) => {
	socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nover h1"));
};

function h2(connector: ConnectorOptions = {}, options: Partial<H2PoolOptions> = {}): H2Pool {
	return closing(new H2Pool({ connect: createConnector({ ca: [authority.ca], ...connector }), ...options }));
}

function h1(connector: ConnectorOptions = {}, connectTimeoutMs = 5000): H1Client {
	const connect = createConnector({ ca: [authority.ca], ...connector });
	return closing(new H1Client({ connect, connectTimeoutMs }));
}

async function call(transport: Transport, origin: URL): Promise<string> {
	const request = { origin, key: "account", path: "/", headers: {} };
	const { status, body } = await unary(transport, request, Buffer.from("hello"));
	return `${status} ${body}`;
}

describe("TLS", () => {
	it("reaches an HTTP/2 server that sends its SETTINGS with the handshake", async () => {
		const peer = await listenH2();
		expect(await call(h2(), peer.origin)).toBe("200 over h2");
	});

	it("reaches an HTTP/1.1 server", async () => {
		const origin = await listenSockets(answerH1, { ...certificate, ALPNProtocols: ["http/1.1"] });
		expect(await call(h1(), origin)).toBe("200 over h1");
	});

	it("trusts the certificates of a CA file", async () => {
		const peer = await listenH2();
		expect(await call(h2({ ca: await readTrust(authority.caPath) }), peer.origin)).toBe("200 over h2");
	});

	it.each([
		["only HTTP/1.1", { ALPNProtocols: ["http/1.1"] }],
		["no ALPN at all", {}],
	])("U21: finds out that a server offers %s", async (_name, alpn) => {
		const origin = await listenSockets(answerH1, { ...certificate, ...alpn });
		await expect(call(h2(), origin)).rejects.toMatchObject({ code: "alpn-no-h2", safeToRetry: true });
		expect(await call(h1(), origin)).toBe("200 over h1");
	});

	it("U21: never accepts a certificate that is not trusted, for another name, or expired", async () => {
		const untrusted = await listenH2();
		await expect(call(h2({ ca: undefined }), untrusted.origin)).rejects.toMatchObject({ code: "tls" });
		const misnamed = await listenH2({ ...h2Server, tls: { ...apiCertificate, ALPNProtocols: ["h2"] } });
		await expect(call(h2(), misnamed.origin)).rejects.toMatchObject({
			code: "tls",
			cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" },
		});
		const expired = authority.issueExpired();
		const stale = await listenH2({ ...h2Server, tls: { ...expired, ALPNProtocols: ["h2"] } });
		await expect(call(h2(), stale.origin)).rejects.toMatchObject({ code: "tls", cause: { code: "CERT_HAS_EXPIRED" } });
		await expect(call(h1(), stale.origin)).rejects.toMatchObject({ code: "tls", safeToRetry: true });
	});

	it("A23: verifies certificates although NODE_TLS_REJECT_UNAUTHORIZED=0 is set", async () => {
		vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
		onTestFinished(() => void vi.unstubAllEnvs());
		const untrusted = await listenH2();
		await expect(call(h2({ ca: undefined }), untrusted.origin)).rejects.toMatchObject({ code: "tls" });
		const older = await listenSockets(answerH1, { ...certificate, ALPNProtocols: ["http/1.1"] });
		await expect(call(h1({ ca: undefined }), older)).rejects.toMatchObject({ code: "tls" });
	});

	it("reports a peer that does not speak TLS", async () => {
		const origin = await listenSockets((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
		const secure = new URL(`https://${origin.host}`);
		await expect(call(h2(), secure)).rejects.toMatchObject({ code: "tls", safeToRetry: true });
	});
});

describe("connecting", () => {
	it("times out when TLS is never completed, and closes the socket", async () => {
		let accepted: Socket | undefined;
		const origin = await listenSockets((socket) => {
			accepted = socket;
			socket.resume();
		});
		const secure = new URL(`https://${origin.host}`);
		const timeout = { code: "connect-timeout", safeToRetry: true };
		await expect(call(h2({}, { connectTimeoutMs: 60 }), secure)).rejects.toMatchObject(timeout);
		await until(() => accepted?.destroyed === true);
		await expect(call(h1({}, 60), secure)).rejects.toMatchObject(timeout);
	});

	it("U20: times out when the name is never resolved", async () => {
		const lookup = () => {};
		const attempt = call(h2({ lookup }, { connectTimeoutMs: 60 }), new URL("http://api.test"));
		await expect(attempt).rejects.toMatchObject({ code: "connect-timeout", safeToRetry: true });
	});

	it.each(["ENOTFOUND", "EAI_AGAIN"])("U20: reports a name that cannot be resolved (%s)", async (code) => {
		const missing = Object.assign(new Error(`getaddrinfo ${code} api.test`), { code });
		const connector: ConnectorOptions = { lookup: (_host, _options, done) => done(missing, "", 4) };
		for (const transport of [h2(connector), h1(connector)]) {
			const attempt = call(transport, new URL("http://api.test"));
			await expect(attempt).rejects.toMatchObject({ code: "connect-failed", cause: missing, safeToRetry: true });
		}
	});

	it("U20: works again when the name is back, and follows it to another address", async () => {
		const homes = ["127.0.0.2", "127.0.0.3"].map((address) => listenAt(address));
		const [first, second] = await Promise.all(homes);
		let address: string | undefined;
		const missing = Object.assign(new Error("getaddrinfo ENOTFOUND api.test"), { code: "ENOTFOUND" });
		const lookup: ConnectorOptions["lookup"] = (_host, options, done) => {
			if (address === undefined) return done(missing, "", 4);
			if (options.all) return done(null, [{ address, family: 4 }]);
			done(null, address, 4);
		};
		const transport = h1({ lookup });
		const ask = (port: number) => call(transport, new URL(`http://api.test:${port}`));
		await expect(ask(first!.port)).rejects.toMatchObject({ code: "connect-failed" });
		address = "127.0.0.2";
		expect(await ask(first!.port)).toBe("200 127.0.0.2");
		address = "127.0.0.3";
		expect(await ask(second!.port)).toBe("200 127.0.0.3");
	});

	it("U21: reports a port without a listener", async () => {
		const peer = await RawPeer.listen();
		await peer.close();
		await expect(call(h1(), peer.origin)).rejects.toMatchObject({ code: "connect-failed", safeToRetry: true });
	});
});

describe("proxy tunnel", () => {
	async function listenProxy(options: ConnectProxyOptions): Promise<ConnectProxy> {
		return closing(await ConnectProxy.listen(options));
	}

	/** Loopback is never proxied, so the origin has a name that only the proxy can resolve. */
	const nameOf = (origin: URL) => new URL(`${origin.protocol}//api.test:${origin.port}`);
	const through = ({ url }: ConnectProxy) => ({ proxy: { httpsProxy: url.href, httpProxy: url.href } });
	const apiServer = { ...h2Server, tls: { ...apiCertificate, ALPNProtocols: ["h2"] } };

	it("carries HTTP/2 over TLS", async () => {
		const peer = await listenH2(apiServer);
		const proxy = await listenProxy({ target: peer.origin });
		expect(await call(h2(through(proxy)), nameOf(peer.origin))).toBe("200 over h2");
		expect(proxy.tunnels).toHaveLength(1);
		expect(proxy.tunnels[0]).toMatchObject({
			target: `api.test:${peer.origin.port}`,
			headers: { host: `api.test:${peer.origin.port}` },
		});
		expect(proxy.tunnels[0]?.headers["proxy-authorization"]).toBeUndefined();
	});

	it("carries HTTP/1.1 over TLS and in the clear", async () => {
		const secure = await listenSockets(answerH1, apiCertificate);
		const plain = await listenSockets(answerH1);
		for (const origin of [secure, plain]) {
			const proxy = await listenProxy({ target: origin });
			expect(await call(h1(through(proxy)), nameOf(origin))).toBe("200 over h1");
			expect(proxy.tunnels).toHaveLength(1);
		}
	});

	it("works through a proxy that itself speaks TLS", async () => {
		const peer = await listenH2(apiServer);
		const proxy = await listenProxy({ target: peer.origin, certificate });
		expect(await call(h2(through(proxy)), nameOf(peer.origin))).toBe("200 over h2");
		const origin = await listenSockets(answerH1, apiCertificate);
		const other = await listenProxy({ target: origin, certificate });
		expect(await call(h1(through(other)), nameOf(origin))).toBe("200 over h1");
	});

	it("names the default port of the scheme", async () => {
		const peer = await listenH2(apiServer);
		const proxy = await listenProxy({ target: peer.origin });
		expect(await call(h2(through(proxy)), new URL("https://api.test"))).toBe("200 over h2");
		expect(proxy.tunnels[0]?.target).toBe("api.test:443");
	});

	it("keeps bytes that directly follow the proxy's response", async () => {
		const peer = await listenH2({ ...h2Server, tls: undefined });
		const proxy = await listenProxy({ target: peer.origin, holdAnswerForData: true });
		expect(await call(h2(through(proxy)), nameOf(peer.origin))).toBe("200 over h2");
	});

	it("keeps them through a TLS proxy as well", async () => {
		const peer = await listenH2({ ...h2Server, tls: undefined });
		const proxy = await listenProxy({ target: peer.origin, holdAnswerForData: true, certificate });
		expect(await call(h2(through(proxy)), nameOf(peer.origin))).toBe("200 over h2");
	});

	it.each([
		["me", "secret", "me:secret"],
		["a%40b", "p%3Aw%2F", "a@b:p:w/"],
		["me", "100%", "me:100%"],
		["me", "", "me:"],
	])("sends the credentials %s and %j of its URL", async (user, password, pair) => {
		const peer = await listenH2(apiServer);
		const proxy = await listenProxy({ target: peer.origin });
		const httpsProxy = `http://${user}:${password}@${proxy.url.host}`;
		await call(h2({ proxy: { httpsProxy } }), nameOf(peer.origin));
		const [, sent = ""] = (proxy.tunnels[0]?.headers["proxy-authorization"] ?? "").split(" ");
		expect(Buffer.from(sent, "base64").toString()).toBe(pair);
	});

	it.each([407, 403, 502])("reports status %d of the proxy", async (status) => {
		const proxy = await listenProxy({ refuseWith: status });
		for (const transport of [h2(through(proxy)), h1(through(proxy))]) {
			const attempt = call(transport, new URL("https://api.test"));
			await expect(attempt).rejects.toMatchObject({ code: "proxy-refused", status, safeToRetry: true });
		}
	});

	it("reports a proxy that closes, that is not there, or that never answers", async () => {
		const closingProxy = await listenSockets((socket) => socket.once("data", () => socket.end()));
		const attempt = (httpsProxy: string, connectTimeoutMs = 5000) =>
			call(h2({ proxy: { httpsProxy } }, { connectTimeoutMs }), new URL("https://api.test"));
		await expect(attempt(closingProxy.href)).rejects.toMatchObject({ code: "connect-failed", safeToRetry: true });
		const gone = await ConnectProxy.listen();
		await gone.close();
		await expect(attempt(gone.url.href)).rejects.toMatchObject({ code: "connect-failed", safeToRetry: true });
		const mute = await listenProxy({ isSilent: true });
		await expect(attempt(mute.url.href, 60)).rejects.toMatchObject({ code: "connect-timeout", safeToRetry: true });
	});

	it("goes directly where NO_PROXY says so, and to loopback", async () => {
		const peer = await listenH2(apiServer);
		const proxy = await listenProxy({ refuseWith: 500 });
		const lookup: ConnectorOptions["lookup"] = (_host, _options, done) =>
			done(null, [{ address: "127.0.0.1", family: 4 }]);
		const settings = { ...through(proxy).proxy, noProxy: ".test" };
		expect(await call(h2({ proxy: settings, lookup }), nameOf(peer.origin))).toBe("200 over h2");
		const local = await listenH2();
		expect(await call(h2({ proxy: settings }), local.origin)).toBe("200 over h2");
		expect(proxy.tunnels).toHaveLength(0);
	});
});
