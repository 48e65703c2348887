import type { GroupListener } from "../sessions/run-group.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnHandle } from "../turn/listener.ts";
import type { StoredConversation } from "../upstream/protocols/stored-conversation.ts";
import { sizeOf } from "./events-size.ts";

/** How many characters of a reply may be on their way to the gateway that passes them on. */
export const MOST_UNDER_WAY = 256 << 10;

/** Where the reply goes. */
export interface ReplyRoad {
	/** `at`: the first batch is 1. Resolves when Redis has it. */
	events(events: readonly TurnEvent[], at: number): Promise<void>;
	/** So many batches were sent so far. */
	said(batches: number): void;
	failed(error: GatewayError): void;
	/** Nothing more comes. */
	over(): void;
}

/**
 * A reply that this gateway gives for another one. While one batch is on its way to Redis, everything that follows
 * becomes the next one; and while the other gateway has not passed on enough, the run is not read.
 */
export class ServedReply implements GroupListener {
	/** The gateway that asked. */
	readonly asker: string;
	readonly claim: string;
	readonly #road: ReplyRoad;
	#handle: TurnHandle | undefined;
	#waiting: TurnEvent[] = [];
	#isSending = false;
	/** How many batches were sent, and how many characters. */
	#batches = 0;
	#sent = 0;
	/** How many characters were passed on to the client. */
	#passed = 0;
	#isPaused = false;
	#error: GatewayError | undefined;
	#isOver = false;
	/** Cursor's state of the conversation after the reply, until it is known under which name it is kept. */
	stored: StoredConversation | undefined;

	constructor(asker: string, claim: string, road: ReplyRoad) {
		this.asker = asker;
		this.claim = claim;
		this.#road = road;
	}

	attach(handle: TurnHandle): void {
		this.#handle = handle;
		if (this.#isPaused) handle.pause();
	}

	events(batch: readonly TurnEvent[]): void {
		if (this.#isOver) return;
		for (const event of batch) if (event.type !== "activity") this.#waiting.push(event);
		this.#send();
	}

	failed(error: GatewayError): void {
		this.#error = error;
		this.#send();
	}

	replied(stored: StoredConversation): void {
		this.stored = stored;
	}

	/** How much was passed on to the client since the beginning. */
	more(characters: number): void {
		this.#passed = Math.max(this.#passed, characters);
		if (!this.#isPaused || this.#underWay > MOST_UNDER_WAY / 2) return;
		this.#isPaused = false;
		this.#handle?.resume();
	}

	/** Redis may have lost messages: the other side finds out, and says what was passed on. */
	check(): void {
		this.#road.said(this.#batches);
	}

	/** Nobody takes the reply any more. */
	cancel(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#handle?.cancel();
		this.#road.over();
	}

	/** Nobody passes the reply on, but its request may come again: the run says it to the end. */
	leave(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#waiting = [];
		if (this.#isPaused) this.#handle?.resume();
		this.#road.over();
	}

	#send(): void {
		if (this.#isSending || this.#isOver) return;
		const events = this.#waiting;
		if (events.length === 0) return this.#error && this.#end(this.#error);
		this.#waiting = [];
		this.#isSending = true;
		this.#count(sizeOf(events));
		this.#batches += 1;
		this.#road.events(events, this.#batches).then(
			() => {
				this.#isSending = false;
				if (events.at(-1)?.type === "turn-end") this.#end();
				else this.#send();
			},
			() => this.cancel(),
		);
	}

	get #underWay(): number {
		return this.#sent - this.#passed;
	}

	#count(size: number): void {
		this.#sent += size;
		if (this.#isPaused || this.#underWay < MOST_UNDER_WAY) return;
		this.#isPaused = true;
		this.#handle?.pause();
	}

	#end(error?: GatewayError): void {
		if (this.#isOver) return;
		this.#isOver = true;
		// Another turn of the run may follow, and somebody has to read it then.
		if (this.#isPaused) this.#handle?.resume();
		if (error) this.#road.failed(error);
		this.#road.over();
	}
}
