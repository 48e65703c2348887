import type { LabelRow } from "../metrics/metric-row.ts";
import type { Family, Point } from "../metrics/registry.ts";
import { type Attributes, SPAN_KINDS, type Span } from "./span.ts";

// The JSON form of OTLP 1: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. Numbers of 64 bits are
// texts there, and ids are hexadecimal.

/** The names of gen_ai attributes are still in development, so the version that they were taken from is sent along. */
const SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0";
const STATUS_ERROR = { code: 2 };
const CUMULATIVE = 2;

export interface OtlpSource {
	resource: Readonly<Record<string, string>>;
	/** Of this program. */
	version: string;
}

export function spansAsOtlp(spans: readonly Span[], { resource, version }: OtlpSource): object {
	return {
		resourceSpans: [
			{
				resource: { attributes: attributesOf(resource) },
				scopeSpans: [{ scope: scopeOf(version), spans: spans.map(spanOf), schemaUrl: SCHEMA_URL }],
				schemaUrl: SCHEMA_URL,
			},
		],
	};
}

export function metricsAsOtlp(
	families: readonly Family[],
	{ resource, version, startedAt, now }: OtlpSource & { startedAt: number; now: number },
): object {
	const times = { startTimeUnixNano: nanoseconds(startedAt), timeUnixNano: nanoseconds(now) };
	return {
		resourceMetrics: [
			{
				resource: { attributes: attributesOf(resource) },
				scopeMetrics: [
					{
						scope: scopeOf(version),
						metrics: families.map((family) => metricOf(family, times)),
						schemaUrl: SCHEMA_URL,
					},
				],
				schemaUrl: SCHEMA_URL,
			},
		],
	};
}

const scopeOf = (version: string) => ({ name: "cursorwire", version });

function spanOf({ traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, isError, ...span }: Span): object {
	return {
		traceId,
		spanId,
		...(parentSpanId !== undefined && { parentSpanId }),
		name,
		kind: SPAN_KINDS[kind],
		startTimeUnixNano: nanoseconds(startedAt),
		endTimeUnixNano: nanoseconds(endedAt),
		attributes: attributesOf(span.attributes),
		events: (span.events ?? []).map((event) => ({
			timeUnixNano: nanoseconds(event.at),
			name: event.name,
			attributes: attributesOf(event.attributes ?? {}),
		})),
		links: span.links ?? [],
		status: isError ? STATUS_ERROR : {},
	};
}

type Times = { startTimeUnixNano: string; timeUnixNano: string };

/** Metrics for which the conventions for generative models have a name. */
const GEN_AI_NAMES: Readonly<Record<string, string>> = {
	cursorwire_turn_duration_seconds: "gen_ai.server.request.duration",
	cursorwire_first_token_seconds: "gen_ai.server.time_to_first_token",
};
const UNITS: Readonly<Record<string, string>> = { seconds: "s", bytes: "By", ratio: "1" };

function metricOf({ name, row, points }: Family, times: Times): object {
	const { type, help, unit, labels } = row;
	const toPoint = (point: Point) => ({ ...times, attributes: pointAttributes(name, labels, point) });
	const numbers = () => points.map((point) => ({ ...toPoint(point), asDouble: point.value }));
	const described = {
		name: GEN_AI_NAMES[name] ?? name.replace(/_total$/, ""),
		description: help,
		unit: unit ? UNITS[unit] : "1",
	};
	if (type === "gauge") return { ...described, gauge: { dataPoints: numbers() } };
	const aggregationTemporality = CUMULATIVE;
	if (type === "counter") {
		return { ...described, sum: { dataPoints: numbers(), aggregationTemporality, isMonotonic: true } };
	}
	const dataPoints = points.map((point) => ({ ...toPoint(point), ...histogramOf(point, row.buckets ?? []) }));
	return { ...described, histogram: { dataPoints, aggregationTemporality } };
}

function histogramOf({ value }: Point, explicitBounds: readonly number[]): object {
	if (typeof value === "number") return {};
	const { count, sum, counts } = value;
	return { count: String(count), sum, bucketCounts: Array.from(counts, String), explicitBounds };
}

function pointAttributes(name: string, labels: Readonly<Record<string, LabelRow>>, point: Point): object[] {
	const given = Object.keys(labels).map((label, place) => [
		label === "model" ? "gen_ai.response.model" : label,
		point.labels[place],
	]);
	const common = name in GEN_AI_NAMES ? { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "cursor" } : {};
	return attributesOf({ ...common, ...Object.fromEntries(given) });
}

function attributesOf(attributes: Attributes): object[] {
	return Object.entries(attributes).flatMap(([key, value]) =>
		value === undefined ? [] : [{ key, value: anyValue(value) }],
	);
}

function anyValue(value: string | number | boolean): object {
	if (typeof value === "string") return { stringValue: value };
	if (typeof value === "boolean") return { boolValue: value };
	return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** From milliseconds, which a number can hold and nanoseconds not. */
const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;
