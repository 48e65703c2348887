import type { Telemetry, TelemetryOptions } from "../../observe/traces/telemetry.ts";
import { DIALECTS } from "../../routes/dialects.ts";

const ENDPOINT = /^OTEL_EXPORTER_OTLP_(TRACES_|METRICS_)?ENDPOINT$/;

/** Sends spans and metrics where the environment names a collector. Nothing of it is loaded elsewhere. */
export async function openTelemetry(
	env: Readonly<Record<string, string | undefined>>,
	options: Omit<TelemetryOptions, "settings" | "routeOf">,
): Promise<Telemetry | undefined> {
	if (!Object.keys(env).some((name) => ENDPOINT.test(name))) return undefined;
	const { readOtelSettings } = await import("../../observe/traces/otel-settings.ts");
	const settings = readOtelSettings(env);
	if (!settings) return undefined;
	const { Telemetry } = await import("../../observe/traces/telemetry.ts");
	return new Telemetry({ ...options, settings, routeOf });
}

function routeOf(dialect: string): string | undefined {
	const path = DIALECTS.find(({ name }) => name === dialect)?.path;
	return path && `/v1${path}`;
}
