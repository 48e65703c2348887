import type { HistogramValue } from "./histogram.ts";
import type { Family, Point } from "./registry.ts";

/** A form of the text in which metrics are read. */
export interface ExpositionFormat {
	contentType: string;
	isOpenMetrics: boolean;
}

export const PROMETHEUS_TEXT: ExpositionFormat = {
	contentType: "text/plain; version=0.0.4; charset=utf-8",
	isOpenMetrics: false,
};
export const OPENMETRICS_TEXT: ExpositionFormat = {
	contentType: "application/openmetrics-text; version=1.0.0; charset=utf-8",
	isOpenMetrics: true,
};

/** The form that an Accept header prefers. Prometheus names both, with a weight each. */
export function formatFor(accept = ""): ExpositionFormat {
	let best = { format: PROMETHEUS_TEXT, weight: 0 };
	for (const range of accept.split(",")) {
		const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
		const format = formatOf(type!, parameters);
		const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
		if (format && weight > best.weight) best = { format, weight };
	}
	return best.format;
}

function formatOf(type: string, parameters: readonly string[]): ExpositionFormat | undefined {
	if (type === "text/plain" || type === "text/*" || type === "*/*") return PROMETHEUS_TEXT;
	if (type !== "application/openmetrics-text") return undefined;
	const version = parameters.find((parameter) => parameter.startsWith("version="))?.slice("version=".length);
	return version === undefined || /^"?(1\.0\.0|0\.0\.1)"?$/.test(version) ? OPENMETRICS_TEXT : undefined;
}

/** All metrics as text: https://prometheus.io/docs/instrumenting/exposition_formats/ and OpenMetrics 1.0. */
export function exposition(families: readonly Family[], { isOpenMetrics }: ExpositionFormat): string {
	const lines: string[] = [];
	for (const family of families) {
		lines.push(...headOf(family, isOpenMetrics));
		for (const point of family.points) lines.push(...linesOf(family, point));
	}
	if (isOpenMetrics) lines.push("# EOF");
	return `${lines.join("\n")}\n`;
}

function headOf({ name, row: { type, help, unit } }: Family, isOpenMetrics: boolean): string[] {
	// OpenMetrics names the family of a counter without the suffix of its samples.
	const family = isOpenMetrics && type === "counter" ? name.replace(/_total$/, "") : name;
	const text = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
	return [
		`# HELP ${family} ${isOpenMetrics ? text.replaceAll('"', '\\"') : text}`,
		`# TYPE ${family} ${type}`,
		...(isOpenMetrics && unit ? [`# UNIT ${family} ${unit}`] : []),
	];
}

function linesOf({ name, row }: Family, { labels, value }: Point): string[] {
	const pairs = Object.keys(row.labels).map((label, place) => `${label}="${escaped(labels[place] ?? "")}"`);
	if (typeof value === "number") return [`${name}${inBraces(pairs)} ${value}`];
	return histogramLines(name, pairs, row.buckets ?? [], value);
}

function histogramLines(
	name: string,
	pairs: readonly string[],
	buckets: readonly number[],
	{ counts, sum, count }: HistogramValue,
): string[] {
	let total = 0;
	const lines = Array.from(counts, (inBucket, index) => {
		total += inBucket;
		const bound = index < buckets.length ? floatText(buckets[index]!) : "+Inf";
		return `${name}_bucket${inBraces([...pairs, `le="${bound}"`])} ${total}`;
	});
	return [...lines, `${name}_sum${inBraces(pairs)} ${sum}`, `${name}_count${inBraces(pairs)} ${count}`];
}

const inBraces = (pairs: readonly string[]): string => (pairs.length > 0 ? `{${pairs.join(",")}}` : "");

/** OpenMetrics wants bounds to look like floats, and Prometheus compares them as text. */
const floatText = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value));

const escaped = (value: string): string =>
	value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
