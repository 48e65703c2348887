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
	/** Owners and claims of replies that were given up, while the owners could not be told. */
	readonly #left: [owner: string, claim: string][] = [];

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
			if (asked.owner !== undefined) this.#tell(asked.owner, message);
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

	/** The connection is gone, and with it what was under way. */
	allLost(reason: LostRun = NOBODY_WAITS): void {
		for (const asked of [...this.#open.values()]) {
			if (asked.owner !== undefined) this.#left.push([asked.owner, asked.claim]);
			asked.lost(reason);
		}
	}

	/** Nobody says what was passed on of these replies, so they would stand still for as long as both gateways live. */
	tellLeft(): void {
		for (const [owner, claim] of this.#left.splice(0)) this.#tell(owner, { type: "leave", claim });
	}

	/** Comes for a request that was given up. */
	#unwanted({ type, from, claim }: ToAsker): void {
		if (type === "accepted" || type === "events") this.#tell(from, { type: "leave", claim });
		// The other gateway asks because Redis may have lost that the request was cancelled.
		else if (type === "said") this.#tell(from, { type: "cancel", claim });
	}

	#tell(owner: string, message: Unsigned<ToOwner>): void {
		void this.#say(owner, message).catch(() => {});
	}
}
