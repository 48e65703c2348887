import { describe, expect, it } from "vitest";
import { DIALECTS } from "../../routes/dialects.ts";
import type { TurnEnded } from "../facts.ts";
import { exposition, PROMETHEUS_TEXT } from "./exposition.ts";
import { FactMetrics } from "./fact-metrics.ts";
import { METRICS } from "./metric-table.ts";
import { MetricRegistry, MOST_SERIES } from "./registry.ts";

const TURN: TurnEnded = {
	type: "turn-ended",
	at: 0,
	requestId: "1",
	caller: "key-1",
	dialect: "chat",
	model: "composer-1",
	path: "new",
	inputTokens: 10,
	outputTokens: 5,
	cachedTokens: 2,
	reasoningTokens: 1,
	latencyMs: 1_000,
	firstTokenMs: 100,
	status: 200,
};

function setUp({ isModel = () => true, byKey = false }: { isModel?: (name: string) => boolean; byKey?: boolean } = {}) {
	const registry = new MetricRegistry({ isModel, byKey });
	const { count } = new FactMetrics({ registry, dialectAt: () => "chat" });
	const series = () =>
		exposition(registry.families({}), PROMETHEUS_TEXT)
			.split("\n")
			.filter((line) => line !== "" && !line.startsWith("#"));
	return { registry, count, series };
}

const PATHS = ["new", "parked", "checkpoint", "rebuild"];

describe("series", () => {
	it("stay below the ceiling, whatever models, paths, keys and errors there are", () => {
		const { count, series } = setUp({ byKey: true });
		for (let index = 0; index < 10_000; index++) {
			const path = PATHS[index % 4]!;
			const dialect = DIALECTS[index % DIALECTS.length]!.name;
			const names = { model: `m${index}`, answered: `m${index}`, key: `k${index}` };
			count({ ...TURN, ...names, path, dialect });
			count({ ...TURN, dialect: `junk${index}`, path: `junk${index}`, errorKind: `junk${index}` });
			count({ type: "refused", status: 404, errorKind: "not-found", reason: "", nextStep: "", route: `/${index}` });
		}
		const lines = series();
		expect(lines.length).toBeLessThanOrEqual(MOST_SERIES);
		expect(new Set(lines.map((line) => line.replace(/ \S+$/, ""))).size).toBe(lines.length);
		expect(lines.find((line) => line.startsWith('cursorwire_tokens_total{model="other",type="input"}'))).toBeDefined();
	});

	it("lose nothing that is counted under another name", () => {
		const { count, series } = setUp();
		for (let index = 0; index < 5_000; index++) count({ ...TURN, answered: `m${index}`, path: PATHS[index % 4]! });
		const sumOf = (start: string) =>
			series()
				.filter((line) => line.startsWith(start))
				.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
		expect(sumOf("cursorwire_first_token_seconds_count")).toBe(5_000);
		expect(series().filter((line) => /^cursorwire_tokens_total.*type="output"/.test(line)).length).toBeLessThan(42);
		expect(series().join("\n")).toMatch(/cursorwire_tokens_total\{model="m39",type="output"\} 5$/m);
		expect(sumOf("cursorwire_requests_total")).toBe(5_000);
	});

	it("name a model only if it is in the catalogue", () => {
		const { count, series } = setUp({ isModel: (name) => name === "composer-1" });
		count(TURN);
		count({ ...TURN, model: "/etc/passwd" });
		const tokens = series().filter((line) => /tokens_total.*"input"/.test(line));
		expect(tokens).toEqual([
			'cursorwire_tokens_total{model="composer-1",type="input"} 10',
			'cursorwire_tokens_total{model="other",type="input"} 10',
		]);
	});

	it("are by key only where that is asked for, and then for 32 of them", () => {
		const without = setUp();
		const withKeys = setUp({ byKey: true });
		for (const { count } of [without, withKeys]) {
			for (let index = 0; index < 100; index++) count({ ...TURN, key: `k${index}` });
		}
		expect(without.series().join("\n")).not.toContain("key=");
		const requests = withKeys.series().filter((line) => line.startsWith("cursorwire_key_requests_total"));
		expect(requests).toHaveLength(33);
		expect(requests.at(-1)).toBe('cursorwire_key_requests_total{key="other",outcome="ok"} 68');
	});
});

describe("counting", () => {
	it("begins with 0 for everything that has a closed set of labels", () => {
		const lines = setUp().series();
		expect(lines).toContain('cursorwire_requests_total{dialect="chat",path="new",outcome="ok"} 0');
		expect(lines).toContain('cursorwire_errors_total{dialect="messages",kind="quota-exhausted"} 0');
	});

	it("tells how requests ended", () => {
		const { count, series } = setUp();
		count(TURN);
		count({ ...TURN, status: 499, errorKind: "cancelled" });
		count({ ...TURN, status: 502, errorKind: "upstream-error", path: "none" });
		const refused = { type: "refused", status: 400, errorKind: "invalid-request", reason: "", nextStep: "" } as const;
		count({ ...refused, method: "POST", route: "/v1/chat/completions" });
		count({ ...refused, method: "GET", route: "/v1/models" });
		count({ ...refused, method: "GET", route: "/metrics" });
		const lines = series().filter((line) => /^cursorwire_(requests|errors)_total/.test(line) && !line.endsWith(" 0"));
		expect(lines).toEqual([
			'cursorwire_requests_total{dialect="chat",path="new",outcome="ok"} 1',
			'cursorwire_requests_total{dialect="chat",path="new",outcome="client_gone"} 1',
			'cursorwire_requests_total{dialect="chat",path="none",outcome="error"} 2',
			'cursorwire_errors_total{dialect="chat",kind="invalid-request"} 1',
			'cursorwire_errors_total{dialect="chat",kind="upstream-error"} 1',
			'cursorwire_errors_total{dialect="chat",kind="cancelled"} 1',
			'cursorwire_errors_total{dialect="none",kind="invalid-request"} 1',
		]);
	});

	it("puts a value into the bucket whose bound it does not exceed", () => {
		const { registry, series } = setUp();
		const waits = registry.histogram("cursorwire_parked_wait_seconds");
		for (const value of [0.1, 0.11, 900, 901, Number.NaN, -1]) waits.observe(value, "answered");
		const lines = series().filter((line) => line.includes("parked_wait"));
		expect(lines[0]).toBe('cursorwire_parked_wait_seconds_bucket{end="answered",le="0.1"} 1');
		expect(lines[1]).toBe('cursorwire_parked_wait_seconds_bucket{end="answered",le="0.5"} 2');
		expect(lines.slice(-4)).toEqual([
			'cursorwire_parked_wait_seconds_bucket{end="answered",le="900.0"} 3',
			'cursorwire_parked_wait_seconds_bucket{end="answered",le="+Inf"} 4',
			'cursorwire_parked_wait_seconds_sum{end="answered"} 1801.21',
			'cursorwire_parked_wait_seconds_count{end="answered"} 4',
		]);
	});
});

describe("the table", () => {
	it("knows every dialect", () => {
		const names = DIALECTS.map(({ name }) => name).sort();
		expect(METRICS.cursorwire_requests_total.labels.dialect).toEqual(names);
	});

	it("has names that say type and unit", () => {
		for (const [name, row] of Object.entries(METRICS)) {
			const { type, unit } = row as { type: string; unit?: string };
			expect(name.endsWith("_total"), name).toBe(type === "counter");
			if (unit) expect(name.replace(/_total$/, ""), name).toMatch(new RegExp(`_${unit}$`));
		}
	});
});
