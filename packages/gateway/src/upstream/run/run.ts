import { type Flushable, flushSoon } from "../../time/flush-soon.ts";
import { GatewayError, toGatewayError } from "../../turn/error.ts";
import type { EndReason, Rung } from "../../turn/event.ts";
import type { TurnHandle, TurnListener } from "../../turn/listener.ts";
import type { ToolResultPart } from "../../turn/request.ts";
import { WireError } from "../../wire/errors.ts";
import type { AnsweringModel } from "../catalog/answering-model.ts";
import { countFailure } from "../census/count-failure.ts";
import type { ChannelEnd } from "../channels/channel.ts";
import type { ProtocolName, WireModel } from "../protocols/driver.ts";
import type { Machine, MachineOutput } from "../protocols/machine.ts";
import type { StoredConversation } from "../protocols/stored-conversation.ts";
import { type AttemptOwner, Attempts } from "./attempts.ts";
import type { ObserveTurn } from "./observe.ts";
import type { Pulsed } from "./pulse.ts";
import { ReceivedBytes } from "./received-bytes.ts";
import { Replies } from "./replies.ts";
import { RunClocks } from "./run-clocks.ts";
import { observeEnd, observeFailure, observeSilence, type RunStand } from "./run-facts.ts";
import type { RetryReason, RunEnd, RunObserver } from "./run-observer.ts";
import type { RunAccount, RunRequest, RunServices } from "./run-parts.ts";
import type { RunTape } from "./run-tape.ts";
import { RunTimer } from "./run-timer.ts";

/** How many events wait for the end of a turn of the event loop. */
const MOST_WAITING = 8;

type Phase = "idle" | "running" | "waiting" | "over";

/**
 * One run in any of Cursor's protocols. What comes from the stream goes through the machine and leaves as events of the
 * reply; at tool calls the run waits until their results are given. Opening streams, and opening others after a failure,
 * is the work of `Attempts`.
 */
export class CursorRun implements TurnHandle, Pulsed, Flushable, AttemptOwner {
	readonly #services: RunServices;
	readonly #observer: RunObserver<CursorRun>;
	readonly #request: RunRequest;
	readonly #observe: ObserveTurn | undefined;
	readonly #tape: RunTape | undefined;
	readonly #attempts: Attempts;
	readonly #clocks: RunClocks;
	readonly #timer: RunTimer;
	readonly #received: ReceivedBytes;
	readonly #replies = new Replies();
	/** Its place in the pulse. */
	older: Pulsed | undefined;
	newer: Pulsed | undefined;
	#phase: Phase = "idle";
	/** Results of tools have gone into the stream: the request that opened it must never be sent again. */
	#answered = false;
	#fellSilent = false;
	/** When another stream became necessary; undefined once it brings something. */
	#retryingSince: number | undefined;
	#isFlushQueued = false;

	constructor(account: RunAccount, request: RunRequest, services: RunServices, observer: RunObserver<CursorRun> = {}) {
		this.#services = services;
		this.#request = request;
		this.#observer = observer;
		this.#clocks = new RunClocks(services.limits);
		this.#timer = new RunTimer(services.clock);
		this.#received = new ReceivedBytes(services.limits);
		this.#tape = services.recorder?.begin(request.plan);
		const { observe } = services;
		this.#observe = observe && ((fact, value) => observe(account.key, fact, value));
		const parts = { account, request, services, observe: this.#observe, timer: this.#timer, tape: this.#tape };
		this.#attempts = new Attempts(this, parts);
	}

	get runId(): string {
		return this.#request.plan.runId;
	}

	/** The name of the model that Cursor was given last. */
	get model(): WireModel {
		return this.#attempts.approach.model;
	}

	/** The same model as the client knows it. */
	get answering(): AnsweringModel {
		return this.#request.answering;
	}

	get protocol(): ProtocolName {
		return this.#attempts.approach.protocol;
	}

	get phase(): Phase {
		return this.#phase;
	}

	/** The newest stream is one of HTTP/2. */
	get isHttp2(): boolean {
		return this.#attempts.isHttp2;
	}

	/** Since when another stream is tried after one that failed; undefined if none is. */
	get retryingSince(): number | undefined {
		return this.#retryingSince;
	}

	/** When the first content of the reply under way arrived. */
	get firstContentAt(): number | undefined {
		return this.#clocks.firstContentAt;
	}

	get pendingCalls(): string[] {
		return this.#machine.pendingCalls ?? [];
	}

	get pendingTools(): string[] {
		return this.#machine.pendingTools ?? [];
	}

	/** The conversation as Cursor left it, where its protocol has such a thing. */
	stored(): StoredConversation | undefined {
		return this.#machine.stored?.();
	}

	/** Opens the stream; the reply of its first turn goes to the listener. */
	open(listener: TurnListener, rung: Rung = "new"): void {
		this.#replyTo(listener, rung);
		this.#services.pulse.add(this);
		void this.#attempts.open();
	}

	/** The results of all pending calls: the run goes on in the same stream. */
	giveResults(results: readonly ToolResultPart[], listener: TurnListener): void {
		this.#replyTo(listener, "parked");
		this.#received.waitAnew();
		this.#answered = true;
		this.#attempts.host.join();
		this.#tape?.state("answered");
		this.#step((out) => this.#machine.giveResults?.(results, out));
		this.#flush();
	}

	pause(): void {
		this.#attempts.pause();
	}

	resume(): void {
		this.#attempts.resume();
	}

	cancel(): void {
		this.#replies.abandon();
		this.#finish("cancelled");
	}

	tick(now: number): void {
		const { heartbeat, execHeartbeats, problem } = this.#clocks.due(now, this.#phase === "waiting");
		if (heartbeat && this.#machine.heartbeat) this.#attempts.send(this.#machine.heartbeat);
		if (execHeartbeats) for (const message of this.#machine.callHeartbeats?.() ?? []) this.#attempts.send(message);
		if (problem === "too-long") this.#fail(new GatewayError("upstream-timeout", "The turn took too long."));
		if (problem !== "silent") return;
		if (this.#observe) observeSilence(this.#observe, this.#stand);
		this.#fellSilent = true;
		const error = new GatewayError(this.#replies.hasBegun ? "upstream-stalled" : "upstream-timeout");
		this.#broken({ kind: "broken", error, fallback: false, safeToRetry: false });
	}

	// What follows is how its attempts know the run. A stream that was cancelled brings nothing more.

	message(bytes: Uint8Array, start?: number, end?: number): void {
		this.#onMessage(bytes, start, end);
	}

	batchEnd(isLast?: boolean): void {
		// What one read brings has come at one time.
		this.#clocks.frame(this.#services.clock.now(), this.#replies.hasContent);
		if (isLast) return;
		// Much at once goes on at once, so that a client that does not read soon stops the stream.
		if (this.#replies.output.events.length > MOST_WAITING) this.flush();
		else this.#queueFlush();
		this.#armTimer();
	}

	ended(end: ChannelEnd): void {
		this.#attempts.ended();
		this.flush();
		this.#tape?.closed(end);
		if (this.#phase === "over") return;
		if (end.kind === "complete") this.#complete();
		else this.#broken(end);
	}

	isRunning(): boolean {
		return this.#phase === "running";
	}

	opened(): void {
		this.#clocks.opened(this.#services.clock.now());
	}

	startedOver(): void {
		this.#replies.clear();
	}

	pausedUntil(time: number): void {
		this.#clocks.pause(time);
	}

	retrying(reason: RetryReason): void {
		this.#retryingSince = this.#services.clock.now();
		this.#observer.retried?.(this, reason);
	}

	switching(refusal: GatewayError, to: ProtocolName): void {
		if (this.#observe) observeFailure(this.#observe, this.#stand, refusal);
		this.#observer.switched?.(this.protocol, to);
	}

	failed(error: GatewayError): void {
		this.#fail(error);
	}

	get #machine(): Machine {
		return this.#attempts.approach.machine;
	}

	get #stand(): RunStand {
		return {
			protocol: this.protocol,
			isHttp2: this.#attempts.isHttp2,
			answered: this.#answered,
			emitted: this.#replies.hasBegun,
			fellSilent: this.#fellSilent,
			request: this.#request.plan.request,
		};
	}

	#replyTo(listener: TurnListener, path: Rung): void {
		this.#replies.begin(listener, { runId: this.runId, model: this.answering.name, path });
		this.#phase = "running";
		this.#clocks.start(this.#services.clock.now());
	}

	#onMessage(bytes: Uint8Array, start = 0, end = bytes.length): void {
		this.#attempts.host.answering();
		this.#retryingSince = undefined;
		this.#tape?.received(bytes.subarray(start, end));
		if (this.#phase === "over") return;
		try {
			if (!this.#received.add(end - start, this.#phase === "waiting")) return this.#finish("lost");
			this.#machine.receive(bytes, this.#replies.output, start, end);
		} catch (error) {
			this.#fail(toGatewayError(error));
		}
		this.#sendMessages();
	}

	/** Runs a step of the machine; what it throws ends the run. */
	#step(action: (out: MachineOutput) => void): void {
		try {
			action(this.#replies.output);
		} catch (error) {
			this.#fail(toGatewayError(error));
		}
	}

	/** Waits a while for further calls, or for the end of a stream that stays open after its turn. */
	#armTimer(): void {
		if (this.#timer.isSet || this.#phase !== "running") return;
		if (this.#machine.needsGrace) this.#waitForCalls();
		else if (this.#machine.turnEnded) this.#timer.set(this.#services.limits.lingerMs, () => this.#complete());
	}

	/** A stream that was cut gets the whole time again once it is back. */
	#waitForCalls(): void {
		const wasInterrupted = this.#attempts.isInterrupted;
		this.#timer.set(this.#services.limits.graceMs, () => {
			if (wasInterrupted || this.#attempts.isInterrupted) return this.#armTimer();
			this.#step((out) => this.#machine.graceElapsed?.(out));
			this.#flush();
		});
	}

	/** Frames that arrive in one turn of the event loop are handed on together. */
	#queueFlush(): void {
		if (this.#isFlushQueued) return;
		this.#isFlushQueued = true;
		flushSoon(this);
	}

	/** A mistake in whoever listens ends this run and no other. */
	flush(): void {
		this.#isFlushQueued = false;
		try {
			this.#flush();
		} catch (error) {
			this.#fail(toGatewayError(error));
		}
	}

	/** Sends what the machine wants sent, then hands the events to whoever listens. */
	#flush(): void {
		this.#sendMessages();
		if (this.#phase === "over") return;
		const message = this.#replies.deliver((reason) => this.#replyEnded(reason));
		if (message) this.#observer.replied?.(this, message);
	}

	/** At once, so that a server that asks faster than it reads is held up by what it has not read. */
	#sendMessages(): void {
		const { output } = this.#replies;
		if (output.messages.length === 0) return;
		for (const message of output.messages.splice(0)) this.#attempts.send(message);
	}

	#replyEnded(reason: EndReason): void {
		this.#attempts.host.succeeded();
		if (this.#observe) observeEnd(this.#observe, this.#stand, reason);
		if (reason !== "tool-calls") return this.#finish("ended");
		// The results find no run that waits for them, and the conversation is rebuilt with them.
		if (this.#request.plan.waitsOverHttp1 === false && !this.#attempts.isHttp2) return this.#finish("lost");
		this.#phase = "waiting";
		this.#received.waitAnew();
		this.#clocks.parked(this.#services.clock.now());
		this.#tape?.state("parked");
		this.#observer.parked?.(this);
	}

	/** The stream ended in order, or has said all. */
	#complete(): void {
		if (this.#phase === "waiting") return this.#finish("lost");
		try {
			this.#machine.streamEnded(this.#replies.output);
		} catch (error) {
			return this.#broken({ kind: "error", error: toGatewayError(error) });
		}
		this.#flush();
		// Calls that the stream ended with: their results have nothing left to go into.
		if (this.phase === "waiting") this.#finish("lost");
	}

	#broken(end: Exclude<ChannelEnd, { kind: "complete" }>): void {
		countFailure(end.error, this.#attempts.approach.driver.countUnknown);
		this.#attempts.cancel();
		if (this.#phase === "waiting") return this.#finish("lost");
		if (this.#machine.turnEnded && end.kind === "broken") return this.#complete();
		this.#attempts.recover(end, this.#replies.hasBegun || this.#answered);
	}

	#fail(error: GatewayError): void {
		if (this.#phase === "over") return;
		const { host } = this.#attempts;
		host.failed(error);
		const told = host.told(error);
		// A network that fails says nothing about what was said before.
		if (!(error.cause instanceof WireError)) this.#machine.broke?.();
		if (this.#observe) observeFailure(this.#observe, this.#stand, error);
		const tell = this.#replies.abandon();
		this.#finish("failed", error);
		tell?.(this.#request.explain?.(told, this.protocol) ?? told);
	}

	#finish(how: RunEnd, error?: GatewayError): void {
		if (this.#phase === "over") return;
		this.#phase = "over";
		this.#attempts.host.left();
		this.#timer.cancel();
		this.#services.pulse.remove(this);
		this.#attempts.cancel();
		this.#tape?.over(how);
		this.#observer.over?.(this, how, error);
	}
}
