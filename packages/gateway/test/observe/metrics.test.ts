// GET /metrics, read with a library, after real turns.
import { readFileSync } from "node:fs";
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { METRICS } from "../../src/observe/metrics/metric-table.ts";
import { MOST_SERIES } from "../../src/observe/metrics/registry.ts";
import { addLimit } from "../guard/books.ts";
import { closing, until } from "../kit/cleanup.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { CHAT, say } from "../kit/hostile/rig.ts";
import { LeapingClock } from "../kit/leaping-clock.ts";
import { temporaryFolder } from "../kit/program.ts";
import { scrape } from "./scrape.ts";

const start = (options: Parameters<typeof startTestGateway>[0] = {}) =>
	startTestGateway({ emulator: { brain: obedient }, ...options });

/** What a gateway does not know before something has happened or somebody has asked. */
const LATER: readonly string[] = [
	"cursorwire_parked_wait_seconds_bucket",
	"cursorwire_pool_reset_timestamp_seconds",
	"cursorwire_pool_used_ratio",
	"cursorwire_traces_dropped_total",
	"nodejs_eventloop_lag_max_seconds",
	"nodejs_eventloop_lag_mean_seconds",
	"nodejs_eventloop_lag_p50_seconds",
	"nodejs_eventloop_lag_p99_seconds",
];

/** A tool that can do what Cursor's own reading does. */
const READ = {
	type: "function",
	function: {
		name: "read",
		description: "Reads a file.",
		parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
	},
};

interface ChatReply {
	choices: { message: { content: string; tool_calls: { id: string }[] } }[];
	usage: { completion_tokens: number };
}

async function reply(gateway: TestGateway, body: object): Promise<ChatReply> {
	return (await (await gateway.post(CHAT, body)).json()) as ChatReply;
}

describe("metrics after turns", () => {
	it("count what went well, with its tokens and times", async () => {
		const gateway = await start();
		const { usage } = await reply(gateway, say("hello"));
		await gateway.post("/v1/messages", { ...say("hello"), max_tokens: 100 });
		const { count } = await scrape(gateway);
		const chat = { dialect: "chat", path: "new" };
		expect(count("cursorwire_requests_total", { ...chat, outcome: "ok" })).toBe(1);
		expect(count("cursorwire_requests_total", { dialect: "messages", path: "new", outcome: "ok" })).toBe(1);
		expect(count("cursorwire_turn_duration_seconds", chat)).toBe(1);
		expect(count("cursorwire_first_token_seconds", { model: "composer-1", path: "new" })).toBe(2);
		const output = count("cursorwire_tokens_total", { model: "composer-1", type: "output" });
		expect(output).toBe(usage.completion_tokens * 2);
		expect(count("cursorwire_build_info", { version: "test" })).toBe(1);
		expect(count("cursorwire_store_degraded", { store: "sqlite" })).toBe(0);
		expect(count("cursorwire_store_bytes", { store: "sqlite" })).toBeGreaterThan(0);
		expect(count("cursorwire_credential_expiry_timestamp_seconds")).toBeGreaterThan(Date.now() / 1000);
		expect(count("cursorwire_upstream_connections", { channel: "h2", state: "open" })).toBe(1);
	});

	it("count errors, refusals and clients that leave", async () => {
		const gateway = await start();
		await gateway.post(CHAT, say("fail"));
		await gateway.post(CHAT, { model: "composer-1" });
		await gateway.fetch("/v1/unknown");
		const leaving = new AbortController();
		const left = gateway.post(CHAT, say("speak-and-hang", { stream: true }), { signal: leaving.signal });
		await (await left).body!.getReader().read();
		expect((await scrape(gateway)).count("cursorwire_turns_in_flight", { state: "streaming" })).toBe(1);
		leaving.abort();
		const gone = { dialect: "chat", path: "new", outcome: "client_gone" };
		await until(async () => (await scrape(gateway)).count("cursorwire_requests_total", gone) === 1);
		const { count } = await scrape(gateway);
		expect(count("cursorwire_requests_total", { dialect: "chat", path: "new", outcome: "error" })).toBe(1);
		expect(count("cursorwire_requests_total", { dialect: "chat", path: "none", outcome: "error" })).toBe(1);
		expect(count("cursorwire_errors_total", { dialect: "chat", kind: "invalid-request" })).toBe(1);
		expect(count("cursorwire_errors_total", { dialect: "none", kind: "not-found" })).toBe(1);
		expect(count("cursorwire_turns_in_flight", { state: "streaming" })).toBe(0);
	});

	it("show a run that waits, and that it went on", async () => {
		const gateway = await start();
		const messages = [{ role: "user", content: "look here" }];
		const body = { model: "composer-1", tools: [LOOK], messages };
		const { message } = (await reply(gateway, body)).choices[0]!;
		expect((await scrape(gateway)).count("cursorwire_turns_in_flight", { state: "parked" })).toBe(1);
		const result = { role: "tool", tool_call_id: message.tool_calls[0]!.id, content: "a house" };
		const second = await reply(gateway, { ...body, messages: [...messages, message, result] });
		expect(second.choices[0]!.message.content).toBe("saw a house");
		const { count } = await scrape(gateway);
		expect(count("cursorwire_turns_in_flight", { state: "parked" })).toBe(0);
		expect(count("cursorwire_requests_total", { dialect: "chat", path: "parked", outcome: "ok" })).toBe(1);
		expect(count("cursorwire_parked_wait_seconds", { end: "answered" })).toBe(1);
		expect(count("cursorwire_tool_calls_total", { origin: "client", result: "answered" })).toBe(1);
		const run = { protocol: "agent", channel: "h2", end: "turn_ended" };
		await until(async () => (await scrape(gateway)).count("cursorwire_upstream_runs_total", run) === 1);
	});

	it("tell the client's tools from Cursor's own, and what was refused", async () => {
		const brain: Brain = async function* () {
			yield {
				exec: [
					{ kind: "read", args: { path: "/a" } },
					{ kind: "diagnostics", args: { path: "/a" } },
				],
			};
			yield { calls: [{ name: "no-such-tool" }] };
			yield { text: "done" };
		};
		const gateway = await startTestGateway({ emulator: { brain } });
		const body = { tools: [READ], messages: [{ role: "user", content: "read" }] };
		const { message } = (await reply(gateway, { model: "composer-1", ...body })).choices[0]!;
		const result = { role: "tool", tool_call_id: message.tool_calls[0]!.id, content: "what is there" };
		await reply(gateway, { model: "composer-1", ...body, messages: [...body.messages, message, result] });
		const calls = async (origin: string, how: string) =>
			(await scrape(gateway)).count("cursorwire_tool_calls_total", { origin, result: how });
		await until(async () => (await calls("client", "refused")) === 1);
		expect(await calls("builtin", "answered")).toBe(1);
		expect(await calls("builtin", "refused")).toBe(1);
		expect(await calls("client", "answered")).toBe(0);
	});

	it("tell of runs that need another stream", async () => {
		const clock = new LeapingClock();
		// A longer leap would be a connection whose pings nobody answers.
		const backoffMs = 12_000;
		const emulator = { brain: obedient, faults: ["reset@headers*1"] };
		const gateway = await start({ clock, emulator, limits: { backoffMs, longestBackoffMs: backoffMs } });
		const replied = reply(gateway, say("hello"));
		const inFlight = async (state: string) => (await scrape(gateway)).count("cursorwire_turns_in_flight", { state });
		await until(async () => (await inFlight("retrying")) === 1);
		expect(await inFlight("connecting")).toBe(0);
		// Chance adds up to a fifth.
		clock.leap(backoffMs * 1.2);
		await replied;
		expect(await inFlight("retrying")).toBe(0);
		expect((await scrape(gateway)).count("cursorwire_upstream_retries_total", { reason: "reset" })).toBe(1);
	});

	it("tell what the gateway itself took, by stage", async () => {
		const gateway = await start();
		await reply(gateway, say("hello"));
		const { count } = await scrape(gateway);
		for (const stage of ["admit", "decode", "send", "first_chunk"]) {
			expect(count("cursorwire_gateway_added_seconds", { stage }), stage).toBe(1);
		}
	});

	it("tell how full the pools are, once Cursor was asked", async () => {
		const gateway = await start();
		expect((await gateway.fetch("/v1/usage")).status).toBe(200);
		const { count } = await scrape(gateway);
		expect(count("cursorwire_pool_used_ratio", { pool: "auto" })).toBeLessThanOrEqual(1);
		expect(count("cursorwire_pool_reset_timestamp_seconds", { pool: "api" })).toBeGreaterThan(1e9);
	});

	it("do not count those who read them", async () => {
		const gateway = await start();
		const before = await scrape(gateway);
		await fetch(`${gateway.url}/metrics`, { headers: { authorization: "Bearer cw_wrong" } });
		const after = await scrape(gateway);
		const counted = (text: string) => text.split("\n").filter((line) => /^cursorwire_.*(total|count)/.test(line));
		expect(counted(after.text)).toEqual(counted(before.text));
	});

	it("say how late the event loop is from the second time on", async () => {
		const gateway = await start();
		await scrape(gateway);
		await until(async () => (await scrape(gateway)).names.includes("nodejs_eventloop_lag_max_seconds"));
	});
});

/** Names of models that nobody has, and as many paths. */
const JUNK = 10_000;
const AT_ONCE = 20;

describe("the series", () => {
	it("stay below the ceiling with junk models and paths", async () => {
		const gateway = await start();
		await reply(gateway, say("hello"));
		const { port } = new URL(gateway.url);
		const client = closing(await RawClient.open(Number(port)));
		const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${gateway.key}\r\n`;
		const asking = (index: number) => {
			const body = JSON.stringify(say("hello", { model: `junk-${index}` }));
			const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
			return `GET /junk-${index}/.env HTTP/1.1\r\n${head}\r\nPOST ${CHAT} HTTP/1.1\r\n${head}${length}\r\n${body}`;
		};
		for (let first = 0; first < JUNK; first += AT_ONCE) {
			client.send(Array.from({ length: AT_ONCE }, (_, index) => asking(first + index)).join(""));
			for (let index = 0; index < AT_ONCE * 2; index++) expect((await client.response()).status).toBe(404);
		}
		const { series, text, count } = await scrape(gateway);
		expect(series).toBeLessThanOrEqual(MOST_SERIES);
		expect(text).not.toContain("junk");
		expect(count("cursorwire_errors_total", { dialect: "none", kind: "not-found" })).toBe(JUNK);
		expect(count("cursorwire_errors_total", { dialect: "chat", kind: "model-not-found" })).toBe(JUNK);
	});

	it("are those of the table, each with the labels of the table", async () => {
		const gateway = await start();
		await reply(gateway, say("hello"));
		const { names } = await scrape(gateway);
		for (const name of names) expect(Object.keys(METRICS)).toContain(name);
		expect(names).toContain("cursorwire_upstream_unknown_total");
		expect(names).not.toContain("cursorwire_key_requests_total");
	});

	it("name keys where the settings want it", async () => {
		const gateway = await start({ settings: { metricsKeys: true } });
		await reply(gateway, say("hello"));
		const { count } = await scrape(gateway);
		expect(count("cursorwire_key_requests_total", { key: "default", outcome: "ok" })).toBe(1);
	});
});

it("is OpenMetrics for who asks for it", async () => {
	const gateway = await start();
	const response = await gateway.fetch("/metrics", { headers: { accept: "application/openmetrics-text" } });
	expect(response.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
	const text = await response.text();
	expect(text).toMatch(/^# TYPE cursorwire_requests counter$/m);
	expect(text).toMatch(/\n# EOF\n$/);
});

describe("the dashboard", () => {
	it("asks for what is exposed, and for all of it", async () => {
		const dataDir = temporaryFolder();
		await addLimit({ dataDir }, "4 turns/day");
		const gateway = await start({ settings: { dataDir, metricsKeys: true } });
		await reply(gateway, say("hello"));
		const { text } = await scrape(gateway);
		const exposed = new Set(text.match(/^[a-z_0-9]+(?=[{ ])/gm));
		const dashboard = readFileSync(new URL("../../../../docs/grafana.json", import.meta.url), "utf8");
		const asked = new Set(dashboard.match(/\b(?:cursorwire|process|nodejs)_[a-z0-9_]+(?=\{)/g));
		const unexposed = [...asked].filter((name) => !exposed.has(name));
		expect(unexposed.sort()).toEqual(LATER);
		const family = (name: string) => name.replace(/_(?:bucket|sum|count)$/, "");
		expect(new Set([...asked].map(family))).toEqual(new Set(Object.keys(METRICS)));
		for (const name of exposed) expect(Object.keys(METRICS)).toContain(family(name));
	});
});
