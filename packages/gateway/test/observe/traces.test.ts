// Spans and metrics that reach a collector, from real turns through the gateway and the emulator.
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { CHAT, say } from "../kit/hostile/rig.ts";
import { temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";
import { attributesOf, type Collector, startCollector } from "./collector.ts";
import { scrape } from "./scrape.ts";

const TRACE_A = "0af7651916cd43dd8448eb211c80319c";
const TRACE_B = "1bf7651916cd43dd8448eb211c80319d";
const PARENT = "b7ad6b7169203331";
const traced = (traceId: string, flags = "01") => ({ headers: { traceparent: `00-${traceId}-${PARENT}-${flags}` } });

const QUICK = { OTEL_BSP_SCHEDULE_DELAY: "10", OTEL_METRICS_EXPORTER: "none" };

const start = ({ url }: Pick<Collector, "url">, env: Record<string, string> = {}, more: TestGatewayOptions = {}) =>
	startTestGateway({
		emulator: { brain: obedient },
		env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...QUICK, ...env },
		...more,
	});

interface ChatReply {
	choices: { message: { content: string; tool_calls: { id: string }[] } }[];
}

async function reply(gateway: TestGateway, body: object, init?: RequestInit): Promise<ChatReply> {
	return (await (await gateway.post(CHAT, body, init)).json()) as ChatReply;
}

/** A conversation in two requests, between which its run waits. */
async function parkedConversation(gateway: TestGateway): Promise<void> {
	const messages = [{ role: "user", content: "look here" }];
	const body = { model: "composer-1", tools: [LOOK], messages };
	const { message } = (await reply(gateway, body, traced(TRACE_A))).choices[0]!;
	const result = { role: "tool", tool_call_id: message.tool_calls[0]!.id, content: "a house" };
	const second = await reply(gateway, { ...body, messages: [...messages, message, result] }, traced(TRACE_B));
	expect(second.choices[0]!.message.content).toBe("saw a house");
}

describe("a run that waits for results", () => {
	it("is a span of its own, linked to each request that fed it", async () => {
		const collector = await startCollector();
		const gateway = await start(collector);
		await parkedConversation(gateway);
		await until(() => collector.spans().length === 3);
		const requests = collector.spans().filter(({ kind }) => kind === 2);
		const [run] = collector.spans().filter(({ kind }) => kind === 3);
		expect(requests.map(({ traceId, parentSpanId, name }) => ({ traceId, parentSpanId, name }))).toEqual(
			[TRACE_A, TRACE_B].map((traceId) => ({ traceId, parentSpanId: PARENT, name: `POST ${CHAT}` })),
		);
		expect(requests.map(({ attributes }) => attributesOf(attributes)["cursorwire.path"])).toEqual(["new", "parked"]);
		expect(run!.links).toEqual(requests.map(({ traceId, spanId }) => ({ traceId, spanId })));
		expect([TRACE_A, TRACE_B]).not.toContain(run!.traceId);
		expect(run!.parentSpanId).toBeUndefined();
		expect(run!.name).toBe("chat composer-1");
		expect(run!.events.map(({ name }) => name)).toEqual(["parked", "resumed"]);
		expect(attributesOf(run!.attributes)).toMatchObject({
			"gen_ai.operation.name": "chat",
			"gen_ai.provider.name": "cursor",
			"gen_ai.request.model": "composer-1",
			"gen_ai.response.model": "composer-1",
			"cursorwire.run.end": "turn_ended",
		});
		expect(Number(run!.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(run!.startTimeUnixNano));
	});

	it("is told when the gateway stops, although nobody answered", async () => {
		const collector = await startCollector();
		const gateway = await start(collector);
		await reply(gateway, { model: "composer-1", tools: [LOOK], messages: [{ role: "user", content: "look here" }] });
		await gateway.gateway.close();
		const run = collector.spans().find(({ kind }) => kind === 3);
		expect(run?.events.map(({ name }) => name)).toEqual(["parked", "gave up"]);
		expect(run?.links).toHaveLength(1);
	});

	it("tells nothing of what was said", async () => {
		const collector = await startCollector();
		await parkedConversation(await start(collector));
		await until(() => collector.spans().length === 3);
		for (const text of collector.texts) expect(text).not.toMatch(/look here|a house|call_/);
	});
});

describe("a request", () => {
	it("has the run that served it alone as its part", async () => {
		const collector = await startCollector();
		const gateway = await start(collector, {
			OTEL_SERVICE_NAME: "my gateway",
			OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,team=a%20b",
			OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%3Db",
		});
		await reply(gateway, say("hello"));
		await until(() => collector.spans().length === 2);
		const [request] = collector.spans().filter(({ kind }) => kind === 2);
		const [run] = collector.spans().filter(({ kind }) => kind === 3);
		expect(run).toMatchObject({ traceId: request!.traceId, parentSpanId: request!.spanId, links: [] });
		expect(request!.parentSpanId).toBeUndefined();
		const { resource, schemaUrl } = collector.bodies()[0]!.resourceSpans![0]!;
		expect(schemaUrl).toBe("https://opentelemetry.io/schemas/1.37.0");
		expect(attributesOf(resource.attributes)).toMatchObject({
			"service.name": "my gateway",
			"service.version": "test",
			"deployment.environment.name": "test",
			team: "a b",
		});
		expect(collector.headers[0]).toMatchObject({ path: "/v1/traces", "x-token": "a=b" });
	});

	it("that is refused or fails says so", async () => {
		const collector = await startCollector();
		const gateway = await start(collector);
		await gateway.post(CHAT, {});
		await gateway.post(CHAT, say("fail"));
		await until(() => collector.spans().length === 3);
		const errors = collector.spans().map(({ attributes }) => attributesOf(attributes)["error.type"]);
		expect(errors).toContain("invalid-request");
		expect(errors.every((error) => error !== undefined)).toBe(true);
	});

	it("is not traced if its client does not want it", async () => {
		const collector = await startCollector();
		const gateway = await start(collector);
		await reply(gateway, say("hello"), traced(TRACE_A, "00"));
		await reply(gateway, say("hello"), traced(TRACE_B));
		await until(() => collector.spans().length === 2);
		expect(collector.spans().map(({ traceId }) => traceId)).toEqual([TRACE_B, TRACE_B]);
	});
});

describe("a collector that fails", () => {
	it("costs no turn anything if it is away, nor the end of the gateway", async () => {
		// Nothing listens on port 9 of the loopback.
		const gateway = await start({ url: "http://127.0.0.1:9" });
		expect((await reply(gateway, say("hello"))).choices[0]!.message.content).toBe("you said hello");
		await gateway.gateway.close();
	});

	it.each([500, 400])("with %i loses what it was sent, which is counted and logged once", async (status) => {
		const collector = await startCollector(status);
		const warnings: unknown[] = [];
		const onLog = ({ msg }: Record<string, unknown>) => /dropped/.test(String(msg)) && warnings.push(msg);
		const gateway = await start(collector, {}, { onLog });
		await reply(gateway, say("hello"));
		const dropped = async () => (await scrape(gateway)).count("cursorwire_traces_dropped_total");
		await until(async () => (await dropped()) === 2);
		await reply(gateway, say("hello"));
		await until(async () => (await dropped()) === 4);
		expect(warnings).toEqual([`spans are dropped, because of the collector: it answers with status ${status}`]);
	});

	it("with an answer that never comes does not keep the gateway from stopping", async () => {
		const collector = await startCollector(0);
		const gateway = await start(collector);
		await reply(gateway, say("hello"));
		await until(() => collector.texts.length > 0);
		await gateway.gateway.close();
	});
});

describe("metrics", () => {
	it("are sent too, under the names of the conventions where there are any", async () => {
		const collector = await startCollector();
		const gateway = await start(collector, {
			OTEL_METRICS_EXPORTER: "otlp",
			OTEL_TRACES_EXPORTER: "none",
			OTEL_METRIC_EXPORT_INTERVAL: "50",
		});
		await reply(gateway, say("hello"));
		const find = (name: string) => collector.metrics().findLast((metric) => metric.name === name);
		const counted = () =>
			find("cursorwire_requests")?.sum?.dataPoints.find(({ asDouble }) => asDouble === 1)?.attributes;
		await until(() => counted() !== undefined);
		expect(attributesOf(counted()!)).toEqual({ dialect: "chat", path: "new", outcome: "ok" });
		const [first] = find("gen_ai.server.time_to_first_token")!.histogram!.dataPoints;
		expect(first!.count).toBe("1");
		expect(first!.bucketCounts).toHaveLength(first!.explicitBounds.length + 1);
		expect(collector.spans()).toEqual([]);
		expect(collector.headers[0]).toMatchObject({ path: "/v1/metrics" });
	});
});

it("cursorwire serve sends what is left when it is told to stop", async () => {
	const collector = await startCollector();
	const { emulator } = await startTestGateway();
	const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` };
	const served = await serve({ upstream: emulator.url, dataDir: temporaryFolder(), env });
	await (await served.ask(say("hello"))).text();
	served.program.child.kill("SIGTERM");
	await served.program.ended;
	expect(collector.spans().map(({ kind }) => kind)).toEqual(expect.arrayContaining([2, 3]));
	expect(collector.metrics().length).toBeGreaterThan(10);
});
