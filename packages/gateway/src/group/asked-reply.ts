import type { GroupTurn, KeyOfReply, OwnersReply } from "../sessions/run-group.ts";
import type { LostRun } from "../sessions/rung-reason.ts";
import { orElse, soon } from "../time/soon.ts";
import { TurnCollector } from "../turn/collect.ts";
import { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import { HeldListener } from "../turn/held-listener.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import { MOST_REMEMBERED } from "../upstream/run/replies.ts";
import { sizeOf } from "./events-size.ts";
import { MOST_UNDER_WAY } from "./served-reply.ts";

/** The way back to the gateway that replies. */
export interface OwnersRoad {
	/** So many characters were passed on, since the beginning. */
	more(characters: number): void;
	check(characters: number): void;
	cancel(): void;
	keep(key: string): void;
	/** Nothing more comes. */
	over(): void;
}

/** A reply that another gateway gives to a question of this one. */
export class AskedReply implements TurnHandle {
	readonly claim: string;
	/** The gateway that was asked, and the run that it has; known when Redis has replied. */
	owner: string | undefined;
	runId: string | undefined;
	/** The turn, or why there is none. */
	readonly turn: Promise<GroupTurn | LostRun>;
	#decide!: (turn: GroupTurn | LostRun) => void;
	readonly #target: TurnListener;
	readonly #road: OwnersRoad;
	readonly #keyOf: KeyOfReply;
	#collector: TurnCollector | undefined = new TurnCollector();
	#listener: TurnListener | undefined;
	#isOver = false;
	#isPaused = false;
	/** How many batches came. */
	#batches = 0;
	/** How many characters were passed on, and how many of them the other gateway knows of. */
	#passed = 0;
	#told = 0;

	constructor(claim: string, target: TurnListener, keyOf: KeyOfReply, road: OwnersRoad) {
		this.claim = claim;
		this.#target = target;
		this.#keyOf = keyOf;
		this.#road = road;
		this.turn = new Promise((resolve) => {
			this.#decide = resolve;
		});
	}

	get isAccepted(): boolean {
		return this.#listener !== undefined;
	}

	sentTo(owner: string, runId: string): void {
		this.owner = owner;
		this.runId = runId;
	}

	accepted(reply: OwnersReply): void {
		if (this.#isOver) return;
		// What follows must not reach the client before it is known how the turn was opened.
		this.#listener = new HeldListener(this.#target);
		this.#decide({ ...reply, handle: this });
	}

	refused(reason: LostRun): void {
		if (this.#isOver) return;
		this.#end();
		this.#decide(reason);
	}

	events(batch: readonly TurnEvent[], at: number): void {
		if (this.#isOver) return;
		this.#batches += 1;
		if (!this.#listener || at !== this.#batches) return this.#missed();
		const isLast = batch.at(-1)?.type === "turn-end";
		for (const event of batch) this.#collector?.add(event);
		if ((this.#collector?.characters ?? 0) > MOST_REMEMBERED) this.#collector = undefined;
		if (isLast) this.#end();
		this.#listener.events(batch);
		if (isLast) return this.#keep();
		this.#passed += sizeOf(batch);
		this.#tell();
	}

	/** Finds out whether Redis has lost what was said. */
	check(): void {
		this.#told = this.#passed;
		this.#road.check(this.#passed);
	}

	/** So many batches were said before this; undefined: nothing more is said. */
	said(batches: number | undefined): void {
		if (this.#isOver) return;
		if (!this.isAccepted || batches !== this.#batches) return this.#missed();
		this.#told = this.#passed;
		this.#road.more(this.#passed);
	}

	failed(error: GatewayError): void {
		if (this.#isOver || !this.#listener) return;
		this.#end();
		this.#listener.failed(error);
	}

	/** The other gateway cannot be reached any more. Results that it has taken must not be sent a second time. */
	lost(reason: LostRun): void {
		if (!this.isAccepted) return this.refused(reason);
		const message = "The gateway that has the stream of this conversation is gone.";
		this.failed(new GatewayError("upstream-reset", message));
	}

	pause(): void {
		this.#isPaused = true;
	}

	resume(): void {
		this.#isPaused = false;
		this.#tell();
	}

	cancel(): void {
		if (this.#isOver) return;
		this.#end();
		this.#road.cancel();
	}

	/** A reply with a gap is worse than none. */
	#missed(): void {
		this.#road.cancel();
		this.lost("the gateway of the run is gone");
	}

	#tell(): void {
		if (this.#isPaused || this.#isOver || this.#passed - this.#told < MOST_UNDER_WAY / 4) return;
		this.#told = this.#passed;
		this.#road.more(this.#passed);
	}

	/** The other gateway has the state of the conversation, and this one has its text. */
	#keep(): void {
		const { end, content } = this.#collector?.turn ?? {};
		if (!content || !end || end.reason === "tool-calls") return;
		void orElse(
			() => soon(this.#keyOf({ role: "assistant", content }), (key) => this.#road.keep(key)),
			() => {},
		);
	}

	#end(): void {
		this.#isOver = true;
		this.#road.over();
	}
}
