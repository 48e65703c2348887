import type { Settings } from "../../config/settings.ts";
import type { FactStream } from "../../observe/facts.ts";
import type { Family } from "../../observe/metrics/registry.ts";
import type { Telemetry } from "../../observe/traces/telemetry.ts";
import type { Clock } from "../../time/clock.ts";
import type { LateUpstream } from "../upstream/late-upstream.ts";
import type { MetricSources } from "./metric-readings.ts";
import { GatewayMetrics } from "./metrics.ts";
import { openTelemetry } from "./telemetry.ts";

export interface MeasuredParts extends Omit<MetricSources, "settings" | "droppedSpans" | "upstream"> {
	settings: Settings;
	facts: FactStream;
	clock: Clock;
	late: LateUpstream;
	/** The variables of OpenTelemetry. */
	env: Readonly<Record<string, string | undefined>>;
	warn(message: string): void;
}

/** The metrics of a gateway, and what sends them and its spans where the environment says. */
export interface Measuring {
	families(): Promise<readonly Family[]>;
	/** The last spans are sent within this time, or not at all. */
	close(withinMs: number): Promise<void>;
}

export async function openMetrics({ env, warn, ...parts }: MeasuredParts): Promise<Measuring> {
	const { version, settings, facts, clock, late } = parts;
	const metrics = new GatewayMetrics(settings, facts, late);
	let telemetry: Telemetry | undefined;
	const families = () =>
		metrics.families({ ...parts, droppedSpans: () => telemetry?.droppedSpans, upstream: () => late.ready });
	telemetry = await openTelemetry(env, { version, facts, clock, families, warn });
	return {
		families,
		async close(withinMs) {
			await telemetry?.close(withinMs);
			metrics.close();
		},
	};
}
