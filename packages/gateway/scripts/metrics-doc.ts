import type { LabelRow, MetricRow } from "../src/observe/metrics/metric-row.ts";
import { METRICS } from "../src/observe/metrics/metric-table.ts";
import { MOST_SERIES } from "../src/observe/metrics/registry.ts";
import { code, table } from "./markdown.ts";

const SCRAPE = `\`\`\`yaml
scrape_configs:
  - job_name: cursorwire
    static_configs:
      - targets: ["127.0.0.1:4280"]
    authorization:
      credentials_file: /etc/prometheus/cursorwire-key
\`\`\``;

const ALERTS = `\`\`\`yaml
groups:
  - name: cursorwire
    rules:
      - alert: CursorwireDrift
        expr: sum(increase(cursorwire_upstream_unknown_total[1h])) > 0
        annotations:
          summary: Cursor sends something that this version does not know. \`cursorwire drift\` says what.
      - alert: CursorwireStoreDegraded
        expr: max(cursorwire_store_degraded) == 1
        for: 5m
        annotations:
          summary: Conversations are kept in memory only. \`cursorwire doctor\` says what to do.
      - alert: CursorwireErrors
        expr: sum(rate(cursorwire_requests_total{outcome="error"}[10m])) / sum(rate(cursorwire_requests_total[10m])) > 0.1
        for: 10m
        annotations:
          summary: More than a tenth of the turns fail. cursorwire_errors_total says why.
      - alert: CursorwirePoolNearlyUsed
        expr: max by (pool) (cursorwire_pool_used_ratio) > 0.9
        annotations:
          summary: More than 90 % of a pool of included usage is used.
\`\`\``;

/** docs/metrics.md, from the table of metrics. */
export function renderMetricsDoc(): string {
	return `${[
		"# Metrics and traces",
		"Generated from the table of metrics by `npm run docs`; a test compares both.",
		"`GET /metrics` has everything below, in the text format 0.0.4 of Prometheus, or as OpenMetrics 1.0 where the `Accept` header asks for it. Counting costs a turn a few additions in arrays; what is a gauge is read only when somebody asks. Requests for the metrics are not counted themselves. No text of a prompt or a reply, no key, no address and no path that a client made up is in any of it.",
		"## A key for the scraper",
		"A scraper should not hold a key that can spend anything. This makes one that can read `/metrics` and is refused everywhere else:",
		"```sh\ncursorwire keys add prometheus --metrics-only\n```",
		"Put the key into a file that only Prometheus can read, and name the file in `prometheus.yml`:",
		SCRAPE,
		"The owner's key can read the metrics too; other keys cannot. A Prometheus in a container calls the gateway by another name than `127.0.0.1`: add that name to `allowHosts` ([configuration](configuration.md)).",
		"## The metrics",
		table(
			["name", "type", "labels (number of values)", "what it is"],
			Object.entries(METRICS).map(([name, row]) => metricCells(name, row)),
		),
		`There are at most ${MOST_SERIES.toLocaleString("en-US")} series, whatever clients ask for. A model is counted by its name only if Cursor lists it, and everything else as \`other\`. The names of keys are labels only with the setting \`metricsKeys\`.`,
		"Cached tokens are part of the input, and reasoning tokens are part of the output, so adding up all types would count them twice. `cursorwire_upstream_unknown_total` is the drift alarm: it rises when Cursor's software speaks something that this version does not know ([ADR 24](adr/0024-drift-is-counted.md)).",
		"## Grafana",
		"[grafana.json](grafana.json) is a dashboard with a panel for every metric and a line on top that tells whether all is well. Import it under Dashboards, New, Import.",
		"## Alerts",
		"Examples for the rules of a Prometheus:",
		ALERTS,
		"## Traces",
		"With `OTEL_EXPORTER_OTLP_ENDPOINT` in its environment, the gateway sends spans and the metrics above to that collector of OpenTelemetry, as OTLP over HTTP in its JSON form ([ADR 37](adr/0037-otlp-is-written-here.md)). Without it, nothing of this is loaded.",
		table(
			["variable", "what it does"],
			[
				["`OTEL_EXPORTER_OTLP_ENDPOINT`", "the collector, such as `http://127.0.0.1:4318`"],
				[
					"`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT`",
					"the whole address for one of the two",
				],
				["`OTEL_EXPORTER_OTLP_HEADERS`", "headers to send, as `name=value,name=value`; also for one of the two"],
				["`OTEL_EXPORTER_OTLP_TIMEOUT`", "longest wait for the collector, in milliseconds; 10000 by default"],
				["`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`", "how this gateway is called there"],
				["`OTEL_TRACES_EXPORTER=none`, `OTEL_METRICS_EXPORTER=none`", "leaves one of the two out"],
				["`OTEL_BSP_SCHEDULE_DELAY`", "how long spans are collected, in milliseconds; 5000 by default"],
				["`OTEL_METRIC_EXPORT_INTERVAL`", "how often metrics are sent, in milliseconds; 60000 by default"],
				["`OTEL_SDK_DISABLED=true`", "sends nothing"],
			],
		),
		"Every request is a span, which continues the trace of a client that sends `traceparent`. Every run at Cursor is a span `chat <model>` with `gen_ai` attributes. A run that waits for the results of tools outlives its request, so it is a trace of its own with a link to each request that fed it, and with the events `parked` and `resumed`. A collector that is slow or away delays no turn: what cannot be sent is dropped, counted in `cursorwire_traces_dropped_total` and logged once. Nothing that was said is in any span.",
	].join("\n\n")}\n`;
}

function metricCells(name: string, { type, labels, help, buckets }: MetricRow): string[] {
	const range = buckets ? `, ${buckets[0]} to ${buckets.at(-1)} s` : "";
	return [code(name), `${type}${range}`, Object.entries(labels).map(labelText).join(", "), help];
}

function labelText([name, row]: [string, LabelRow]): string {
	if ("atMost" in row) return row.atMost === 1 ? code(name) : `${code(name)} (≤ ${row.atMost} and \`other\`)`;
	return row.length > 6 ? `${code(name)} (${row.length})` : `${code(name)} (${row.join(", ")})`;
}
