import { type Flushable, flushSoon } from "../../time/flush-soon.ts";
import { type GatewayError, toGatewayError } from "../../turn/error.ts";
import type { EndReason } from "../../turn/event.ts";
import type { AssistantMessage } from "../../turn/request.ts";
import type { MachineOutput } from "../protocols/machine.ts";
import type { Replies } from "./replies.ts";

/** How many events wait for the end of a turn of the event loop. */
const MOST_WAITING = 8;

/** The run whose output it is. */
export interface OutputOwner {
	isOver(): boolean;
	/** Sends a message to Cursor. */
	send(message: Uint8Array): void;
	/** Called before the listener gets the end of the reply. */
	replyEnded(reason: EndReason): void;
	/** The listener has all of the reply. */
	replied(message: AssistantMessage): void;
	failed(error: GatewayError): void;
}

/** Brings what the machine has put out on its way: messages to Cursor at once, events to the listener in batches. */
export class RunOutput implements Flushable {
	readonly #replies: Replies;
	readonly #owner: OutputOwner;
	#isFlushQueued = false;

	constructor(replies: Replies, owner: OutputOwner) {
		this.#replies = replies;
		this.#owner = owner;
	}

	/** Runs a step of the machine; what it throws ends the run. */
	step(action: (out: MachineOutput) => void): void {
		try {
			action(this.#replies.output);
		} catch (error) {
			this.#owner.failed(toGatewayError(error));
		}
	}

	/** What one read brings has come. */
	batchEnd(): void {
		// Much at once goes on at once, so that a client that does not read soon stops the stream.
		if (this.#replies.output.events.length > MOST_WAITING) this.flush();
		else this.#queueFlush();
	}

	/** A mistake in whoever listens ends this run and no other. */
	flush(): void {
		this.#isFlushQueued = false;
		try {
			this.handOn();
		} catch (error) {
			this.#owner.failed(toGatewayError(error));
		}
	}

	/** Sends what the machine wants sent, then hands the events to whoever listens. */
	handOn(): void {
		this.sendMessages();
		if (this.#owner.isOver()) return;
		const message = this.#replies.deliver((reason) => this.#owner.replyEnded(reason));
		if (message) this.#owner.replied(message);
	}

	/** At once, so that a server that asks faster than it reads is held up by what it has not read. */
	sendMessages(): void {
		const { output } = this.#replies;
		if (output.messages.length === 0) return;
		for (const message of output.messages.splice(0)) this.#owner.send(message);
	}

	/** Frames that arrive in one turn of the event loop are handed on together. */
	#queueFlush(): void {
		if (this.#isFlushQueued) return;
		this.#isFlushQueued = true;
		flushSoon(this);
	}
}
