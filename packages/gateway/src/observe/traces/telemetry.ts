import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "../../time/clock.ts";
import type { FactStream } from "../facts.ts";
import type { Family } from "../metrics/registry.ts";
import { FactSpans } from "./fact-spans.ts";
import type { OtelSettings, OtelTarget } from "./otel-settings.ts";
import { metricsAsOtlp, type OtlpSource, spansAsOtlp } from "./otlp-json.ts";
import { sendOtlp } from "./otlp-sender.ts";
import { SpanQueue } from "./span-queue.ts";

export interface TelemetryOptions {
	settings: OtelSettings;
	version: string;
	facts: FactStream;
	clock: Clock;
	/** All metrics, with what is read at this moment. */
	families(): Promise<readonly Family[]>;
	/** The path of a dialect's requests. */
	routeOf(dialect: string): string | undefined;
	warn(message: string): void;
}

/** Sends spans and metrics to a collector of OpenTelemetry. */
export class Telemetry {
	readonly #options: TelemetryOptions;
	readonly #source: OtlpSource;
	readonly #spans: SpanQueue | undefined;
	readonly #abort = new AbortController();
	readonly #startedAt = Date.now();
	#cancelTimer: (() => void) | undefined;
	#hasWarned = false;

	constructor(options: TelemetryOptions) {
		const { settings, version, warn } = options;
		this.#options = options;
		const resource = { "service.version": version, "service.instance.id": randomUUID(), ...settings.resource };
		this.#source = { resource, version };
		for (const warning of settings.warnings) warn(warning);
		if (settings.traces) this.#spans = this.#openSpans(settings.traces);
		if (settings.metrics) this.#sendMetricsLater(settings.metrics);
	}

	/** Spans that were not sent. */
	get droppedSpans(): number {
		return this.#spans?.dropped ?? 0;
	}

	/** Sends what is left, for at most this long. */
	async close(limitMs: number): Promise<void> {
		const { metrics } = this.#options.settings;
		this.#cancelTimer?.();
		const timer = setTimeout(() => this.#abort.abort(), limitMs);
		await Promise.all([this.#spans?.close(limitMs), metrics && this.#sendMetrics(metrics)]);
		clearTimeout(timer);
	}

	#openSpans(target: OtelTarget): SpanQueue {
		const { settings, clock, facts, routeOf, warn } = this.#options;
		const queue = new SpanQueue({
			clock,
			delayMs: settings.spanDelayMs,
			send: (spans, signal) => sendOtlp(target, spansAsOtlp(spans, this.#source), signal),
			warn,
		});
		const spans = new FactSpans({
			write: queue.write,
			dropped: (count) => queue.drop(count),
			routeOf,
			newId: (bytes) => randomBytes(bytes).toString("hex"),
			now: Date.now,
		});
		facts.listen(spans.see);
		return queue;
	}

	#sendMetricsLater(target: OtelTarget): void {
		const { clock, settings } = this.#options;
		this.#cancelTimer = clock.after(settings.metricsEveryMs, () => {
			void this.#sendMetrics(target).finally(() => {
				if (!this.#abort.signal.aborted) this.#sendMetricsLater(target);
			});
		});
	}

	/** The counts only grow, so what a collector has missed is in the next ones. */
	async #sendMetrics(target: OtelTarget): Promise<void> {
		try {
			const times = { startedAt: this.#startedAt, now: Date.now() };
			const body = metricsAsOtlp(await this.#options.families(), { ...this.#source, ...times });
			const result = await sendOtlp(target, body, this.#abort.signal);
			if (result.how !== "sent") this.#warnOnce(`metrics do not reach the collector: ${result.reason}`);
		} catch (error) {
			this.#warnOnce(`metrics cannot be read: ${(error as Error).message}`);
		}
	}

	#warnOnce(message: string): void {
		if (!this.#hasWarned) this.#options.warn(message);
		this.#hasWarned = true;
	}
}
