import type { KeyOfReply } from "../sessions/run-group.ts";
import { type LostRun, NOBODY_WAITS } from "../sessions/rung-reason.ts";
import type { TurnListener } from "../turn/listener.ts";
import { AskedReply } from "./asked-reply.ts";
import { arrived, type ToAsker, type ToOwner, type Unsigned } from "./messages.ts";

type Say = (to: string, message: Unsigned<ToOwner>) => Promise<void>;

/** The questions of this gateway that others have not answered to the end. */
export class AskedReplies {
	readonly #say: Say;
	readonly #open = new Map<string, AskedReply>();

	constructor(say: Say) {
		this.#say = say;
	}

	/** The gateways that replies are waited for from. */
	*owners(): Iterable<string> {
		for (const { owner } of this.#open.values()) if (owner !== undefined) yield owner;
	}

	of(owner: string): AskedReply[] {
		return [...this.#open.values()].filter((asked) => asked.owner === owner);
	}

	/** Before it is asked, because the reply may be quicker than what Redis says of the question. */
	open(claim: string, listener: TurnListener, keyOf: KeyOfReply): AskedReply {
		const tell = (message: Unsigned<ToOwner>) => {
			if (asked.owner !== undefined) void this.#say(asked.owner, message).catch(() => {});
		};
		const asked: AskedReply = new AskedReply(claim, listener, keyOf, {
			more: (characters) => tell({ type: "more", claim, characters }),
			check: (characters) => tell({ type: "check", claim, characters }),
			cancel: () => tell({ type: "cancel", claim }),
			keep: (key) => tell({ type: "keep", claim, key }),
			over: () => this.#open.delete(claim),
		});
		this.#open.set(claim, asked);
		return asked;
	}

	heard(message: ToAsker): void {
		const asked = this.#open.get(message.claim);
		if (!asked) return this.#unwanted(message);
		asked.owner ??= message.from;
		switch (message.type) {
			case "accepted":
				return asked.accepted(message.reply);
			case "refused":
				return asked.refused(message.reason);
			case "events":
				return asked.events(message.events, message.at);
			case "said":
				return asked.said(message.batches);
			case "failed":
				return asked.failed(arrived(message.error));
			case "lost":
				return asked.lost("the gateway of the run is gone");
		}
	}

	/** Redis may have lost messages. */
	check(): void {
		for (const asked of this.#open.values()) asked.check();
	}

	/** A reply that nobody waits for would go on, or stand still for ever, if Redis has lost that it was cancelled. */
	#unwanted({ type, from, claim }: ToAsker): void {
		if (type === "accepted" || type === "events" || type === "said") {
			void this.#say(from, { type: "cancel", claim }).catch(() => {});
		}
	}

	allLost(reason: LostRun = NOBODY_WAITS): void {
		for (const asked of [...this.#open.values()]) asked.lost(reason);
	}
}
