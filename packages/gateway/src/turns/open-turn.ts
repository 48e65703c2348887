import type { DialectTurn, StreamEncoder } from "../dialects/dialect.ts";
import type { RequestOrigin } from "../observe/facts.ts";
import type { ReplyOutlet } from "../server/reply-outlet.ts";
import { sendJson } from "../server/send-json.ts";
import type { Asker } from "../sessions/asker.ts";
import type { StartedTurn } from "../sessions/started-turn.ts";
import { asStarted } from "../text/as-started.ts";
import type { Clock } from "../time/clock.ts";
import type { Listed } from "../time/roster.ts";
import type { GatewayError } from "../turn/error.ts";
import type { MeteredReply } from "./metering/metered-reply.ts";
import type { PromptCount } from "./metering/prompt-count.ts";
import type { StreamLimits } from "./stream-limits.ts";
import { type StreamOwner, StreamResponse } from "./stream-response.ts";
import { OutcomeWatch, type StepTeller, type TurnEnd } from "./turn-outcome.ts";
import { warningsOf } from "./turn-warnings.ts";
import type { WholeResponse } from "./whole-response.ts";

/** What turns need of the service that serves them. */
export interface TurnHost {
	readonly clock: Clock;
	readonly streamLimits: StreamLimits;
	/** Its row is written a moment after its end, so that the client need not wait for it. */
	readonly rowsWait: boolean;
	/** Hears of each step of the turn. */
	readonly stepped: StepTeller;
	/** The turn has ended in this way. Called once. */
	ended(turn: OpenTurn, end: TurnEnd): void;
	/** Its response is closed. */
	closed(turn: OpenTurn): void;
}

/** A turn from its request to its row in the ledger. */
export class OpenTurn implements StreamOwner, Listed<OpenTurn> {
	readonly call: DialectTurn;
	readonly asker: Asker;
	readonly origin: RequestOrigin;
	readonly response: ReplyOutlet;
	readonly prompt: PromptCount;
	readonly watch: OutcomeWatch;
	/** Its place among the turns under way. */
	older: OpenTurn | undefined;
	newer: OpenTurn | undefined;
	/** How long it took to understand the request. */
	readonly decodeMs: number;
	/** How long it took to give it its place, before its body was read. */
	admitMs = 0;
	started: StartedTurn | undefined;
	/** The newest of its replies. */
	reply: MeteredReply | undefined;
	/** What the client gets: a stream, or replies that are collected first. */
	target: StreamResponse | readonly WholeResponse[] | undefined;
	readonly #host: TurnHost;
	#encoder: StreamEncoder | undefined;
	#isSettled = false;

	constructor(
		host: TurnHost,
		call: DialectTurn,
		asker: Asker,
		response: ReplyOutlet,
		origin: RequestOrigin,
		prompt: PromptCount,
		decodeMs: number,
	) {
		this.#host = host;
		this.call = call;
		this.asker = asker;
		this.response = response;
		this.origin = origin;
		this.prompt = prompt;
		this.decodeMs = decodeMs;
		this.watch = new OutcomeWatch(host.clock, host.stepped, origin.requestId);
	}

	get clock(): Clock {
		return this.#host.clock;
	}

	get limits(): StreamLimits {
		return this.#host.streamLimits;
	}

	get tellsClientFirst(): boolean {
		return this.#host.rowsWait;
	}

	/** Writes its stream, or the first of several replies in it. */
	get encoder(): StreamEncoder {
		this.#encoder ??= this.call.encoder(0);
		return this.#encoder;
	}

	/** Writes the row in the ledger. Only the first call counts. */
	ended(end: TurnEnd): void {
		if (this.#isSettled) return;
		this.#host.ended(this, end);
		this.#isSettled = true;
	}

	/** Whether its row is written. */
	get isSettled(): boolean {
		return this.#isSettled;
	}

	/** Ends the turn with an error, which the client is told. */
	fail(error: GatewayError): void {
		const { target } = this;
		if (target instanceof StreamResponse) target.failed(error);
		else for (const reply of target ?? []) reply.failed(error);
	}

	closed(): void {
		this.#host.closed(this);
	}

	/** Sends an error as a plain response. */
	refuse(error: GatewayError): void {
		const { status, headers, body } = this.call.error(error);
		sendJson(this.response, status, headers, body);
	}

	/** The headers of a streamed response. */
	headers(): Record<string, string> {
		const headers = this.turnHeaders();
		headers["content-type"] = "text/event-stream; charset=utf-8";
		headers["cache-control"] = "no-cache";
		return headers;
	}

	/** What the headers of its response say about it. */
	turnHeaders(): Record<string, string> {
		const { call, started } = this;
		const headers: Record<string, string> = {};
		if (started) {
			headers["x-cursorwire-path"] = started.path;
			headers["x-cursorwire-model"] = headerText(started.model.description);
			if (started.session) headers["x-cursorwire-session"] = started.session;
		}
		const warnings = warningsOf(call, started);
		if (warnings !== undefined) headers["x-cursorwire-warnings"] = headerText(asStarted(warnings));
		return headers;
	}
}

/** Text from a request must not be able to break a header. */
function headerText(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 2000);
}
