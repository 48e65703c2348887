import type { ServerResponse } from "node:http";
import type { DialectTurn } from "../dialects/dialect.ts";
import { OutputLimiter } from "../output/output-limiter.ts";
import { RuledTurns } from "../output/ruled-turns.ts";
import { sendJson, sendLargeJson } from "../server/send-json.ts";
import type { Asker, Ladder, StartedTurn } from "../sessions/ladder.ts";
import type { LedgerRow } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { PromptCount } from "../tokens/prompt-count.ts";
import { TurnMeter } from "../tokens/turn-meter.ts";
import { type GatewayError, toGatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { StreamLimits } from "./stream-options.ts";
import { StreamResponse } from "./stream-response.ts";
import { OutcomeWatch } from "./turn-outcome.ts";
import { WholeResponse } from "./whole-response.ts";

export interface TurnServiceOptions {
	sessions: Ladder;
	clock: Clock;
	streamLimits: StreamLimits;
	record(row: LedgerRow): void;
	/** An error that nobody expected, with its cause. */
	reportBug(error: unknown): void;
	/** Milliseconds of the epoch. */
	now(): number;
}

interface TurnEnd {
	cancelled?: boolean;
	error?: GatewayError;
}

/** A turn from its request to the row that tells what became of it. */
interface OpenTurn {
	call: DialectTurn;
	asker: Asker;
	response: ServerResponse;
	prompt: PromptCount;
	watch: OutcomeWatch;
	started: StartedTurn | undefined;
	/** Writes down how it ended; what is said after that does not count. */
	over(end: TurnEnd): void;
}

const CLIENT_LEFT = 499;

/** Answers turns of every dialect: starts them, carries their events to the client, and writes down what became of them. */
export class TurnService {
	readonly #options: TurnServiceOptions;
	readonly #ruled: RuledTurns;
	readonly #meter = new TurnMeter();
	readonly #open = new Set<ServerResponse>();

	constructor(options: TurnServiceOptions) {
		this.#options = options;
		this.#ruled = new RuledTurns(options.sessions);
	}

	/** Responses under way. */
	get openResponses(): number {
		return this.#open.size;
	}

	async serve(call: DialectTurn, asker: Asker, response: ServerResponse): Promise<void> {
		const turn = this.#openTurn(call, asker, response);
		// It may have left while its account was looked up, and does not leave again.
		if (response.destroyed) return turn.over({ cancelled: true });
		this.#open.add(response);
		response.on("close", () => this.#open.delete(response));
		try {
			await (call.stream ? this.#stream(turn) : this.#whole(turn));
		} catch (error) {
			const known = toGatewayError(error);
			turn.over({ error: known });
			sendError(response, call, known);
		}
	}

	#openTurn(call: DialectTurn, asker: Asker, response: ServerResponse): OpenTurn {
		const watch = new OutcomeWatch(() => this.#options.clock.now());
		let isOver = false;
		const turn: OpenTurn = {
			call,
			asker,
			response,
			prompt: this.#meter.prompt(call.turn, asker.caller),
			watch,
			started: undefined,
			over: (end) => {
				if (!isOver) this.#record(turn, end);
				isOver = true;
			},
		};
		return turn;
	}

	async #stream(turn: OpenTurn): Promise<void> {
		const { call, response, watch } = turn;
		const stream = new StreamResponse({
			response,
			encoder: call.encoder(0),
			headers: () => ({
				"content-type": "text/event-stream; charset=utf-8",
				"cache-control": "no-cache",
				...turnHeaders(turn),
			}),
			refuse: (error) => sendError(response, call, error),
			over: turn.over,
			clock: this.#options.clock,
			limits: this.#options.streamLimits,
		});
		const targets = call.choices === 1 ? [stream] : choiceListeners(call, stream);
		try {
			for (const target of targets) {
				if (stream.abandoned) return;
				stream.attach((await this.#start(turn, watched(target, watch))).handle);
			}
		} catch (error) {
			stream.failed(toGatewayError(error));
		}
	}

	async #whole(turn: OpenTurn): Promise<void> {
		const { call, response, watch } = turn;
		const collectors = Array.from({ length: call.choices }, () => new WholeResponse());
		response.on("close", () => {
			if (response.writableEnded) return;
			for (const collector of collectors) collector.abandon();
			turn.over({ cancelled: true });
		});
		try {
			for (const collector of collectors) {
				if (response.destroyed) return;
				collector.attach((await this.#start(turn, watched(collector, watch))).handle);
			}
			const turns = await Promise.all(collectors.map((collector) => collector.turn()));
			turn.over({});
			await sendLargeJson(response, turnHeaders(turn), call.whole(turns));
		} catch (error) {
			for (const collector of collectors) collector.abandon();
			throw error;
		}
	}

	async #start(turn: OpenTurn, listener: TurnListener): Promise<StartedTurn> {
		const { call, asker } = turn;
		const metered = this.#meter.response(turn.prompt, asker.caller, call.tellsPromptFirst ?? false, listener);
		const limiter = OutputLimiter.for(call.turn.limits, metered);
		const isFurther = turn.started !== undefined;
		const started = await this.#ruled.start(call.turn, asker, limiter ?? metered, isFurther);
		limiter?.attach(started.handle);
		metered.attach(started.handle);
		turn.started ??= started;
		return started;
	}

	#record({ call, asker, watch, started }: OpenTurn, end: TurnEnd): void {
		const { usage, error, cancelled, latencyMs, firstTokenMs } = watch.outcome(end);
		if (error?.kind === "internal") this.#options.reportBug(error.cause ?? error);
		this.#options.record({
			at: this.#options.now(),
			caller: asker.caller,
			dialect: call.dialect,
			model: call.turn.model,
			path: started?.path ?? "none",
			inputTokens: usage.inputTokens,
			outputTokens: usage.outputTokens,
			cachedTokens: usage.cachedInputTokens,
			reasoningTokens: usage.reasoningTokens,
			latencyMs: Math.round(latencyMs),
			...(firstTokenMs !== undefined && { firstTokenMs: Math.round(firstTokenMs) }),
			status: error?.status ?? (cancelled ? CLIENT_LEFT : 200),
			...((error || cancelled) && { errorKind: error?.kind ?? "cancelled" }),
		});
	}
}

/** Lets the watch see events on their way. */
function watched(target: TurnListener, watch: OutcomeWatch): TurnListener {
	return {
		events(batch) {
			watch.see(batch);
			target.events(batch);
		},
		failed: (error) => target.failed(error),
	};
}

/** Several answers in one stream: each is encoded for itself, the last one to end ends the stream. */
function choiceListeners(call: DialectTurn, stream: StreamResponse): TurnListener[] {
	let open = call.choices;
	return Array.from({ length: call.choices }, (_, choice) => {
		const encoder = call.encoder(choice);
		return {
			events(batch: readonly TurnEvent[]) {
				const text = encoder.encode(batch);
				const ended = batch[batch.length - 1]!.type === "turn-end";
				if (ended && --open === 0) stream.end(text);
				else stream.say(text);
			},
			failed: (error: GatewayError) => stream.failed(error),
		};
	});
}

function turnHeaders({ call, started }: OpenTurn): Record<string, string> {
	const warnings = [...call.turn.warnings, ...(started?.warnings ?? [])];
	return {
		...(started && { "x-cursorwire-path": started.path }),
		...(started && { "x-cursorwire-model": headerText(started.model.description) }),
		...(started?.session && { "x-cursorwire-session": started.session }),
		...(warnings.length > 0 && { "x-cursorwire-warnings": headerText(warnings.join("; ")) }),
	};
}

/** Nothing of a request may break a header. */
function headerText(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 2000);
}

function sendError(response: ServerResponse, call: DialectTurn, error: GatewayError): void {
	const { status, headers, body } = call.error(error);
	sendJson(response, status, headers, body);
}
