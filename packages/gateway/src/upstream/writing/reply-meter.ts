import { type SizeLimits, tooLarge } from "../run/size-limits.ts";

/** Measures a reply: text, thinking, calls and their arguments. Throws if it exceeds a limit. */
export class ReplyMeter {
	readonly #limits: SizeLimits;
	#answerBytes = 0;
	/** Argument sizes of the calls in this step that go to the client. */
	#argumentBytes: Map<string, number> | undefined;

	constructor(limits: SizeLimits) {
		this.#limits = limits;
	}

	said(bytes: number): void {
		this.#answerBytes += bytes;
		if (this.#answerBytes > this.#limits.answerBytes) throw tooLarge("answerBytes", this.#limits);
	}

	/** Counts a new call. */
	called(callId: string): void {
		this.#argumentBytes ??= new Map();
		if (this.#argumentBytes.has(callId)) return;
		this.#argumentBytes.set(callId, 0);
		if (this.#argumentBytes.size > this.#limits.callsPerStep) throw tooLarge("callsPerStep", this.#limits);
	}

	/** Counts a piece of a call's arguments. */
	argued(callId: string, bytes: number): void {
		this.arguedInFull(callId, (this.#argumentBytes?.get(callId) ?? 0) + bytes);
	}

	/** Counts all arguments of a call. What was streamed before is not counted twice. */
	arguedInFull(callId: string, bytes: number): void {
		this.called(callId);
		const before = this.#argumentBytes?.get(callId) ?? 0;
		if (bytes <= before) return;
		this.#argumentBytes?.set(callId, bytes);
		if (bytes > this.#limits.argumentBytes) throw tooLarge("argumentBytes", this.#limits);
		this.said(bytes - before);
	}

	/** The call was settled without the client. */
	settled(callId: string): void {
		this.#argumentBytes?.delete(callId);
	}

	/** The calls of this step will be made again. */
	stepForgotten(): void {
		this.#argumentBytes = undefined;
	}

	/** Another reply begins. */
	responseBegins(): void {
		this.#argumentBytes = undefined;
		this.#answerBytes = 0;
	}
}
