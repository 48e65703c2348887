import type { MetricRow } from "../src/observe/metrics/metric-row.ts";
import { METRICS } from "../src/observe/metrics/metric-table.ts";

// docs/grafana.json: a dashboard with a panel for every metric, below a line of the figures that matter most.

interface Target {
	expr: string;
	legendFormat: string;
}

const WIDTH = 24;
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana.
const SOURCE = { type: "prometheus", uid: "${datasource}" };
const OF_INSTANCE = 'instance=~"$instance"';
const RANGE = "[$__rate_interval]";

/** The first line: what tells at a glance whether all is well. */
const STATS: readonly { title: string; expr: string; unit: string; worse?: number }[] = [
	{ title: "Turns a minute", expr: `60 * sum(rate(cursorwire_requests_total{${OF_INSTANCE}}[5m]))`, unit: "none" },
	{
		title: "Failed, last hour",
		expr: `sum(increase(cursorwire_requests_total{outcome="error",${OF_INSTANCE}}[1h])) / sum(increase(cursorwire_requests_total{${OF_INSTANCE}}[1h]))`,
		unit: "percentunit",
		worse: 0.05,
	},
	{
		title: "Unknown parts from Cursor, last day",
		expr: `sum(increase(cursorwire_upstream_unknown_total{${OF_INSTANCE}}[1d]))`,
		unit: "none",
		worse: 1,
	},
	{ title: "Store degraded", expr: `max(cursorwire_store_degraded{${OF_INSTANCE}})`, unit: "none", worse: 1 },
	{
		title: "Fullest pool",
		expr: `max(cursorwire_pool_used_ratio{${OF_INSTANCE}})`,
		unit: "percentunit",
		worse: 0.9,
	},
	{
		title: "Login lasts for",
		expr: `min(cursorwire_credential_expiry_timestamp_seconds{${OF_INSTANCE}}) - time()`,
		unit: "s",
	},
];

export function renderGrafanaDashboard(): string {
	const dashboard = {
		title: "Cursorwire",
		uid: "cursorwire",
		description: "Made from the table of metrics by `npm run docs`.",
		schemaVersion: 39,
		version: 1,
		editable: true,
		refresh: "30s",
		time: { from: "now-6h", to: "now" },
		tags: ["cursorwire"],
		templating: { list: [dataSource(), instances()] },
		panels: [...STATS.map(stat), ...Object.entries(METRICS).map(([name, row], index) => panel(name, row, index))],
	};
	return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

const dataSource = () => ({ name: "datasource", label: "Data source", type: "datasource", query: "prometheus" });

const instances = () => ({
	name: "instance",
	label: "Gateway",
	type: "query",
	datasource: SOURCE,
	query: { query: "label_values(cursorwire_build_info, instance)", refId: "instances" },
	refresh: 2,
	includeAll: true,
	allValue: ".*",
	multi: true,
	current: { text: "All", value: "$__all" },
});

function stat({ title, expr, unit, worse }: (typeof STATS)[number], index: number) {
	const steps = [{ color: "green", value: null }, ...(worse === undefined ? [] : [{ color: "red", value: worse }])];
	return {
		id: index + 1,
		type: "stat",
		title,
		datasource: SOURCE,
		gridPos: { x: (index * WIDTH) / STATS.length, y: 0, w: WIDTH / STATS.length, h: 4 },
		fieldConfig: { defaults: { unit, thresholds: { mode: "absolute", steps } }, overrides: [] },
		targets: [{ refId: "A", datasource: SOURCE, expr }],
	};
}

function panel(name: string, row: MetricRow, index: number) {
	return {
		id: STATS.length + index + 1,
		type: "timeseries",
		title: name,
		description: row.help,
		datasource: SOURCE,
		gridPos: { x: (index % 2) * (WIDTH / 2), y: 4 + Math.floor(index / 2) * 8, w: WIDTH / 2, h: 8 },
		fieldConfig: { defaults: { unit: unitOf(name, row) }, overrides: [] },
		targets: targetsOf(name, row).map((target, place) => ({
			refId: String.fromCharCode("A".charCodeAt(0) + place),
			datasource: SOURCE,
			...target,
		})),
	};
}

function targetsOf(name: string, { type, labels }: MetricRow): Target[] {
	const names = Object.keys(labels);
	const legend = names.map((label) => `{{${label}}}`).join(" ");
	if (type === "histogram") {
		return [0.5, 0.95].map((quantile) => ({
			expr: `histogram_quantile(${quantile}, sum by (${["le", ...names].join(", ")}) (rate(${name}_bucket{${OF_INSTANCE}}${RANGE})))`,
			legendFormat: `p${quantile * 100} ${legend}`,
		}));
	}
	if (type === "counter") {
		const expr = `sum by (${names.join(", ")}) (rate(${name}{${OF_INSTANCE}}${RANGE}))`;
		// What never happened would only fill the legend.
		return [{ expr: names.length > 0 ? `${expr} > 0` : expr, legendFormat: legend || "{{instance}}" }];
	}
	const expr = `${name}{${OF_INSTANCE}}`;
	return [{ expr: isFuture(name) ? `${expr} - time()` : expr, legendFormat: legend || "{{instance}}" }];
}

/** Times that are shown by how far away they are. */
const isFuture = (name: string): boolean => name.endsWith("_timestamp_seconds");

const UNITS = { seconds: "s", bytes: "bytes", ratio: "percentunit" } as const;

function unitOf(name: string, { type, unit }: MetricRow): string {
	if (name === "process_start_time_seconds") return "dateTimeAsIso";
	if (type === "counter") return unit === "seconds" ? "percentunit" : "cps";
	return unit ? UNITS[unit] : "none";
}
