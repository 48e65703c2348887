// What an upstream, or something on the way to it, may answer in place of a stream, seen from a client.
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { startInspectingProxy } from "../kit/network/inspecting-proxy.ts";
import { TcpProxy, type Toxic } from "../kit/network/tcp-proxy.ts";
import { TestAuthority } from "../kit/network/tls.ts";

const WORDS = "größer 日本語 🚀 and some more words";
const CHANNELS = [
	["HTTP/2", false],
	["HTTP/1.1", true],
] as const;

async function start(options: TestGatewayOptions = {}) {
	const gateway = await startTestGateway({
		...options,
		emulator: { brain: "echo", ...options.emulator },
		limits: { silenceMs: 5_000, heartbeatsOnlyMs: 5_000, ...options.limits },
	});
	const ask = async () => {
		const answer = await gateway.post("/v1/chat/completions", {
			model: "composer-1",
			messages: [{ role: "user", content: WORDS }],
		});
		const body = (await answer.json()) as {
			choices?: { message: { content: string } }[];
			error?: { code: string; message: string };
		};
		return { status: answer.status, text: body.choices?.[0]?.message.content, error: body.error };
	};
	return { ...gateway, ask };
}

describe.each(CHANNELS)("over %s", (_, http1) => {
	it.each([
		["status=400@headers", 400, "invalid_request"],
		["status=402@headers", 402, "insufficient_quota"],
		["status=403@headers", 403, "insufficient_permissions"],
		["status=404@headers", 502, "upstream_protocol"],
		["status=408@headers", 504, "upstream_timeout"],
		["status=413@headers", 413, "request_too_large"],
		["status=429@headers", 429, "rate_limit_exceeded"],
		["status=451@headers", 403, "unsupported_country_region_territory"],
		["status=500@headers", 502, "upstream_error"],
		["status=502@headers", 503, "upstream_unavailable"],
		["status=503@headers", 503, "upstream_unavailable"],
		["status=504@headers", 504, "upstream_timeout"],
		["html=502@headers", 503, "upstream_unavailable"],
		["wrong-type@headers", 502, "upstream_protocol"],
		["redirect@headers", 502, "upstream_protocol"],
	])("U19: %s is told as %d %s", async (fault, status, code) => {
		const gateway = await start({ emulator: { faults: [fault] }, settings: { http1, protocol: "agent" } });
		const answer = await gateway.ask();
		expect(answer).toMatchObject({ status, error: { code } });
		// A page's markup tells a person nothing.
		expect(answer.error!.message).not.toContain("<");
	});

	it.each<[string, Toxic[]]>([
		["latency with jitter", [{ type: "latency", latency: 300, jitter: 250 }]],
		["64 kbit/s", [{ type: "bandwidth", rate: 8 }]],
		["slices of 1 to 7 bytes", [{ type: "slicer", averageSize: 4, sizeVariation: 3 }]],
	])("U26: %s changes nothing about the answer", async (_name, toxics) => {
		const gateway = await start({
			settings: { http1 },
			before: async (url) => {
				const proxy = await TcpProxy.listen(new URL(url));
				onTestFinished(() => proxy.close());
				for (const toxic of toxics) {
					proxy.add(toxic, "downstream");
					proxy.add(toxic, "upstream");
				}
				return proxy.origin.href;
			},
		});
		expect(await gateway.ask()).toMatchObject({ status: 200, text: WORDS });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, ended: 1 });
	});
});

it("U21: a network that takes HTTP/2 out of TLS is crossed with HTTP/1.1, without a setting", async () => {
	const authority = new TestAuthority();
	onTestFinished(() => authority.dispose());
	const certificate = authority.issue(["cursor.test"]);
	const { startEmulator } = await import("cursorwire-emulator");
	const emulator = await startEmulator({ brain: "echo", tls: true });
	onTestFinished(() => emulator.close());
	const proxy = await startInspectingProxy(certificate, new URL(emulator.url), emulator.ca!);
	onTestFinished(() => proxy.close());
	const gateway = await start({
		settings: { upstream: "https://cursor.test", httpsProxy: proxy.url, caFile: authority.caPath },
	});
	expect(await gateway.ask()).toMatchObject({ status: 200, text: WORDS });
	const { rpcs } = emulator.stats();
	expect(rpcs).toMatchObject({ "/agent.v1.AgentService/RunSSE": 1 });
	expect(rpcs["/agent.v1.AgentService/Run"]).toBeUndefined();
});

describe("U22: over HTTP/1.1, where each message of ours is a call of its own", () => {
	const onHttp1 = (fault: string) =>
		start({ emulator: { faults: [fault] }, settings: { http1: true }, limits: { silenceMs: 1_000 } });

	it("an append that fails once is one end of the run, and the request is repeated as a whole", async () => {
		const gateway = await onHttp1("status=500@append:1*1");
		expect(await gateway.ask()).toMatchObject({ status: 200, text: WORDS });
		expect(gateway.emulator.stats().appends.duplicate).toBe(0);
	});

	it("appends that fail for good are told with what the server said", async () => {
		const gateway = await onHttp1("status=500@append:1");
		expect(await gateway.ask()).toMatchObject({ status: 502, error: { code: "upstream_error" } });
		expect(gateway.emulator.stats().appends.duplicate).toBe(0);
		await until(() => gateway.emulator.stats().streams.open === 0);
	});

	it.each(["delay=400@append:1", "delay=400@append:2"])("%s does no harm", async (fault) => {
		const gateway = await onHttp1(fault);
		expect(await gateway.ask()).toMatchObject({ status: 200, text: WORDS });
		expect(gateway.emulator.stats().appends.duplicate).toBe(0);
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, ended: 1 });
	});

	it("an append that is acknowledged and lost is not sent again: the run ends when nothing comes", async () => {
		const gateway = await onHttp1("drop-append@append:1");
		const { status, error } = await gateway.ask();
		expect([status, error?.code]).toEqual([504, "upstream_timeout"]);
		expect(gateway.emulator.stats().appends.duplicate).toBe(0);
	});

	it("a read side that is cut ends the run once", async () => {
		const gateway = await onHttp1("cut@frame:4");
		expect(await gateway.ask()).toMatchObject({ status: 502, error: { code: "upstream_reset" } });
		expect(gateway.emulator.stats().appends.duplicate).toBe(0);
		await until(() => gateway.emulator.stats().streams.open === 0);
	});
});
