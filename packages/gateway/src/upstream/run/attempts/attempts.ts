import type { Soon } from "../../../time/soon.ts";
import { type GatewayError, toGatewayError } from "../../../turn/error.ts";
import type { Channel, ChannelEnd, ChannelListener, OpenChannel } from "../../channels/channel.ts";
import type { ObserveTurn } from "../observe.ts";
import type { RunAccount, RunRequest, RunServices } from "../run-parts.ts";
import type { RunTape } from "../run-tape.ts";
import type { RunTimer } from "../run-timer.ts";
import { Approach } from "./approach.ts";
import { HostAttempts } from "./host-attempts.ts";
import { Repetitions } from "./repetitions.ts";
import { decide, isRepetition, isUnprocessed, type RetryDecision, retryReason } from "./retry-policy.ts";
import type { RetryWatch } from "./retry-watch.ts";
import { type RunHeaders, RunTarget } from "./run-target.ts";

/** The run that the attempts are made for. It hears what a stream brings until that stream is cancelled. */
export interface AttemptOwner extends ChannelListener {
	/** False: nobody wants another attempt any more. */
	isRunning(): boolean;
	/** A stream is open; heartbeats count from now. */
	opened(): void;
	/** The request is put anew: what the last machine had to say does not count. */
	startedOver(): void;
	/** Another attempt follows at this time; until then silence is expected. */
	pausedUntil(time: number): void;
	/** There is no further attempt. */
	failed(error: GatewayError): void;
}

export interface AttemptParts {
	account: RunAccount;
	request: RunRequest;
	services: RunServices;
	observe: ObserveTurn | undefined;
	/** Hears of every attempt behind the first. */
	retries: RetryWatch;
	timer: RunTimer;
	tape: RunTape | undefined;
}

/** The streams of a run, one at a time: opens the first, and another where the one before failed and may be repeated. */
export class Attempts {
	/** How the request is put to Cursor, and the machine that speaks for it. */
	readonly approach: Approach;
	readonly host: HostAttempts;
	readonly #owner: AttemptOwner;
	readonly #parts: AttemptParts;
	readonly #repetitions = new Repetitions();
	#channel: OpenChannel | undefined;
	#channelKind: Channel | undefined;
	#checkpointsAtOpening = 0;

	constructor(owner: AttemptOwner, parts: AttemptParts) {
		const { account, request, services, observe } = parts;
		this.#owner = owner;
		this.#parts = parts;
		const { newId, newCallId, limits } = services;
		const cacheTokens = request.plan.cacheTokens ?? services.cacheTokens;
		this.approach = new Approach(request, { newId, newCallId, cacheTokens, limits, observe });
		const health = () => services.health.of(account.origin(this.approach.protocol), account.key);
		this.host = new HostAttempts(health, request.attempt);
	}

	/** The newest stream is one of HTTP/2; also before there is any. */
	get isHttp2(): boolean {
		return this.#channelKind?.isHttp2 ?? true;
	}

	/** The stream is cut and about to be taken up again. */
	get isInterrupted(): boolean {
		return this.#channel?.isInterrupted ?? false;
	}

	send(message: Uint8Array): void {
		this.#parts.tape?.sent(message);
		this.#channel?.send(message);
	}

	pause(): void {
		this.#channel?.pause();
	}

	resume(): void {
		this.#channel?.resume();
	}

	/** Cancels the stream: it brings nothing more. */
	cancel(): void {
		this.#channel?.cancel();
		this.#channel = undefined;
	}

	/** The stream has ended by itself: there is nothing left to cancel. */
	ended(): void {
		this.#channel = undefined;
	}

	/** Opens a stream with this message, the first one of the request where none is given. */
	open(first: Uint8Array = this.approach.first): Soon<void> {
		const { account, request, services } = this.#parts;
		this.#checkpointsAtOpening = this.#checkpoints;
		try {
			this.host.begin();
			const target = new RunTarget(account, this.approach.protocol, services.newId(), request.plan.runId);
			const headers = target.newHeaders();
			if (headers instanceof Promise) return this.#openLater(headers, target, first);
			this.#openChannel(headers, target, first);
		} catch (error) {
			this.#owner.failed(toGatewayError(error));
		}
	}

	async #openLater(headers: Promise<RunHeaders>, target: RunTarget, first: Uint8Array): Promise<void> {
		try {
			this.#openChannel(await headers, target, first);
		} catch (error) {
			this.#owner.failed(toGatewayError(error));
		}
	}

	#openChannel(headers: RunHeaders, target: RunTarget, first: Uint8Array): void {
		if (!this.#owner.isRunning()) return;
		const { account, tape } = this.#parts;
		const { protocol, channels } = this.approach.driver;
		target.headers = headers;
		this.#channelKind = channels.choose(target.origin, account.http);
		this.#owner.opened();
		tape?.opened(protocol, this.#channelKind.name);
		tape?.sent(first);
		this.#channel = this.#channelKind.open(target, first, this.#owner);
	}

	/** The stream failed in the middle of a turn. `emitted`: something of the turn cannot be taken back. */
	recover(end: Exclude<ChannelEnd, { kind: "complete" }>, emitted: boolean): void {
		const { account, services } = this.#parts;
		const { approach } = this;
		const decision = decide(
			end,
			{
				emitted,
				resumable: approach.machine.resumable ?? false,
				...this.#repetitions.facts,
				...approach.facts,
				// Where the server wants HTTP/2 there is nothing to fall back to.
				canFallBack: account.http !== "http2" && (this.#channelKind?.isHttp2 ?? false),
			},
			services.limits,
		);
		const affordable = this.#affordable(decision, end.error);
		if (affordable.kind !== "fail") this.#parts.retries.retrying(retryReason(affordable, end.error));
		void this.#act(affordable);
	}

	/** Tells the host's health of the failure. A repetition that would be right may still be one too many. */
	#affordable(decision: RetryDecision, error: GatewayError): RetryDecision {
		const { host } = this;
		// That a network does not carry HTTP/2 says nothing about the host.
		if (decision.kind === "fall-back") host.left();
		host.failed(error, decision.kind === "resume" && this.#hasProgressed);
		const refusal = decision.kind === "fail" ? undefined : this.#parts.retries.mayRetry();
		if (refusal) return { kind: "fail", error: refusal };
		const isFree = isUnprocessed(error) && this.#repetitions.facts.transportRetries === 0;
		return !isRepetition(decision) || isFree || host.spendRetry() ? decision : { kind: "fail", error };
	}

	/** The stream brought a checkpoint before it broke. */
	get #hasProgressed(): boolean {
		return this.#checkpoints > this.#checkpointsAtOpening;
	}

	get #checkpoints(): number {
		return this.approach.machine.checkpoints ?? 0;
	}

	async #act(decision: RetryDecision): Promise<void> {
		const { account, tape } = this.#parts;
		const { approach } = this;
		tape?.state(decision.kind);
		switch (decision.kind) {
			case "fail":
				return this.#owner.failed(decision.error);
			case "fall-back":
				approach.driver.channels.fallBack(account.origin(approach.protocol));
				return this.#startOver();
			case "other-protocol":
				return this.#switchProtocol(decision.error);
			case "respell":
				approach.respell();
				return this.#startOver();
			case "plain-prompt":
				approach.usePlainPrompt();
				return this.#startOver();
			case "refresh-token":
				return this.#refreshToken();
			case "retry":
				this.#repetitions.retried(decision.count);
				return this.#later(decision.delayMs, () => this.#startOver());
			case "resume":
				this.#repetitions.resumed(this.#hasProgressed);
				return this.#later(decision.delayMs, () => void this.open(approach.machine.resume?.()));
		}
	}

	/** The whole request once more: nothing of its reply was seen. */
	#startOver(): void {
		if (!this.#owner.isRunning()) return;
		this.approach.beginAgain();
		this.#owner.startedOver();
		void this.open();
	}

	/** If no other protocol can express the request, the refusal stands. */
	#switchProtocol(refusal: GatewayError): void {
		const { approach } = this;
		const next = approach.nextProtocol();
		if (!next) return this.#owner.failed(refusal);
		this.#parts.retries.switching(refusal, next.protocol);
		approach.useProtocol(next);
		this.#startOver();
	}

	async #refreshToken(): Promise<void> {
		this.#repetitions.tokenRefreshed();
		try {
			await this.#parts.account.tokenRefused();
		} catch (error) {
			return this.#owner.failed(toGatewayError(error));
		}
		this.#startOver();
	}

	#later(delayMs: number, action: () => void): void {
		const { clock, random } = this.#parts.services;
		const wait = delayMs * (1 + random() / 5);
		this.#owner.pausedUntil(clock.now() + wait);
		this.#parts.timer.set(wait, () => {
			if (this.#owner.isRunning()) action();
		});
	}
}
