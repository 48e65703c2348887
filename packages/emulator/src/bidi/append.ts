import { type BidiAppendRequest, BidiService as BidiRpc } from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import type { Handler } from "../http/router.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { unary } from "../rpc/unary.ts";
import { AsyncQueue } from "./async-queue.ts";

const UNCLAIMED_LIFE_MS = 60_000;
const REMEMBERED_ENDS = 10_000;

/** The client's half of one stream: messages by number, whichever order they arrive in. */
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

/** Inboxes by request id. An append may come before the stream that it belongs to. */
export class AppendInboxes {
	readonly #open = new Map<string, Inbox>();
	/** Appends that were under way when their stream ended are not an error. */
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

	/** How many appends this stream has had, the one at hand included. */
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

/** BidiService/BidiAppend: one message of the client's half. */
export function bidiAppend(backend: Backend): Handler {
	const { stats, faults, directory } = backend;
	return unary(
		BidiRpc.method.bidiAppend,
		(request, exchange) => {
			directory.byAccessToken(exchange.headers.authorization);
			const requestId = request.requestId?.requestId;
			if (!requestId) throw new RpcFailure("invalid_argument", "request_id is missing");
			const fault = faults.empty ? undefined : faults.take("append", "BidiAppend", backend.inboxes.count(requestId));
			const deliver = () => {
				const { arrival, claimed } = backend.inboxes.put(
					requestId,
					request.appendSeqno,
					messageOf(request, backend.strict),
				);
				stats.appends.received += 1;
				if (arrival === "early") stats.appends.outOfOrder += 1;
				if (arrival === "duplicate") stats.appends.duplicate += 1;
				if (!claimed && arrival !== "late") stats.appends.beforeStream += 1;
				return {};
			};
			switch (fault?.name) {
				case "status":
					throw new RpcFailure(Number(fault.value) === 503 ? "unavailable" : "internal", "append refused by fault");
				case "drop-append":
					return {};
				case "stall":
					return new Promise(() => {});
				case "delay":
					return new Promise((resolve) => setTimeout(() => resolve(deliver()), Number(fault.value ?? 1000)));
				default:
					return deliver();
			}
		},
		(exchange, body) => {
			const { requestId, appendSeqno = "0" } = body as { requestId?: unknown; appendSeqno?: string };
			backend.log.addBody(exchange, { requestId, appendSeqno });
		},
	);
}

function messageOf(request: BidiAppendRequest, strict: boolean): Uint8Array {
	if (request.dataBinary.length > 0) return request.dataBinary;
	const hex = request.data;
	if (strict && !/^([0-9a-f]{2})*$/.test(hex)) throw new RpcFailure("invalid_argument", "data is not lower-case hex");
	if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex)) throw new RpcFailure("invalid_argument", "data is not hex");
	return Buffer.from(hex, "hex");
}
