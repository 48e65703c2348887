/** What the standard variables of OpenTelemetry say: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
export interface OtelSettings {
	traces?: OtelTarget;
	metrics?: OtelTarget;
	/** Attributes of this program, in what it sends. */
	resource: Readonly<Record<string, string>>;
	/** How long spans are collected before they are sent. */
	spanDelayMs: number;
	metricsEveryMs: number;
	/** What was asked for and is not there. */
	warnings: readonly string[];
}

export interface OtelTarget {
	url: URL;
	headers: Readonly<Record<string, string>>;
	/** Longest wait for an answer. */
	timeoutMs: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const SPAN_DELAY_MS = 5_000;
const METRICS_EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** Undefined if nothing is to be sent anywhere. */
export function readOtelSettings(env: Environment): OtelSettings | undefined {
	if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return undefined;
	const warnings: string[] = [];
	const traces = targetOf(env, "TRACES", warnings);
	const metrics = targetOf(env, "METRICS", warnings);
	if (!traces && !metrics && warnings.length === 0) return undefined;
	const protocol = env.OTEL_EXPORTER_OTLP_PROTOCOL;
	if (protocol && protocol !== "http/json") {
		warnings.push(
			`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but only http/json is spoken here, on a collector's port 4318`,
		);
	}
	return {
		...(traces && { traces }),
		...(metrics && { metrics }),
		resource: {
			"service.name": "cursorwire",
			...pairsOf(env.OTEL_RESOURCE_ATTRIBUTES),
			...(env.OTEL_SERVICE_NAME && { "service.name": env.OTEL_SERVICE_NAME }),
		},
		spanDelayMs: millisecondsOf(env.OTEL_BSP_SCHEDULE_DELAY, SPAN_DELAY_MS),
		metricsEveryMs: millisecondsOf(env.OTEL_METRIC_EXPORT_INTERVAL, METRICS_EVERY_MS),
		warnings,
	};
}

function targetOf(env: Environment, signal: "TRACES" | "METRICS", warnings: string[]): OtelTarget | undefined {
	if (env[`OTEL_${signal}_EXPORTER`]?.trim().toLowerCase() === "none") return undefined;
	const name = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
		? `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`
		: "OTEL_EXPORTER_OTLP_ENDPOINT";
	const given = env[name];
	if (!given) return undefined;
	// An endpoint of one signal is used as it is; the common one is the start of all of them.
	const address = name.includes(signal) ? given : `${given.replace(/\/+$/, "")}/v1/${signal.toLowerCase()}`;
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url?.protocol !== "http:" && url?.protocol !== "https:") {
		warnings.push(`${name} is no address that begins with http:// or https://, so no ${signal.toLowerCase()} are sent`);
		return undefined;
	}
	return {
		url,
		headers: { ...pairsOf(env.OTEL_EXPORTER_OTLP_HEADERS), ...pairsOf(env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]) },
		timeoutMs: millisecondsOf(env.OTEL_EXPORTER_OTLP_TIMEOUT, TIMEOUT_MS),
	};
}

/** `name=value,name=value`, with `%20` and the like for characters that have a meaning. */
function pairsOf(text = ""): Record<string, string> {
	const pairs = text.split(",").flatMap((pair) => {
		const at = pair.indexOf("=");
		return at > 0 ? [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]] : [];
	});
	return Object.fromEntries(pairs);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function millisecondsOf(text: string | undefined, otherwise: number): number {
	const number = Number(text);
	return text?.trim() && Number.isFinite(number) && number > 0 ? number : otherwise;
}
