import { GatewayError, toGatewayError } from "../../turn/error.ts";
import type { EndReason, Rung, TurnEvent } from "../../turn/event.ts";
import type { TurnHandle, TurnListener } from "../../turn/listener.ts";
import type { AssistantMessage, ToolResultPart } from "../../turn/request.ts";
import { WireError } from "../../wire/errors.ts";
import type { AnsweringModel } from "../catalog/answering-model.ts";
import { countFailure } from "../census/count-failure.ts";
import type { Channel, ChannelEnd, ChannelListener, OpenChannel } from "../channels/channel.ts";
import type { HostAttempt, HostHealth } from "../health/host-health.ts";
import type { Driver, ProtocolName, RunPlan, WireModel } from "../protocols/driver.ts";
import type { Machine, MachineOutput } from "../protocols/machine.ts";
import type { ObserveTurn } from "./observe.ts";
import type { Pulsed } from "./pulse.ts";
import { ReceivedBytes } from "./received-bytes.ts";
import { Repetitions } from "./repetitions.ts";
import { Reply } from "./reply.ts";
import { decide, isRepetition, isUnprocessed, type RetryDecision } from "./retry-policy.ts";
import { RunClocks } from "./run-clocks.ts";
import { observeEnd, observeFailure, observeSilence, type RunStand } from "./run-facts.ts";
import type { RunAccount, RunRequest, RunServices } from "./run-parts.ts";
import type { RunTape } from "./run-tape.ts";
import { tooLarge } from "./size-limits.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/** Follows a run through its turns. */
export interface RunObserver {
	/** A reply ended in tool calls, and the stream waits for their results. Called before the listener gets the end. */
	parked?(run: CursorRun): void;
	/** A reply is complete, and its listener has all of it. Not called for one that was too long to remember. */
	replied?(run: CursorRun, message: AssistantMessage): void;
	/** The host does not serve a protocol; the run goes on with the next one. */
	switched?(from: ProtocolName, to: ProtocolName): void;
	/** The run is over: in order, failed with an error, cancelled, or lost while it waited. */
	over?(run: CursorRun, how: "ended" | "failed" | "cancelled" | "lost", error?: GatewayError): void;
}

type Phase = "idle" | "running" | "waiting" | "over";

/** One run in any of Cursor's protocols: a machine on a channel, with clocks, retries and resumption around it. */
export class CursorRun implements TurnHandle, Pulsed {
	readonly #services: RunServices;
	readonly #account: RunAccount;
	readonly #observer: RunObserver;
	readonly #request: RunRequest;
	readonly #clocks: RunClocks;
	readonly #tape: RunTape | undefined;
	readonly #observe: ObserveTurn | undefined;
	#model: WireModel;
	#systemPrompt: RunPlan["systemPrompt"];
	#otherSpelling: WireModel | undefined;
	#driver: Driver;
	#otherDrivers: readonly Driver[];
	#machine: Machine;
	#first: Uint8Array;
	#phase: Phase = "idle";
	#reply: Reply | undefined;
	#channel: OpenChannel | undefined;
	#channelKind: Channel | undefined;
	/** What the host's health is still to be told the outcome of. */
	#attemptUnderWay: HostAttempt | undefined;
	#output: MachineOutput = { events: [], messages: [] };
	/** Results of tools have gone into the stream: the request that opened it must never be sent again. */
	#answered = false;
	readonly #repetitions = new Repetitions();
	readonly #received: ReceivedBytes;
	#checkpointsAtStart = 0;
	#fellSilent = false;
	#cancelTimer: (() => void) | undefined;
	#buffered: TurnEvent[] = [];

	constructor(account: RunAccount, request: RunRequest, services: RunServices, observer: RunObserver = {}) {
		this.#services = services;
		this.#account = account;
		this.#request = request;
		this.#clocks = new RunClocks(services.limits);
		this.#received = new ReceivedBytes(services.limits);
		this.#tape = services.recorder?.begin(request.plan);
		this.#observer = observer;
		const { observe } = services;
		this.#observe = observe && ((fact, value) => observe(account.key, fact, value));
		this.#model = request.plan.model;
		this.#systemPrompt = request.plan.systemPrompt;
		this.#otherSpelling = request.otherSpelling;
		this.#attemptUnderWay = request.attempt;
		[this.#driver, ...this.#otherDrivers] = request.drivers;
		const { machine, first } = this.#begin(this.#driver);
		this.#machine = machine;
		this.#first = first;
	}

	get runId(): string {
		return this.#request.plan.runId;
	}

	/** The name of the model that Cursor was given last. */
	get model(): WireModel {
		return this.#model;
	}

	/** The same model as the client knows it. */
	get answering(): AnsweringModel {
		return this.#request.answering;
	}

	get protocol(): ProtocolName {
		return this.#driver.protocol;
	}

	get phase(): Phase {
		return this.#phase;
	}

	get pendingCalls(): string[] {
		return this.#machine.pendingCalls;
	}

	/** The conversation as Cursor left it, where its protocol has such a thing. */
	stored(): StoredConversation | undefined {
		return this.#machine.stored();
	}

	/** Opens the stream; the reply of its first turn goes to the listener. */
	open(listener: TurnListener, rung: Rung = "new"): void {
		this.#replyTo(listener, rung);
		this.#clocks.start(this.#services.clock.now());
		this.#services.pulse.add(this);
		void this.#attempt(this.#first);
	}

	/** The results of all pending calls: the run goes on in the same stream. */
	giveResults(results: readonly ToolResultPart[], listener: TurnListener): void {
		this.#replyTo(listener, "parked");
		this.#received.waitAnew();
		this.#answered = true;
		this.#attemptUnderWay = this.#health.join();
		this.#tape?.state("answered");
		this.#clocks.start(this.#services.clock.now());
		this.#step(() => {
			this.#output.events.push(...this.#buffered.splice(0));
			this.#machine.giveResults(results, this.#output);
		});
		this.#flush();
	}

	pause(): void {
		this.#channel?.pause();
	}

	resume(): void {
		this.#channel?.resume();
	}

	cancel(): void {
		this.#reply = undefined;
		this.#finish("cancelled");
	}

	tick(now: number): void {
		const { heartbeat, execHeartbeats, problem } = this.#clocks.due(now, this.#phase === "waiting");
		if (heartbeat && this.#machine.heartbeat) this.#send(this.#machine.heartbeat);
		if (execHeartbeats) for (const message of this.#machine.callHeartbeats()) this.#send(message);
		if (problem === "too-long") this.#fail(new GatewayError("upstream-timeout", "The turn took too long."));
		if (problem !== "silent") return;
		if (this.#observe) observeSilence(this.#observe, this.#stand);
		this.#fellSilent = true;
		const error = new GatewayError(this.#hasEmitted ? "upstream-stalled" : "upstream-timeout");
		this.#broken({ kind: "broken", error, fallback: false, safeToRetry: false });
	}

	#replyTo(listener: TurnListener, path: Rung): void {
		this.#reply = new Reply(listener, { runId: this.runId, model: this.answering.name, path });
		this.#phase = "running";
	}

	#begin(driver: Driver): ReturnType<Driver["begin"]> {
		const plan = { ...this.#request.plan, model: this.#model, systemPrompt: this.#systemPrompt };
		const cacheTokens = plan.cacheTokens ?? this.#services.cacheTokens;
		return driver.begin(plan, { ...this.#services, cacheTokens, observe: this.#observe });
	}

	/** Something of the reply has reached the client. */
	get #hasEmitted(): boolean {
		return this.#reply?.hasBegun ?? false;
	}

	get #stand(): RunStand {
		return {
			protocol: this.protocol,
			isHttp2: this.#channelKind?.isHttp2 ?? true,
			answered: this.#answered,
			emitted: this.#hasEmitted,
			fellSilent: this.#fellSilent,
			request: this.#request.plan.request,
		};
	}

	async #attempt(first: Uint8Array): Promise<void> {
		const { newId, clock } = this.#services;
		const { key, http } = this.#account;
		const { protocol, channels } = this.#driver;
		const origin = this.#account.origin(protocol);
		this.#checkpointsAtStart = this.#machine.checkpoints;
		try {
			this.#attemptUnderWay ??= this.#health.begin();
			const requestId = newId();
			const headers = await this.#account.headers(protocol, requestId, this.runId);
			if (this.#phase !== "running") return;
			const renewHeaders = async () => {
				await this.#account.tokenRefused();
				return this.#account.headers(protocol, requestId, this.runId);
			};
			this.#channelKind = channels.choose(origin, http);
			this.#clocks.opened(clock.now());
			this.#tape?.opened(protocol, this.#channelKind.name);
			this.#tape?.sent(first);
			this.#channel = this.#channelKind.open({ origin, key, headers, renewHeaders }, first, this.#frames);
		} catch (error) {
			this.#fail(toGatewayError(error));
		}
	}

	#send(message: Uint8Array): void {
		this.#tape?.sent(message);
		this.#channel?.send(message);
	}

	/** What the channel brings. A channel that was cancelled brings nothing more. */
	readonly #frames: ChannelListener = {
		message: (payload) => this.#onMessage(payload),
		batchEnd: () => {
			this.#flush();
			this.#armTimers();
		},
		ended: (end) => {
			// It is over by itself: there is nothing left to cancel.
			this.#channel = undefined;
			this.#tape?.closed(end);
			if (this.#phase === "over") return;
			if (end.kind === "complete") this.#complete();
			else this.#broken(end);
		},
	};

	#onMessage(payload: Uint8Array): void {
		const before = this.#output.events.length;
		this.#attemptUnderWay?.answering();
		this.#tape?.received(payload);
		if (!this.#takes(payload)) return;
		try {
			this.#machine.receive(payload, this.#output);
		} catch (error) {
			this.#fail(toGatewayError(error));
		}
		this.#sendMessages();
		const { events } = this.#output;
		const hasContent = events.length > before && events[events.length - 1]!.type !== "activity";
		this.#clocks.frame(this.#services.clock.now(), hasContent);
	}

	/** Counts what came. Beyond a limit the run ends: with an error, or lost where nobody is there to be told. */
	#takes(payload: Uint8Array): boolean {
		const passed = this.#received.add(payload, this.#phase === "waiting");
		if (passed === "runBytes") this.#fail(tooLarge(passed, this.#services.limits));
		else if (passed === "parkedBytes") this.#finish("lost");
		return this.#phase !== "over";
	}

	/** Runs a step of the machine; what it throws ends the run. */
	#step(action: () => void): void {
		try {
			action();
		} catch (error) {
			this.#fail(toGatewayError(error));
		}
	}

	/** Grace for further calls, or for a stream that stays open behind its turn. */
	#armTimers(): void {
		if (this.#cancelTimer || this.#phase !== "running") return;
		const { clock, limits } = this.#services;
		if (this.#machine.needsGrace) this.#armGrace();
		else if (this.#machine.turnEnded) {
			this.#cancelTimer = clock.after(limits.lingerMs, () => this.#complete());
		}
	}

	/** A channel that was cut gets all of it once more, from when it is back. */
	#armGrace(): void {
		const { clock, limits } = this.#services;
		const wasInterrupted = this.#channel?.isInterrupted ?? false;
		this.#cancelTimer = clock.after(limits.graceMs, () => {
			this.#cancelTimer = undefined;
			if (wasInterrupted || this.#channel?.isInterrupted) return this.#armTimers();
			this.#step(() => this.#machine.graceElapsed(this.#output));
			this.#flush();
		});
	}

	#complete(): void {
		if (this.#phase === "waiting") return this.#finish("lost");
		try {
			this.#machine.streamEnded(this.#output);
		} catch (error) {
			return this.#broken({ kind: "error", error: toGatewayError(error) });
		}
		this.#flush();
		// Calls that the stream ended with: their results have nothing left to go into.
		if (this.phase === "waiting") this.#finish("lost");
	}

	/** Sends what the machine wants sent, then hands the events to whoever listens. */
	#flush(): void {
		this.#sendMessages();
		const { events } = this.#output;
		if (events.length === 0 || this.#phase === "over") return;
		this.#output.events = [];
		const reply = this.#reply;
		if (!reply) return this.#buffer(events);
		const ended = events.findIndex(({ type }) => type === "turn-end");
		if (ended < 0) return reply.events(events);
		// What the same read brought behind the end does not belong to this reply.
		const later = events.splice(ended + 1);
		const end = events[ended] as Extract<TurnEvent, { type: "turn-end" }>;
		this.#replyEnded(end.reason);
		this.#buffer(later);
		reply.events(events);
		const { message } = reply;
		if (message) this.#observer.replied?.(this, message);
	}

	/** At once, so that a server that asks faster than it reads is held up by what it has not read. */
	#sendMessages(): void {
		const { messages } = this.#output;
		if (messages.length === 0) return;
		this.#output.messages = [];
		for (const message of messages) this.#send(message);
	}

	#replyEnded(reason: EndReason): void {
		this.#reply = undefined;
		this.#settle((attempt) => attempt.succeeded());
		if (this.#observe) observeEnd(this.#observe, this.#stand, reason);
		if (reason !== "tool-calls") return this.#finish("ended");
		// The results find no run that waits for them, and the conversation is rebuilt with them.
		if (this.#request.plan.waitsOverHttp1 === false && !this.#stand.isHttp2) return this.#finish("lost");
		this.#phase = "waiting";
		this.#received.waitAnew();
		this.#clocks.parked(this.#services.clock.now());
		this.#tape?.state("parked");
		this.#observer.parked?.(this);
	}

	#buffer(events: TurnEvent[]): void {
		for (const event of events) if (event.type !== "activity") this.#buffered.push(event);
	}

	#broken(end: Exclude<ChannelEnd, { kind: "complete" }>): void {
		countFailure(end.error, this.#driver.countUnknown);
		this.#channel?.cancel();
		this.#channel = undefined;
		if (this.#phase === "waiting") return this.#finish("lost");
		if (this.#machine.turnEnded && end.kind === "broken") return this.#complete();
		const verdict = decide(
			end,
			{
				emitted: this.#hasEmitted || this.#answered,
				resumable: this.#machine.resumable,
				...this.#repetitions.facts,
				// Where the server wants HTTP/2 there is nothing to fall back to.
				canFallBack: this.#account.http !== "http2" && (this.#channelKind?.isHttp2 ?? false),
				hasOtherSpelling: this.#otherSpelling !== undefined,
				hasOtherProtocol: this.#otherDrivers.length > 0,
				customPrompt: this.#systemPrompt === "custom",
			},
			this.#services.limits,
		);
		void this.#act(this.#affordable(verdict, end.error));
	}

	/** Tells the host's health of the failure. A repetition that would be right may still be one too many. */
	#affordable(verdict: RetryDecision, error: GatewayError): RetryDecision {
		// That a network does not carry HTTP/2 says nothing about the host.
		if (verdict.kind === "fall-back") this.#settle((attempt) => attempt.left());
		const isProgress = verdict.kind === "resume" && this.#machine.checkpoints > this.#checkpointsAtStart;
		this.#settle((attempt) => attempt.failed(error, isProgress));
		const isFree = isUnprocessed(error) && this.#repetitions.facts.transportRetries === 0;
		return !isRepetition(verdict) || isFree || this.#health.spendRetry() ? verdict : { kind: "fail", error };
	}

	get #health(): HostHealth {
		return this.#services.health.of(this.#account.origin(this.protocol), this.#account.key);
	}

	#settle(tell: (attempt: HostAttempt) => void): void {
		const attempt = this.#attemptUnderWay;
		this.#attemptUnderWay = undefined;
		if (attempt) tell(attempt);
	}

	async #act(verdict: RetryDecision): Promise<void> {
		this.#tape?.state(verdict.kind);
		switch (verdict.kind) {
			case "fail":
				return this.#fail(verdict.error);
			case "fall-back":
				this.#driver.channels.fallBack(this.#account.origin(this.protocol));
				return this.#again();
			case "other-protocol":
				return this.#switch(verdict.error);
			case "respell":
				this.#model = this.#otherSpelling!;
				this.#otherSpelling = undefined;
				return this.#again();
			case "plain-prompt":
				this.#systemPrompt = "cloud-rule";
				return this.#again();
			case "refresh-token":
				this.#repetitions.tokenRefreshed();
				try {
					await this.#account.tokenRefused();
				} catch (error) {
					return this.#fail(toGatewayError(error));
				}
				return this.#again();
			case "retry":
				this.#repetitions.retried(verdict.count);
				return this.#later(verdict.delayMs, () => this.#again());
			case "resume":
				this.#repetitions.resumed(this.#machine.checkpoints !== this.#checkpointsAtStart);
				return this.#later(verdict.delayMs, () => void this.#attempt(this.#machine.resume()));
		}
	}

	/** The whole request once more: nothing of its response was seen. */
	#again(): void {
		if (this.#phase !== "running") return;
		const { machine, first } = this.#begin(this.#driver);
		this.#machine = machine;
		this.#first = first;
		this.#output = { events: [], messages: [] };
		void this.#attempt(first);
	}

	/** The next protocol that can express the request. If none can, the refusal stands. */
	#switch(refusal: GatewayError): void {
		const from = this.protocol;
		for (const [index, driver] of this.#otherDrivers.entries()) {
			if (!isExpressible(() => this.#begin(driver))) continue;
			if (this.#observe) observeFailure(this.#observe, this.#stand, refusal);
			this.#driver = driver;
			this.#otherDrivers = this.#otherDrivers.slice(index + 1);
			this.#observer.switched?.(from, driver.protocol);
			return this.#again();
		}
		this.#fail(refusal);
	}

	#later(delayMs: number, action: () => void): void {
		const { clock, random } = this.#services;
		const wait = delayMs * (1 + random() / 5);
		this.#clocks.pause(clock.now() + wait);
		this.#cancelTimer?.();
		this.#cancelTimer = clock.after(wait, () => {
			this.#cancelTimer = undefined;
			if (this.#phase === "running") action();
		});
	}

	#fail(error: GatewayError): void {
		if (this.#phase === "over") return;
		const reply = this.#reply;
		this.#settle((attempt) => attempt.failed(error));
		const told = this.#health.told(error);
		// A network that fails says nothing about what was said before.
		if (!(error.cause instanceof WireError)) this.#machine.broke?.();
		if (this.#observe) observeFailure(this.#observe, this.#stand, error);
		this.#reply = undefined;
		this.#finish("failed", error);
		reply?.failed(this.#request.explain?.(told) ?? told);
	}

	#finish(how: "ended" | "failed" | "cancelled" | "lost", error?: GatewayError): void {
		if (this.#phase === "over") return;
		this.#phase = "over";
		this.#settle((attempt) => attempt.left());
		this.#cancelTimer?.();
		this.#services.pulse.remove(this);
		this.#channel?.cancel();
		this.#channel = undefined;
		this.#tape?.over(how);
		this.#observer.over?.(this, how, error);
	}
}

function isExpressible(begin: () => unknown): boolean {
	try {
		begin();
		return true;
	} catch {
		return false;
	}
}
