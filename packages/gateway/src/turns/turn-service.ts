import type { DialectTurn } from "../dialects/dialect.ts";
import type { FactStream, RequestOrigin } from "../observe/facts.ts";
import { OutputLimiter } from "../output/output-limiter.ts";
import { outputRuleOf, RuledTurns } from "../output/ruled-turns.ts";
import type { ReplyOutlet } from "../server/reply-outlet.ts";
import { sendLargeJson } from "../server/send-json.ts";
import type { Asker } from "../sessions/asker.ts";
import type { Ladder } from "../sessions/ladder.ts";
import type { StartedTurn } from "../sessions/started-turn.ts";
import type { Clock } from "../time/clock.ts";
import { Roster } from "../time/roster.ts";
import { type Soon, soon } from "../time/soon.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import type { TurnListener } from "../turn/listener.ts";
import { choiceListeners } from "./choice-listeners.ts";
import type { RunNotes } from "./metering/run-notes.ts";
import { TurnMeter } from "./metering/turn-meter.ts";
import { OpenTurn, type TurnHost } from "./open-turn.ts";
import { countsOnSearch, refusedSearch, SEARCH_IS_OFF, tellingOfSearch, withoutSearch } from "./refused-search.ts";
import { type RunningTurn, runningTurn } from "./running-turn.ts";
import type { StreamLimits } from "./stream-limits.ts";
import { StreamResponse } from "./stream-response.ts";
import { LONGEST_NAME, turnEnded } from "./turn-ended.ts";
import type { TurnEnd, TurnState } from "./turn-outcome.ts";
import { type SpendingOptions, TurnSpending } from "./turn-spending.ts";
import { WholeResponse } from "./whole-response.ts";

export interface TurnServiceOptions extends SpendingOptions {
	ladder: Ladder;
	clock: Clock;
	streamLimits: StreamLimits;
	/** Whether Cursor may search the web. */
	webSearch: boolean;
	/** Hears of every turn: of its end, and of its steps while somebody watches. */
	facts: Pick<FactStream, "tell" | "tellLive" | "isWatched">;
	/** The row of a turn that ends now is written together with others, a moment later. */
	rowsWait(): boolean;
	/** Reports an error that is a bug of the gateway. */
	reportBug(error: unknown): void;
}

const CLOSE_POLL_MS = 20;

/** Serves turns of every dialect: opens them, carries their events to the client, and enters them in the ledger. */
export class TurnService implements TurnHost {
	readonly #options: TurnServiceOptions;
	readonly #ruled: RuledTurns;
	readonly #meter = new TurnMeter();
	readonly #spending: TurnSpending;
	readonly #open = new Roster<OpenTurn>();

	constructor(options: TurnServiceOptions) {
		this.#options = options;
		this.#ruled = new RuledTurns(options.ladder);
		this.#spending = new TurnSpending(options);
	}

	get clock(): Clock {
		return this.#options.clock;
	}

	get streamLimits(): StreamLimits {
		return this.#options.streamLimits;
	}

	get rowsWait(): boolean {
		return this.#options.rowsWait();
	}

	/** Resolves when no response is open any more, or after `graceMs`. */
	async allEnded(graceMs: number): Promise<void> {
		const { now } = this.#options;
		const deadline = now() + graceMs;
		while (this.#open.size > 0 && now() < deadline) await new Promise((resolve) => setTimeout(resolve, CLOSE_POLL_MS));
		for (const turn of [...this.#open]) if (!turn.isSettled) turn.fail(new GatewayError("shutting-down"));
	}

	/** Counts together with other gateways. */
	shares(notes: RunNotes): void {
		this.#meter.notes = notes;
	}

	/** The turns under way, oldest first. */
	running(): RunningTurn[] {
		const now = this.#options.now();
		return Array.from(this.#open, (turn) => runningTurn(turn, now, this.clock.now()));
	}

	/** How many turns of a caller are under way. */
	countOf(caller: string): number {
		return Array.from(this.#open).filter(({ asker }) => asker.caller === caller).length;
	}

	/** Ends a turn because the owner wants it. False: no such turn is under way. */
	stop(requestId: string): boolean {
		let isFound = false;
		for (const turn of [...this.#open]) {
			if (turn.origin.requestId !== requestId || turn.isSettled) continue;
			isFound = true;
			turn.fail(new GatewayError("stopped"));
		}
		return isFound;
	}

	/** `decodeMs`: how long it took to understand the request; `admitMs`: to give it its place. */
	serve(
		call: DialectTurn,
		asker: Asker,
		response: ReplyOutlet,
		origin: RequestOrigin,
		decodeMs: number,
		admitMs: number,
	): Soon<void> {
		const prompt = this.#meter.prompt(call.turn, asker.caller);
		const turn = new OpenTurn(this, call, asker, response, origin, prompt, decodeMs);
		turn.admitMs = admitMs;
		// The client may have left while its account was looked up. There will be no second "close" event then.
		if (response.destroyed) return turn.ended({ cancelled: true });
		this.#open.add(turn);
		if (this.#options.facts.isWatched) this.#tellAdmitted(turn);
		try {
			const spend = this.#spending.of(turn);
			const answer = spend === undefined ? this.#answer(turn) : this.#answerWithin(spend, turn);
			return answer instanceof Promise ? this.#whenFailed(answer, turn) : answer;
		} catch (error) {
			this.#failed(turn, error);
		}
	}

	#answerWithin(spend: NonNullable<ReturnType<TurnSpending["of"]>>, turn: OpenTurn): Soon<void> {
		return soon(spend, (known) => {
			if (known) turn.asker.spend = known;
			// As above: there will be no second "close" event.
			return turn.response.destroyed ? this.#left(turn) : this.#answer(turn);
		});
	}

	#whenFailed(answer: Promise<void>, turn: OpenTurn): Promise<void> {
		return answer.catch((error) => this.#failed(turn, error));
	}

	#failed(turn: OpenTurn, error: unknown): void {
		const known = toGatewayError(error);
		turn.ended({ error: known });
		turn.refuse(known);
		this.#open.delete(turn);
	}

	closed(turn: OpenTurn): void {
		this.#open.delete(turn);
	}

	#left(turn: OpenTurn): void {
		turn.ended({ cancelled: true });
		this.#open.delete(turn);
	}

	#answer(turn: OpenTurn): Soon<void> {
		return turn.call.stream ? this.#stream(turn) : this.#whole(turn);
	}

	#stream(turn: OpenTurn): Soon<void> {
		const stream = new StreamResponse(turn);
		turn.target = stream;
		try {
			const opening = turn.call.choices === 1 ? this.#streamReply(turn, stream) : this.#openChoices(turn, stream);
			return opening instanceof Promise ? whenFailed(opening, stream) : opening;
		} catch (error) {
			stream.failed(toGatewayError(error));
		}
	}

	#streamReply(turn: OpenTurn, stream: StreamResponse): Soon<void> {
		const opening = this.#openReply(turn, stream);
		if (opening instanceof Promise) return attachLater(opening, stream);
		stream.attach(opening.handle);
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
		turn.target = collectors;
		response.on("close", () => {
			turn.closed();
			if (response.writableEnded) return;
			for (const collector of collectors) collector.abandon();
			turn.ended({ cancelled: true });
		});
		try {
			for (const collector of collectors) {
				if (response.destroyed) return;
				collector.attach((await this.#openReply(turn, collector)).handle);
			}
			const turns = await Promise.all(collectors.map((collector) => collector.turn()));
			turn.ended({});
			await sendLargeJson(response, turn.turnHeaders(), call.whole(turns));
		} catch (error) {
			for (const collector of collectors) collector.abandon();
			throw error;
		}
	}

	/** Opens one reply of the turn. Its events pass the output limits and the meter on their way to `target`. */
	#openReply(turn: OpenTurn, target: TurnListener): Soon<StartedTurn> {
		const { call, asker, prompt, watch } = turn;
		const tellsPromptFirst = call.tellsPromptFirst ?? false;
		const { spend } = asker;
		const metered = this.#meter.reply(asker.caller, { prompt, watch, tellsPromptFirst, target, spend });
		const limiter = OutputLimiter.for(call.turn.limits, metered);
		return soon(this.#run(turn, limiter ?? metered), (started) => {
			limiter?.attach(started.handle);
			metered.attach(started.handle);
			turn.reply = metered;
			watch.sent(started.run, started.askedMs);
			if (!turn.started) this.#routed(turn, started);
			return started;
		});
	}

	#run(turn: OpenTurn, target: TurnListener): Soon<StartedTurn> {
		const { call, asker, started } = turn;
		// Further replies to the same request must not share the conversation of the first.
		const needsOwnConversation = started !== undefined;
		const isRefused = !this.#options.webSearch && countsOnSearch(call.turn);
		const request = isRefused ? withoutSearch(call.turn) : call.turn;
		const listener = isRefused ? tellingOfSearch(refusedSearch(call.turn, turn.origin.requestId), target) : target;
		return soon(outputRuleOf(request), (rule) =>
			soon(
				rule
					? this.#ruled.open(rule, asker, listener, needsOwnConversation)
					: this.#options.ladder.climb(request, asker, listener, needsOwnConversation),
				(opened) => {
					if (call.turn.webSearch && !this.#options.webSearch) opened.warnings.push(SEARCH_IS_OFF);
					return opened;
				},
			),
		);
	}

	/** Enters a turn in the ledger. */
	ended(turn: OpenTurn, end: TurnEnd): void {
		const { error } = end;
		if (error?.kind === "internal") this.#options.reportBug(error.cause ?? error);
		this.#spending.ended(turn, end);
		this.#options.facts.tell(turnEnded(turn, end, this.#options.now()));
	}

	#tellAdmitted({ call, asker, origin }: OpenTurn): void {
		const { facts, now } = this.#options;
		const { dialect, turn } = call;
		const model = turn.model.slice(0, LONGEST_NAME);
		facts.tellLive({ type: "turn-admitted", at: now(), caller: asker.caller, dialect, model, ...origin });
	}

	#routed(turn: OpenTurn, started: StartedTurn): void {
		const { facts, now } = this.#options;
		turn.started = started;
		if (!facts.isWatched) return;
		const { path, reason, session, model, run } = started;
		facts.tellLive({
			type: "turn-routed",
			at: now(),
			requestId: turn.origin.requestId,
			path,
			reason,
			conversation: session,
			runId: run?.runId ?? "",
			answered: model.name,
		});
	}

	/** Tells of a step of a turn, while somebody watches. */
	readonly stepped = (requestId: string, step: TurnState): void => {
		const { facts, now } = this.#options;
		if (facts.isWatched) facts.tellLive({ type: "turn-step", at: now(), requestId, step });
	};
}

const whenFailed = (opening: Promise<void>, stream: StreamResponse): Promise<void> =>
	opening.catch((error) => stream.failed(toGatewayError(error)));

const attachLater = (opening: Promise<StartedTurn>, stream: StreamResponse): Promise<void> =>
	opening.then(({ handle }) => stream.attach(handle));
