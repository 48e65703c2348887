import { type SizeLimits, tooLarge } from "../run/size-limits.ts";

/** Counts what a response brings: text, thinking, calls and their arguments. Throws where that is too much. */
export class ReplyMeter {
	readonly #limits: SizeLimits;
	#answerBytes = 0;
	/** Of the calls of this step that the client is to answer. */
	readonly #argumentBytes = new Map<string, number>();

	constructor(limits: SizeLimits) {
		this.#limits = limits;
	}

	said(bytes: number): void {
		this.#answerBytes += bytes;
		if (this.#answerBytes > this.#limits.answerBytes) throw tooLarge("answerBytes", this.#limits);
	}

	/** A call is known. */
	called(callId: string): void {
		if (this.#argumentBytes.has(callId)) return;
		this.#argumentBytes.set(callId, 0);
		if (this.#argumentBytes.size > this.#limits.callsPerStep) throw tooLarge("callsPerStep", this.#limits);
	}

	/** A piece of a call's arguments. */
	argued(callId: string, bytes: number): void {
		this.arguedInFull(callId, (this.#argumentBytes.get(callId) ?? 0) + bytes);
	}

	/** All arguments of a call; what was streamed of them before is not counted twice. */
	arguedInFull(callId: string, bytes: number): void {
		this.called(callId);
		const before = this.#argumentBytes.get(callId) ?? 0;
		if (bytes <= before) return;
		this.#argumentBytes.set(callId, bytes);
		if (bytes > this.#limits.argumentBytes) throw tooLarge("argumentBytes", this.#limits);
		this.said(bytes - before);
	}

	/** The call is settled without the client. */
	settled(callId: string): void {
		this.#argumentBytes.delete(callId);
	}

	/** The calls of the step will be made again. */
	stepForgotten(): void {
		this.#argumentBytes.clear();
	}

	/** Another response begins. */
	responseBegins(): void {
		this.#argumentBytes.clear();
		this.#answerBytes = 0;
	}
}
