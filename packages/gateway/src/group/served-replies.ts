import type { GroupMember, GroupTurn } from "../sessions/run-group.ts";
import type { LostRun } from "../sessions/rung-reason.ts";
import { GatewayError } from "../turn/error.ts";
import { type ToAsker, type ToOwner, travelling, type Unsigned } from "./messages.ts";
import { ServedReply } from "./served-reply.ts";

type Question = Extract<ToOwner, { type: "question" }>;
type Say = (to: string, message: Unsigned<ToAsker>) => Promise<void>;

/** How many conversations may wait to be told the name under which they are kept. */
const MOST_ENDED = 64;

interface Ended {
	reply: ServedReply;
	caller: string;
	session: string;
}

/** The replies that this gateway gives for others. */
export class ServedReplies {
	readonly #member: GroupMember;
	readonly #say: Say;
	readonly #open = new Map<string, ServedReply>();
	readonly #ended = new Map<string, Ended>();
	/** What could not be told to those who asked: refusals, and that replies broke off. */
	readonly #untold: (() => Promise<void>)[] = [];
	/** Nothing is taken any more. */
	isStopping = false;

	constructor(member: GroupMember, say: Say) {
		this.#member = member;
		this.#say = say;
	}

	get size(): number {
		return this.#open.size;
	}

	/** The gateways that wait for replies. */
	*askers(): Iterable<string> {
		for (const { asker } of this.#open.values()) yield asker;
	}

	heard(message: ToOwner): void {
		switch (message.type) {
			case "question":
				if (this.isStopping) void this.refuse(message);
				else this.#answer(message);
				return;
			case "more":
				return this.#open.get(message.claim)?.more(message.characters);
			case "check":
				return this.#checked(message);
			case "cancel":
				return this.#open.get(message.claim)?.cancel();
			case "leave":
				return this.#open.get(message.claim)?.leave();
			case "keep":
				return this.#keep(message.claim, message.key);
		}
	}

	/** Nobody here takes these results, so the run that waits for them is of no use. */
	refuse({ from, claim, question }: Question): Promise<void> {
		for (const callId of question.given.hashes.keys()) this.#member.giveUp(question.caller, callId);
		return this.#refused(from, claim, "the gateway of the run is stopping");
	}

	askerDied(asker: string): void {
		for (const reply of [...this.#open.values()]) {
			if (reply.asker !== asker) continue;
			reply.cancel();
			void this.#tellFailed(reply);
		}
	}

	/** Redis may have lost messages. */
	check(): void {
		for (const reply of this.#open.values()) reply.check();
	}

	/** All replies break off. Who asked for them is told by `tellBroken`. */
	allBroken(): void {
		for (const reply of [...this.#open.values()]) {
			reply.cancel();
			this.#untold.push(() => this.#tellFailed(reply));
		}
	}

	async tellBroken(): Promise<void> {
		await Promise.all(this.#untold.splice(0).map((tell) => tell()));
	}

	#checked({ from, claim, characters }: Extract<ToOwner, { type: "check" }>): void {
		const reply = this.#open.get(claim);
		if (!reply) return void this.#say(from, { type: "said", claim }).catch(() => {});
		reply.more(characters);
		reply.check();
	}

	#answer({ from, claim, question }: Question): void {
		const { caller } = question;
		const reply = new ServedReply(from, claim, {
			events: (events, at) => this.#say(from, { type: "events", claim, at, events }),
			said: (batches) => void this.#say(from, { type: "said", claim, batches }).catch(() => {}),
			failed: (error) => void this.#say(from, { type: "failed", claim, error: travelling(error) }).catch(() => {}),
			over: () => this.#open.delete(claim),
		});
		const turn = this.#member.answer(question, reply);
		if (typeof turn === "string") return void this.#refused(from, claim, turn);
		this.#open.set(claim, reply);
		this.#remember(claim, { reply, caller, session: turn.session });
		void this.#say(from, { type: "accepted", claim, reply: saidOf(turn) }).catch(() => reply.cancel());
		reply.attach(turn.handle);
	}

	#remember(claim: string, ended: Ended): void {
		this.#ended.set(claim, ended);
		for (const oldest of this.#ended.keys()) {
			if (this.#ended.size <= MOST_ENDED + this.#open.size) return;
			if (!this.#open.has(oldest)) this.#ended.delete(oldest);
		}
	}

	#keep(claim: string, key: string): void {
		const { reply, caller, session } = this.#ended.get(claim) ?? {};
		this.#ended.delete(claim);
		if (reply?.stored) this.#member.keep(caller!, session!, key, reply.stored);
	}

	#refused(to: string, claim: string, reason: LostRun): Promise<void> {
		return this.#say(to, { type: "refused", claim, reason }).catch(() => {
			// Without an answer the other gateway would wait for as long as this one lives.
			this.#untold.push(() => this.#refused(to, claim, reason));
		});
	}

	#tellFailed({ asker, claim }: ServedReply): Promise<void> {
		const error = travelling(new GatewayError("upstream-reset"));
		return this.#say(asker, { type: "failed", claim, error }).catch(() => {});
	}
}

const saidOf = ({ reason, waitedMs, session, model, warnings, precedesResults }: GroupTurn) => ({
	reason,
	...(waitedMs !== undefined && { waitedMs }),
	session,
	model,
	warnings,
	precedesResults,
});
