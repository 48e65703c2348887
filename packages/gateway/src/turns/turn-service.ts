import type { ServerResponse } from "node:http";
import type { DialectTurn } from "../dialects/dialect.ts";
import type { RequestOrigin, TurnEnded } from "../observe/facts.ts";
import { OutputLimiter } from "../output/output-limiter.ts";
import { outputRuleOf, RuledTurns } from "../output/ruled-turns.ts";
import { sendJson, sendLargeJson } from "../server/send-json.ts";
import type { Asker, Ladder, StartedTurn } from "../sessions/ladder.ts";
import type { Clock } from "../time/clock.ts";
import { orElse, type Soon, soon } from "../time/soon.ts";
import { type GatewayError, toGatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { StreamLimits } from "./stream-limits.ts";
import { StreamResponse } from "./stream-response.ts";
import { turnEnded, warningsOf } from "./turn-ended.ts";
import { TurnMeter } from "./turn-meter.ts";
import { OutcomeWatch, type TurnEnd, type TurnProgress } from "./turn-outcome.ts";
import { WholeResponse } from "./whole-response.ts";

export interface TurnServiceOptions {
	ladder: Ladder;
	clock: Clock;
	streamLimits: StreamLimits;
	/** Hears of every turn that has ended. */
	tell(fact: TurnEnded): void;
	/** Reports an error that is a bug of the gateway. */
	reportBug(error: unknown): void;
	/** Milliseconds of the epoch. */
	now(): number;
}

/** A turn under way, for whoever looks. */
export interface RunningTurn extends RequestOrigin, TurnProgress {
	dialect: string;
	model: string;
	/** The rung, once it is chosen. */
	path?: string;
	/** An estimate. */
	outputTokens: number;
}

const CLOSE_POLL_MS = 20;
/** A rough figure is enough while a reply is under way; the exact one is in the ledger. */
const CHARACTERS_PER_TOKEN = 4;

/** Serves turns of every dialect: opens them, carries their events to the client, and enters them in the ledger. */
export class TurnService {
	readonly #options: TurnServiceOptions;
	readonly #ruled: RuledTurns;
	readonly #meter = new TurnMeter();
	readonly #now = () => this.#options.clock.now();
	readonly #open = new Set<OpenTurn>();

	constructor(options: TurnServiceOptions) {
		this.#options = options;
		this.#ruled = new RuledTurns(options.ladder);
	}

	/** Resolves when no response is open any more, or after `graceMs`. */
	async allEnded(graceMs: number): Promise<void> {
		const { now } = this.#options;
		const deadline = now() + graceMs;
		while (this.#open.size > 0 && now() < deadline) await new Promise((resolve) => setTimeout(resolve, CLOSE_POLL_MS));
	}

	/** The turns under way, oldest first. */
	running(): RunningTurn[] {
		return Array.from(this.#open, ({ call, origin, started, watch, reply }) => ({
			...origin,
			dialect: call.dialect,
			model: call.turn.model,
			...(started && { path: started.path }),
			...watch.progress(),
			outputTokens: Math.round((reply?.length ?? 0) / CHARACTERS_PER_TOKEN),
		}));
	}

	/** `decodeMs`: how long it took to understand the request; `admitMs`: to give it its place. */
	serve(
		call: DialectTurn,
		asker: Asker,
		response: ServerResponse,
		origin: RequestOrigin,
		decodeMs: number,
		admitMs: number,
	): Soon<void> {
		const turn = this.#openTurn(call, asker, response, origin, decodeMs, admitMs);
		// The client may have left while its account was looked up. There will be no second "close" event then.
		if (response.destroyed) return turn.settle({ cancelled: true });
		this.#open.add(turn);
		response.on("close", () => this.#open.delete(turn));
		return orElse(
			() => (call.stream ? this.#stream(turn) : this.#whole(turn)),
			(error) => {
				const known = toGatewayError(error);
				turn.settle({ error: known });
				sendError(response, call, known);
			},
		);
	}

	#openTurn(
		call: DialectTurn,
		asker: Asker,
		response: ServerResponse,
		origin: RequestOrigin,
		decodeMs: number,
		admitMs: number,
	): OpenTurn {
		const watch = new OutcomeWatch(this.#now);
		let isSettled = false;
		const turn: OpenTurn = {
			call,
			asker,
			origin,
			response,
			prompt: this.#meter.prompt(call.turn, asker.caller),
			watch,
			decodeMs,
			admitMs,
			started: undefined,
			reply: undefined,
			settle: (end) => {
				if (!isSettled) this.#enter(turn, end);
				isSettled = true;
			},
		};
		return turn;
	}

	#stream(turn: OpenTurn): Soon<void> {
		const { call, response } = turn;
		const stream = new StreamResponse({
			response,
			encoder: call.encoder(0),
			headers: () => {
				const headers = turnHeaders(turn);
				headers["content-type"] = "text/event-stream; charset=utf-8";
				headers["cache-control"] = "no-cache";
				return headers;
			},
			refuse: (error) => sendError(response, call, error),
			ended: turn.settle,
			clock: this.#options.clock,
			limits: this.#options.streamLimits,
		});
		return orElse(
			() =>
				call.choices === 1
					? soon(this.#openReply(turn, stream), ({ handle }) => stream.attach(handle))
					: this.#openChoices(turn, stream),
			(error) => stream.failed(toGatewayError(error)),
		);
	}

	/** Several replies to one request. Each begins when the one before it has been opened. */
	async #openChoices(turn: OpenTurn, stream: StreamResponse): Promise<void> {
		for (const target of choiceListeners(turn.call, stream)) {
			if (stream.abandoned) return;
			stream.attach((await this.#openReply(turn, target)).handle);
		}
	}

	async #whole(turn: OpenTurn): Promise<void> {
		const { call, response } = turn;
		const collectors = Array.from({ length: call.choices }, () => new WholeResponse());
		response.on("close", () => {
			if (response.writableEnded) return;
			for (const collector of collectors) collector.abandon();
			turn.settle({ cancelled: true });
		});
		try {
			for (const collector of collectors) {
				if (response.destroyed) return;
				collector.attach((await this.#openReply(turn, collector)).handle);
			}
			const turns = await Promise.all(collectors.map((collector) => collector.turn()));
			turn.settle({});
			await sendLargeJson(response, turnHeaders(turn), call.whole(turns));
		} catch (error) {
			for (const collector of collectors) collector.abandon();
			throw error;
		}
	}

	/** Opens one reply of the turn. Its events pass the output limits and the meter on their way to `target`. */
	#openReply(turn: OpenTurn, target: TurnListener): Soon<StartedTurn> {
		const { call, asker, prompt, watch } = turn;
		const tellsPromptFirst = call.tellsPromptFirst ?? false;
		const metered = this.#meter.reply(asker.caller, { prompt, watch, tellsPromptFirst, target });
		const limiter = OutputLimiter.for(call.turn.limits, metered);
		return soon(this.#run(turn, limiter ?? metered), (started) => {
			limiter?.attach(started.handle);
			metered.attach(started.handle);
			turn.reply = metered;
			watch.sent(started.run);
			turn.started ??= started;
			return started;
		});
	}

	#run({ call, asker, started }: OpenTurn, listener: TurnListener): Soon<StartedTurn> {
		// Further replies to the same request must not share the conversation of the first.
		const needsOwnConversation = started !== undefined;
		return soon(outputRuleOf(call.turn), (rule) =>
			rule
				? this.#ruled.open(rule, asker, listener, needsOwnConversation)
				: this.#options.ladder.climb(call.turn, asker, listener, needsOwnConversation),
		);
	}

	#enter(turn: OpenTurn, end: TurnEnd): void {
		const { error } = end;
		if (error?.kind === "internal") this.#options.reportBug(error.cause ?? error);
		this.#options.tell(turnEnded(turn, end, this.#options.now()));
	}
}

/** Several replies in one stream. Each is encoded separately, and the last one to end ends the stream. */
function choiceListeners(call: DialectTurn, stream: StreamResponse): TurnListener[] {
	let open = call.choices;
	return Array.from({ length: call.choices }, (_, choice) => {
		const encoder = call.encoder(choice);
		return {
			events(batch: readonly TurnEvent[]) {
				const text = stream.encoded(encoder, batch);
				if (text === undefined) return;
				const ended = batch[batch.length - 1]!.type === "turn-end";
				if (ended && --open === 0) stream.end(text);
				else stream.say(text);
			},
			failed: (error: GatewayError) => stream.failed(error),
		};
	});
}

function turnHeaders({ call, started }: OpenTurn): Record<string, string> {
	const headers: Record<string, string> = {};
	if (started) {
		headers["x-cursorwire-path"] = started.path;
		headers["x-cursorwire-model"] = headerText(started.model.description);
		if (started.session) headers["x-cursorwire-session"] = started.session;
	}
	const warnings = warningsOf(call, started);
	if (warnings !== undefined) headers["x-cursorwire-warnings"] = headerText(warnings);
	return headers;
}

/** Text from a request must not be able to break a header. */
function headerText(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 2000);
}

function sendError(response: ServerResponse, call: DialectTurn, error: GatewayError): void {
	const { status, headers, body } = call.error(error);
	sendJson(response, status, headers, body);
}
