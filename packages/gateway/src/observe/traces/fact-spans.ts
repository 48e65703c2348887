import type { Fact, LiveFact, Refused, TurnEnded } from "../facts.ts";
import { METRICS_PATH } from "../metrics/fact-metrics.ts";
import { RunSpan, type ServedRequest } from "./run-span.ts";
import type { Span } from "./span.ts";
import { parseTraceParent, type TraceParent } from "./trace-parent.ts";

export interface FactSpansOptions {
	/** Takes a span that is over. */
	write(span: Span): void;
	/** Counts spans that are given up. */
	dropped(count: number): void;
	/** The path of a dialect's requests. */
	routeOf(dialect: string): string | undefined;
	/** An id of so many random bytes, hexadecimal. */
	newId(bytes: number): string;
	/** Milliseconds since 1970. */
	now(): number;
}

/** Runs whose spans are open, and ids of runs whose spans are over. */
const MOST_RUNS = 4_096;
const SERVER_FAULT = 500;

/** Makes spans from facts: one for each request, and one for each run at Cursor. */
export class FactSpans {
	readonly #options: FactSpansOptions;
	readonly #runs = new Map<string, RunSpan>();
	readonly #over = new Set<string>();

	constructor(options: FactSpansOptions) {
		this.#options = options;
	}

	readonly see = (fact: Exclude<Fact, LiveFact>): void => {
		switch (fact.type) {
			case "turn-ended":
				return this.#turn(fact);
			case "refused":
				return this.#refused(fact);
			case "run-parked":
				return this.#run(fact.runId)?.parked(fact.at, fact.tools);
			case "run-unparked":
				return this.#run(fact.runId)?.unparked(fact.at, fact.how);
			case "run-retried":
				return this.#run(fact.runId)?.retried(fact.at, fact.reason);
			case "run-ended":
				this.#run(fact.runId)?.ended(fact);
				return this.#completed(fact.runId);
		}
	};

	#turn(turn: TurnEnded): void {
		const parent = parseTraceParent(turn.traceparent);
		const request = this.#request(parent);
		if (request.isSampled) this.#options.write(this.#turnSpan(turn, request, parent));
		if (turn.runId === undefined) return;
		this.#run(turn.runId)?.served(turn, request);
		this.#completed(turn.runId);
	}

	#turnSpan(turn: TurnEnded, { traceId, spanId }: ServedRequest, parent: TraceParent | undefined): Span {
		const route = this.#options.routeOf(turn.dialect);
		return {
			traceId,
			spanId,
			...(parent && { parentSpanId: parent.parentSpanId }),
			name: `POST ${route ?? turn.dialect}`,
			kind: "server",
			startedAt: turn.at - turn.latencyMs,
			endedAt: turn.at,
			attributes: {
				"http.request.method": "POST",
				"http.route": route,
				"http.response.status_code": turn.status,
				"error.type": turn.errorKind,
				"cursorwire.request.id": turn.requestId,
				"cursorwire.dialect": turn.dialect,
				"cursorwire.path": turn.path,
				"cursorwire.reason": turn.reason,
				"cursorwire.run.id": turn.runId,
				"gen_ai.request.model": turn.model,
				"gen_ai.response.model": turn.answered,
			},
			isError: turn.status >= SERVER_FAULT,
		};
	}

	/** How long it took to refuse a request is not known, and does not matter. */
	#refused({ requestId, method, route, status, errorKind, traceparent }: Refused): void {
		if (route === undefined || route === METRICS_PATH) return;
		const parent = parseTraceParent(traceparent);
		const { traceId, spanId, isSampled } = this.#request(parent);
		if (!isSampled) return;
		const at = this.#options.now();
		this.#options.write({
			traceId,
			spanId,
			...(parent && { parentSpanId: parent.parentSpanId }),
			name: `${method} ${route}`,
			kind: "server",
			startedAt: at,
			endedAt: at,
			attributes: {
				"http.request.method": method,
				"http.route": route,
				"http.response.status_code": status,
				"error.type": errorKind,
				"cursorwire.request.id": requestId,
			},
			isError: status >= SERVER_FAULT,
		});
	}

	#request(parent: TraceParent | undefined): ServedRequest {
		const { newId } = this.#options;
		return { traceId: parent?.traceId ?? newId(16), spanId: newId(8), isSampled: parent?.isSampled ?? true };
	}

	/** Undefined for a run whose span is over: a repeated request shares the reply of an earlier one. */
	#run(runId: string): RunSpan | undefined {
		if (this.#over.has(runId)) return undefined;
		const known = this.#runs.get(runId);
		if (known) return known;
		const run = new RunSpan();
		this.#runs.set(runId, run);
		if (this.#runs.size > MOST_RUNS) {
			this.#runs.delete(this.#runs.keys().next().value!);
			this.#options.dropped(1);
		}
		return run;
	}

	#completed(runId: string): void {
		const run = this.#runs.get(runId);
		if (!run?.isComplete) return;
		this.#runs.delete(runId);
		this.#over.add(runId);
		if (this.#over.size > MOST_RUNS) this.#over.delete(this.#over.keys().next().value!);
		const span = run.span(this.#options.newId);
		if (span) this.#options.write(span);
	}
}
