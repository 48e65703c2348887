import { describe, expect, it } from "vitest";
import { exposition, formatFor, OPENMETRICS_TEXT, PROMETHEUS_TEXT } from "./exposition.ts";
import type { Family } from "./registry.ts";

const FAMILY: Family = {
	name: "cursorwire_errors_total",
	row: { type: "counter", help: 'A "line"\nand a back\\slash.', labels: { dialect: ["chat"], kind: ["x"] } },
	points: [{ labels: ["chat", 'a "b"\\\nc'], value: 2 }],
};

describe("the text of metrics", () => {
	it("escapes what could break a line", () => {
		expect(exposition([FAMILY], PROMETHEUS_TEXT)).toBe(
			[
				'# HELP cursorwire_errors_total A "line"\\nand a back\\\\slash.',
				"# TYPE cursorwire_errors_total counter",
				'cursorwire_errors_total{dialect="chat",kind="a \\"b\\"\\\\\\nc"} 2',
				"",
			].join("\n"),
		);
	});

	it("is OpenMetrics where that is asked for: families without a suffix, units, and an end", () => {
		const seconds: Family = {
			name: "process_start_time_seconds",
			row: { type: "gauge", help: "A time.", unit: "seconds", labels: {} },
			points: [{ labels: [], value: 1.5 }],
		};
		expect(exposition([FAMILY, seconds], OPENMETRICS_TEXT)).toBe(
			[
				'# HELP cursorwire_errors A \\"line\\"\\nand a back\\\\slash.',
				"# TYPE cursorwire_errors counter",
				'cursorwire_errors_total{dialect="chat",kind="a \\"b\\"\\\\\\nc"} 2',
				"# HELP process_start_time_seconds A time.",
				"# TYPE process_start_time_seconds gauge",
				"# UNIT process_start_time_seconds seconds",
				"process_start_time_seconds 1.5",
				"# EOF",
				"",
			].join("\n"),
		);
	});
});

describe("the form of the text", () => {
	it.each([
		[undefined, PROMETHEUS_TEXT],
		["*/*", PROMETHEUS_TEXT],
		["application/json", PROMETHEUS_TEXT],
		["application/openmetrics-text", OPENMETRICS_TEXT],
		["application/openmetrics-text; version=1.0.0; charset=utf-8", OPENMETRICS_TEXT],
		["application/openmetrics-text;version=2.0.0,text/plain;q=0.1", PROMETHEUS_TEXT],
		["text/plain;q=0.9,application/openmetrics-text;q=0.5", PROMETHEUS_TEXT],
		[
			// As Prometheus 3 sends it.
			"application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
			OPENMETRICS_TEXT,
		],
	])("follows the Accept header: %s", (accept, format) => {
		expect(formatFor(accept)).toBe(format);
	});
});
