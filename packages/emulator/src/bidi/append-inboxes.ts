import { RpcFailure } from "../rpc/failure.ts";
import { AsyncQueue } from "./async-queue.ts";

const UNCLAIMED_LIFE_MS = 60_000;
const REMEMBERED_ENDS = 10_000;

/** The client's half of one stream: puts messages in the order of their numbers, however they arrive. */
class Inbox {
	readonly messages = new AsyncQueue<Uint8Array>();
	readonly #early = new Map<bigint, Uint8Array>();
	#next = 0n;
	claimed = false;
	appends = 0;

	/** Returns how the append arrived. */
	put(seqno: bigint, message: Uint8Array): "in-order" | "early" | "duplicate" {
		if (seqno < this.#next || this.#early.has(seqno)) return "duplicate";
		this.#early.set(seqno, message);
		const inOrder = seqno === this.#next;
		for (let ready = this.#early.get(this.#next); ready; ready = this.#early.get(this.#next)) {
			this.#early.delete(this.#next);
			this.#next += 1n;
			this.messages.push(ready);
		}
		return inOrder ? "in-order" : "early";
	}
}

/** Inboxes by request id. An append may arrive before the stream that it belongs to. */
export class AppendInboxes {
	readonly #open = new Map<string, Inbox>();
	/** Streams that have ended: an append that was on its way at that time is not an error. */
	readonly #ended = new Set<string>();

	claim(requestId: string): Inbox {
		const inbox = this.#at(requestId);
		if (inbox.claimed) throw new RpcFailure("already_exists", `request id ${requestId} has a stream already`);
		inbox.claimed = true;
		return inbox;
	}

	end(requestId: string): void {
		this.#open.get(requestId)?.messages.close();
		this.#open.delete(requestId);
		this.#ended.add(requestId);
		if (this.#ended.size > REMEMBERED_ENDS) this.#ended.delete(this.#ended.values().next().value!);
	}

	put(requestId: string, seqno: bigint, message: Uint8Array) {
		if (this.#ended.has(requestId)) return { arrival: "late" as const, claimed: false };
		const inbox = this.#at(requestId);
		return { arrival: inbox.put(seqno, message), claimed: inbox.claimed };
	}

	/** How many appends this stream has had, including the current one. */
	count(requestId: string): number {
		if (this.#ended.has(requestId)) return 0;
		const inbox = this.#at(requestId);
		inbox.appends += 1;
		return inbox.appends;
	}

	#at(requestId: string): Inbox {
		let inbox = this.#open.get(requestId);
		if (!inbox) {
			inbox = new Inbox();
			this.#open.set(requestId, inbox);
			const unclaimed = inbox;
			setTimeout(() => {
				if (!unclaimed.claimed) this.#open.delete(requestId);
			}, UNCLAIMED_LIFE_MS).unref();
		}
		return inbox;
	}
}
