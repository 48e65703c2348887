import { describe, expect, it } from "vitest";
import { readOtelSettings } from "./otel-settings.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

describe("the variables of OpenTelemetry", () => {
	it("send nothing anywhere unless they name a collector", () => {
		expect(readOtelSettings({})).toBeUndefined();
		expect(readOtelSettings({ OTEL_SERVICE_NAME: "x", OTEL_TRACES_EXPORTER: "otlp" })).toBeUndefined();
		expect(readOtelSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: "true" })).toBeUndefined();
		expect(
			readOtelSettings({ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }),
		).toBeUndefined();
	});

	it("name one address for all, or one for each", () => {
		const all = readOtelSettings(ENDPOINT)!;
		expect(all.traces?.url.href).toBe("http://collector:4318/v1/traces");
		expect(all.metrics?.url.href).toBe("http://collector:4318/v1/metrics");
		const one = readOtelSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces/here" })!;
		expect(one.traces?.url.href).toBe("https://traces/here");
		expect(one.metrics).toBeUndefined();
	});

	it("add headers, the more exact ones last", () => {
		const { traces, metrics } = readOtelSettings({
			...ENDPOINT,
			OTEL_EXPORTER_OTLP_HEADERS: "a=1, b=2=3,broken",
			OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=%20x",
		})!;
		expect(traces?.headers).toEqual({ a: " x", b: "2=3" });
		expect(metrics?.headers).toEqual({ a: "1", b: "2=3" });
	});

	it("say how this program is called", () => {
		const env = { ...ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: "service.name=a,team=b" };
		expect(readOtelSettings(env)?.resource).toEqual({ "service.name": "a", team: "b" });
		expect(readOtelSettings({ ...env, OTEL_SERVICE_NAME: "c" })?.resource["service.name"]).toBe("c");
		expect(readOtelSettings(ENDPOINT)?.resource).toEqual({ "service.name": "cursorwire" });
	});

	it("are warned about where they ask for what is not there", () => {
		const odd = readOtelSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317", OTEL_METRICS_EXPORTER: "none" })!;
		expect(odd.traces).toBeUndefined();
		expect(odd.warnings).toEqual([
			"OTEL_EXPORTER_OTLP_ENDPOINT is no address that begins with http:// or https://, so no traces are sent",
		]);
		expect(readOtelSettings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })?.warnings[0]).toMatch(/http\/json/);
		expect(readOtelSettings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" })?.warnings).toEqual([]);
	});
});
