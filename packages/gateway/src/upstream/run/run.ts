import { GatewayError, toGatewayError } from "../../turn/error.ts";
import type { EndReason, Rung } from "../../turn/event.ts";
import type { TurnHandle, TurnListener } from "../../turn/listener.ts";
import type { AssistantMessage, ToolResultPart } from "../../turn/request.ts";
import { WireError } from "../../wire/errors.ts";
import type { AnsweringModel } from "../catalog/answering-model.ts";
import { countFailure } from "../census/count-failure.ts";
import type { ChannelEnd } from "../channels/channel.ts";
import type { ProtocolName, WireModel } from "../protocols/driver.ts";
import type { Machine, ToolUse } from "../protocols/machine.ts";
import type { StoredConversation } from "../protocols/stored-conversation.ts";
import { type AttemptOwner, Attempts } from "./attempts/attempts.ts";
import { RetryWatch } from "./attempts/retry-watch.ts";
import type { ObserveTurn } from "./observe.ts";
import type { Pulsed } from "./pulse.ts";
import { ReceivedBytes } from "./received-bytes.ts";
import { Replies } from "./replies.ts";
import { RunClocks } from "./run-clocks.ts";
import { demandsCall, RunFacts } from "./run-facts.ts";
import type { RunEnd, RunObserver } from "./run-observer.ts";
import { type OutputOwner, RunOutput } from "./run-output.ts";
import type { RunAccount, RunRequest, RunServices } from "./run-parts.ts";
import type { RunTape } from "./run-tape.ts";
import { RunTimer } from "./run-timer.ts";
import { TurnWait, type TurnWaitOwner } from "./turn-wait.ts";

type Phase = "idle" | "running" | "waiting" | "over";

/**
 * One run in any of Cursor's protocols. What comes from the stream goes through the machine and leaves as events of the
 * reply; at tool calls the run waits until their results are given. Opening streams, and opening others after a failure,
 * is the work of `Attempts`.
 */
export class CursorRun implements TurnHandle, Pulsed, AttemptOwner, OutputOwner, TurnWaitOwner {
	readonly #services: RunServices;
	readonly #observer: RunObserver<CursorRun>;
	readonly #request: RunRequest;
	readonly #facts: RunFacts;
	readonly #retries: RetryWatch<CursorRun>;
	readonly #tape: RunTape | undefined;
	readonly #attempts: Attempts;
	readonly #clocks: RunClocks;
	readonly #timer: RunTimer;
	readonly #turnWait: TurnWait;
	readonly #received: ReceivedBytes;
	readonly #replies = new Replies();
	readonly #output: RunOutput;
	/** Its place in the pulse. */
	older: Pulsed | undefined;
	newer: Pulsed | undefined;
	#phase: Phase = "idle";

	constructor(account: RunAccount, request: RunRequest, services: RunServices, observer: RunObserver<CursorRun> = {}) {
		this.#services = services;
		this.#request = request;
		this.#observer = observer;
		this.#clocks = new RunClocks(services.limits);
		this.#timer = new RunTimer(services.clock);
		this.#received = new ReceivedBytes(services.limits);
		this.#tape = services.recorder?.begin(request.plan);
		const told: ObserveTurn | undefined = services.observe?.bind(undefined, account.key);
		this.#facts = new RunFacts(told, this, this.#replies, demandsCall(request.plan.request));
		this.#retries = new RetryWatch(this, observer, this.#facts, services.clock);
		const [retries, timer, tape] = [this.#retries, this.#timer, this.#tape];
		this.#attempts = new Attempts(this, { account, request, services, observe: told, retries, timer, tape });
		this.#output = new RunOutput(this.#replies, this);
		this.#turnWait = new TurnWait(this.#attempts, this.#timer, services.limits, this);
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
		return this.#retries.since;
	}

	/** When the first content of the reply under way arrived. */
	get firstContentAt(): number | undefined {
		return this.#clocks.firstContentAt;
	}

	get pendingCalls(): string[] {
		return this.#machine.pendingCalls ?? [];
	}

	get toolUse(): ToolUse | undefined {
		return this.#machine.toolUse;
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
		this.#facts.resultsGiven();
		this.#attempts.host.join();
		this.#tape?.state("answered");
		this.#output.step((out) => this.#machine.giveResults?.(results, out));
		this.#output.handOn();
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
		if (problem === "too-long") this.failed(new GatewayError("upstream-timeout", "The turn took too long."));
		if (problem !== "silent") return;
		this.#facts.fellSilent();
		const error = new GatewayError(this.#replies.hasBegun ? "upstream-stalled" : "upstream-timeout");
		this.#broken({ kind: "broken", error, fallback: false, safeToRetry: false });
	}

	// What follows is how its attempts know the run. A stream that was cancelled brings nothing more.

	message(bytes: Uint8Array, start = 0, end = bytes.length): void {
		this.#attempts.host.answering();
		this.#retries.answered();
		this.#tape?.received(bytes.subarray(start, end));
		if (this.#phase === "over") return;
		try {
			if (!this.#received.add(end - start, this.#phase === "waiting")) return this.#finish("lost");
			this.#machine.receive(bytes, this.#replies.output, start, end);
		} catch (error) {
			this.failed(toGatewayError(error));
		}
		this.#output.sendMessages();
	}

	batchEnd(isLast?: boolean): void {
		// What one read brings has come at one time.
		this.#clocks.frame(this.#services.clock.now(), this.#replies.hasContent);
		if (isLast) return;
		this.#output.batchEnd();
		this.#turnWait.arm();
	}

	ended(end: ChannelEnd): void {
		this.#attempts.ended();
		// What an end in order comes with is handed on together with it, so that both leave in one write.
		if (end.kind !== "complete" || this.#replies.hasEnd) this.#output.flush();
		this.#tape?.closed(end);
		if (this.#phase === "over") return;
		if (end.kind === "complete") this.complete();
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

	failed(error: GatewayError): void {
		if (this.#phase === "over") return;
		const { host } = this.#attempts;
		host.failed(error);
		const told = host.told(error);
		// A network that fails says nothing about what was said before.
		if (!(error.cause instanceof WireError)) this.#machine.broke?.();
		this.#facts.failed(error);
		const tell = this.#replies.abandon();
		this.#finish("failed", error);
		tell?.(this.#request.explain?.(told, this.protocol) ?? told);
	}

	get #machine(): Machine {
		return this.#attempts.approach.machine;
	}

	#replyTo(listener: TurnListener, path: Rung): void {
		this.#replies.begin(listener, { runId: this.runId, model: this.answering.name, path });
		this.#phase = "running";
		this.#clocks.start(this.#services.clock.now());
	}

	// How its output and its waits know it.

	isOver(): boolean {
		return this.#phase === "over";
	}

	send(message: Uint8Array): void {
		this.#attempts.send(message);
	}

	replied(message: AssistantMessage): void {
		this.#observer.replied?.(this, message);
	}

	graceElapsed(): void {
		this.#output.step((out) => this.#machine.graceElapsed?.(out));
		this.#output.handOn();
	}

	replyEnded(reason: EndReason): void {
		this.#attempts.host.succeeded();
		this.#facts.ended(reason);
		if (reason !== "tool-calls") return this.#finish("ended");
		// The results find no run that waits for them, and the conversation is rebuilt with them.
		if (this.#request.plan.waitsOverHttp1 === false && !this.#attempts.isHttp2) return this.#finish("lost");
		this.#phase = "waiting";
		this.#attempts.approach.forgetOpening();
		this.#received.waitAnew();
		this.#clocks.parked(this.#services.clock.now());
		this.#tape?.state("parked");
		this.#observer.parked?.(this);
	}

	/** The stream ended in order, or has said all. */
	complete(): void {
		if (this.#phase === "waiting") return this.#finish("lost");
		try {
			this.#machine.streamEnded(this.#replies.output);
		} catch (error) {
			this.#output.flush();
			return this.#broken({ kind: "error", error: toGatewayError(error) });
		}
		this.#output.handOn();
		// Calls that the stream ended with: their results have nothing left to go into.
		if (this.phase === "waiting") this.#finish("lost");
	}

	#broken(end: Exclude<ChannelEnd, { kind: "complete" }>): void {
		countFailure(end.error, this.#attempts.approach.driver.countUnknown);
		this.#attempts.cancel();
		if (this.#phase === "waiting") return this.#finish("lost");
		if (this.#machine.turnEnded && end.kind === "broken") return this.complete();
		this.#attempts.recover(end, this.#replies.hasBegun || this.#facts.answered);
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
