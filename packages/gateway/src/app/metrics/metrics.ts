import type { Settings } from "../../config/settings.ts";
import type { FactStream } from "../../observe/facts.ts";
import { FactMetrics } from "../../observe/metrics/fact-metrics.ts";
import { ProcessReadings } from "../../observe/metrics/process-readings.ts";
import { type Family, MetricRegistry } from "../../observe/metrics/registry.ts";
import { dialectOfTurns } from "../../routes/dialects.ts";
import type { LateUpstream } from "../upstream/late-upstream.ts";
import { limitReadings, type MetricSources, readMetrics } from "./metric-readings.ts";

/** The metrics of a gateway. */
export class GatewayMetrics {
	readonly #registry: MetricRegistry;
	readonly #process = new ProcessReadings();

	constructor({ metricsKeys }: Settings, facts: FactStream, late: LateUpstream) {
		const isModel = (name: string) => late.ready?.listsModel(name) ?? false;
		this.#registry = new MetricRegistry({ isModel, byKey: metricsKeys });
		facts.listen(new FactMetrics({ registry: this.#registry, dialectAt: dialectOfTurns }).count);
	}

	async families(sources: MetricSources): Promise<readonly Family[]> {
		const standings = await sources.guard.standings();
		return this.#registry.families({ ...readMetrics(sources), ...limitReadings(standings), ...this.#process.read() });
	}

	close(): void {
		this.#process.close();
	}
}
