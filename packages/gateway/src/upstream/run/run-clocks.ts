import type { RunLimits } from "./run-limits.ts";

/** What a run has to do now. */
export interface Due {
	heartbeat: boolean;
	execHeartbeats: boolean;
	/** Why the run cannot go on: it took too long, or the server fell silent. */
	problem: "too-long" | "silent" | undefined;
}

/**
 * The clocks of a run. Two watch the frames: one for silence, one for nothing but heartbeats. Both stop while a tool runs
 * at the client, because the server has nothing to say then. Times are compared, so that a frame costs no timer.
 */
export class RunClocks {
	readonly #limits: RunLimits;
	#startedAt = 0;
	#lastFrameAt = 0;
	#lastContentAt = 0;
	#firstContentAt: number | undefined;
	#lastHeartbeatAt = 0;
	#lastExecHeartbeatAt = 0;

	constructor(limits: RunLimits) {
		this.#limits = limits;
	}

	/** When the first content of the turn arrived. */
	get firstContentAt(): number | undefined {
		return this.#firstContentAt;
	}

	/** A turn begins. */
	start(now: number): void {
		this.#startedAt = now;
		this.#lastFrameAt = now;
		this.#lastContentAt = now;
		this.#firstContentAt = undefined;
	}

	/** A stream is open; its first heartbeat is due later. */
	opened(now: number): void {
		this.#lastHeartbeatAt = now;
	}

	/** The run waits for tools at the client. */
	parked(now: number): void {
		this.#lastExecHeartbeatAt = now;
	}

	frame(now: number, hasContent: boolean): void {
		this.#lastFrameAt = now;
		if (!hasContent) return;
		this.#lastContentAt = now;
		this.#firstContentAt ??= now;
	}

	/** A pause of our own, before another attempt: silence counts from its end. */
	pause(until: number): void {
		this.#lastFrameAt = until;
		this.#lastContentAt = until;
	}

	due(now: number, waiting: boolean): Due {
		const { heartbeatMs, execHeartbeatMs } = this.#limits;
		const heartbeat = now - this.#lastHeartbeatAt >= heartbeatMs;
		if (heartbeat) this.#lastHeartbeatAt = now;
		const execHeartbeats = waiting && now - this.#lastExecHeartbeatAt >= execHeartbeatMs;
		if (execHeartbeats) this.#lastExecHeartbeatAt = now;
		return { heartbeat, execHeartbeats, problem: waiting ? undefined : this.#problem(now) };
	}

	#problem(now: number): Due["problem"] {
		const { wholeTurnMs, silenceMs, heartbeatsOnlyMs } = this.#limits;
		if (now - this.#startedAt > wholeTurnMs) return "too-long";
		const silent = now - this.#lastFrameAt > silenceMs || now - this.#lastContentAt > heartbeatsOnlyMs;
		return silent ? "silent" : undefined;
	}
}
