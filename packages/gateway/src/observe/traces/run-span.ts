import type { RunEnded, TurnEnded } from "../facts.ts";
import type { Span, SpanEvent, SpanId } from "./span.ts";

/** A request that a run has served. */
export interface ServedRequest extends SpanId {
	isSampled: boolean;
}

/** What is known of a run while its span is open. */
export class RunSpan {
	readonly #requests: ServedRequest[] = [];
	readonly #events: SpanEvent[] = [];
	#first: TurnEnded | undefined;
	#inputTokens = 0;
	#outputTokens = 0;
	#isParked = false;
	#wasParked = false;
	/** Whether a request was told since the run last began to reply. */
	#isTold = false;
	#ended: RunEnded | undefined;

	/** A request that it served is over. */
	served(turn: TurnEnded, request: ServedRequest): void {
		this.#first ??= turn;
		this.#requests.push(request);
		this.#inputTokens += turn.inputTokens;
		this.#outputTokens += turn.outputTokens;
		this.#isTold = true;
	}

	parked(at: number, tools: readonly string[]): void {
		this.#isParked = true;
		this.#wasParked = true;
		this.#events.push({ name: "parked", at, attributes: { "cursorwire.tools": tools.join(",") } });
	}

	unparked(at: number, how: string): void {
		const isAnswered = how === "answered";
		this.#isParked = !isAnswered;
		if (isAnswered) this.#isTold = false;
		this.#events.push(isAnswered ? { name: "resumed", at } : { name: "gave up", at, attributes: { reason: how } });
	}

	retried(at: number, reason: string): void {
		this.#events.push({ name: "retried", at, attributes: { reason } });
	}

	ended(fact: RunEnded): void {
		this.#ended = fact;
	}

	/** Whether nothing more will be heard of it: the request that it ends in is told before or after its own end. */
	get isComplete(): boolean {
		return this.#ended !== undefined && (this.#isTold || this.#isParked);
	}

	/**
	 * The span; undefined if no request is known or none is to be traced. A run that served one request is a part of it.
	 * One that waited for results outlives its requests, and so is a trace of its own that links to each of them.
	 */
	span(newId: (bytes: number) => string): Span | undefined {
		const first = this.#first;
		const ended = this.#ended;
		const sampled = this.#requests.filter(({ isSampled }) => isSampled);
		const [request] = sampled;
		if (!first || !ended || !request) return undefined;
		const isOwnTrace = this.#wasParked || this.#requests.length > 1;
		return {
			traceId: isOwnTrace ? newId(16) : request.traceId,
			spanId: newId(8),
			...(!isOwnTrace && { parentSpanId: request.spanId }),
			name: `chat ${first.answered ?? first.model}`,
			kind: "client",
			startedAt: first.at - first.latencyMs + (first.sentMs ?? 0),
			endedAt: Math.max(ended.at, first.at),
			attributes: this.#attributes(first, ended),
			events: this.#events,
			links: isOwnTrace ? sampled.map(({ traceId, spanId }) => ({ traceId, spanId })) : [],
			isError: ended.how === "cut" || ended.how === "refused",
		};
	}

	#attributes(first: TurnEnded, { protocol, channel, how }: RunEnded): Span["attributes"] {
		return {
			"gen_ai.operation.name": "chat",
			"gen_ai.provider.name": "cursor",
			"gen_ai.request.model": first.model,
			"gen_ai.response.model": first.answered,
			"gen_ai.conversation.id": first.conversation,
			"gen_ai.usage.input_tokens": this.#inputTokens,
			"gen_ai.usage.output_tokens": this.#outputTokens,
			"cursorwire.run.id": first.runId,
			"cursorwire.run.protocol": protocol,
			"cursorwire.run.channel": channel,
			"cursorwire.run.end": how,
			"error.type": how === "cut" || how === "refused" ? (first.errorKind ?? how) : undefined,
		};
	}
}
