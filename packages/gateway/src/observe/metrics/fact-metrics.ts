import type { Fact, LiveFact, Refused, RunEnded, RunUnparked, TurnEnded } from "../facts.ts";
import type { MetricRegistry } from "./registry.ts";

/** Where metrics are read. Asking for them is not counted. */
export const METRICS_PATH = "/metrics";

export interface FactMetricsOptions {
	registry: MetricRegistry;
	/** The dialect of a path of the table of routes; undefined if no turn is asked for there. */
	dialectAt(route: string): string | undefined;
}

/** Counts facts. */
export class FactMetrics {
	readonly #dialectAt: FactMetricsOptions["dialectAt"];
	readonly #requests;
	readonly #errors;
	readonly #durations;
	readonly #firstTokens;
	readonly #stages;
	readonly #tokens;
	readonly #keyRequests;
	readonly #keyTokens;
	readonly #waits;
	readonly #calls;
	readonly #runs;
	readonly #retries;
	readonly #replays;
	readonly #decisions;

	constructor({ registry, dialectAt }: FactMetricsOptions) {
		this.#dialectAt = dialectAt;
		this.#requests = registry.counter("cursorwire_requests_total");
		this.#errors = registry.counter("cursorwire_errors_total");
		this.#durations = registry.histogram("cursorwire_turn_duration_seconds");
		this.#firstTokens = registry.histogram("cursorwire_first_token_seconds");
		this.#stages = registry.histogram("cursorwire_gateway_added_seconds");
		this.#tokens = registry.counter("cursorwire_tokens_total");
		this.#keyRequests = registry.counterByKey("cursorwire_key_requests_total");
		this.#keyTokens = registry.counterByKey("cursorwire_key_tokens_total");
		this.#waits = registry.histogram("cursorwire_parked_wait_seconds");
		this.#calls = registry.counter("cursorwire_tool_calls_total");
		this.#runs = registry.counter("cursorwire_upstream_runs_total");
		this.#retries = registry.counter("cursorwire_upstream_retries_total");
		this.#replays = registry.counter("cursorwire_replays_total");
		this.#decisions = registry.counter("cursorwire_limit_decisions_total");
	}

	readonly count = (fact: Exclude<Fact, LiveFact>): void => {
		switch (fact.type) {
			case "turn-ended":
				return this.#turn(fact);
			case "refused":
				return this.#refused(fact);
			case "run-unparked":
				return this.#unparked(fact);
			case "run-retried":
				return this.#retries.add(1, fact.reason);
			case "run-ended":
				return this.#ended(fact);
			case "replayed":
				return this.#replays.add(1, fact.how);
			case "limit-decided":
				return this.#decisions.add(1, fact.limit, fact.decision);
		}
	};

	#turn(turn: TurnEnded): void {
		const { dialect, path, errorKind, latencyMs, firstTokenMs, model, answered = model, key = "" } = turn;
		const outcome = errorKind === undefined ? "ok" : errorKind === "cancelled" ? "client_gone" : "error";
		this.#requests.add(1, dialect, path, outcome);
		this.#keyRequests?.add(1, key, outcome);
		if (errorKind !== undefined) this.#errors.add(1, dialect, errorKind);
		this.#durations.observe(latencyMs / 1000, dialect, path);
		if (firstTokenMs !== undefined) this.#firstTokens.observe(firstTokenMs / 1000, answered, path);
		this.#addStage("admit", turn.admitUs);
		this.#addStage("decode", turn.decodeUs);
		this.#addStage("send", turn.sendUs);
		this.#addStage("first_chunk", turn.firstChunkUs);
		this.#addTokens("input", turn.inputTokens, answered, key);
		this.#addTokens("cached", turn.cachedTokens, answered, key);
		this.#addTokens("output", turn.outputTokens, answered, key);
		this.#addTokens("reasoning", turn.reasoningTokens, answered, key);
	}

	#addStage(stage: string, microseconds: number | undefined): void {
		if (microseconds !== undefined) this.#stages.observe(microseconds / 1e6, stage);
	}

	#addTokens(type: string, count: number, model: string, key: string): void {
		if (count === 0) return;
		this.#tokens.add(count, model, type);
		this.#keyTokens?.add(count, key, type);
	}

	/** A request that asked for a turn and got none is a request too; one for anything else is only an error. */
	#refused({ route = "", method, errorKind }: Refused): void {
		if (route === METRICS_PATH) return;
		const dialect = method === "POST" ? this.#dialectAt(route) : undefined;
		this.#errors.add(1, dialect ?? "none", errorKind);
		if (dialect !== undefined) this.#requests.add(1, dialect, "none", "error");
	}

	#unparked({ how, waitedMs, calls, builtInCalls }: RunUnparked): void {
		this.#waits.observe(waitedMs / 1000, how);
		const result = how === "answered" ? "answered" : "unanswered";
		this.#addCalls(calls - builtInCalls, "client", result);
		this.#addCalls(builtInCalls, "builtin", result);
	}

	#ended({ protocol, channel, how, refusedCalls }: RunEnded): void {
		this.#runs.add(1, protocol, channel, how);
		this.#addCalls(refusedCalls.client, "client", "refused");
		this.#addCalls(refusedCalls.builtin, "builtin", "refused");
	}

	#addCalls(count: number, origin: string, result: string): void {
		if (count > 0) this.#calls.add(count, origin, result);
	}
}
