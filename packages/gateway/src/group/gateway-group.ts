import type { GroupMember, GroupQuestion, GroupTurn, KeyOfReply, KnownRun, RunGroup } from "../sessions/run-group.ts";
import { type LostRun, NOBODY_WAITS } from "../sessions/rung-reason.ts";
import { RedisAnswerBoard } from "../store/redis/answer-board.ts";
import { GroupLink, READ_MS } from "../store/redis/group-link.ts";
import {
	EMPTY_INBOX,
	FENCE,
	LEAVE,
	NOTE,
	NOTE_OF,
	POST,
	REGISTER,
	RENEW,
	SUPERSEDE,
} from "../store/redis/group-scripts.ts";
import type { RedisLinkOptions } from "../store/redis/link.ts";
import { RedisLoginBoard } from "../store/redis/login-board.ts";
import { nameOf } from "../store/redis/script.ts";
import type { Clock } from "../time/clock.ts";
import { sleep } from "../time/sleep.ts";
import type { TurnListener } from "../turn/listener.ts";
import { AskedReplies } from "./asked-replies.ts";
import { Claims } from "./claims.ts";
import { LEASE_MS, Lease } from "./lease.ts";
import { decodeMessage, encodeMessage, type GroupMessage, type ToOwner, type Unsigned } from "./messages.ts";
import { MissingPeers, PATIENCE } from "./missing-peers.ts";
import { Orphans } from "./orphans.ts";
import { renewedOf } from "./script-replies.ts";
import { ServedReplies } from "./served-replies.ts";
import { TurnsTogether } from "./turns-together.ts";

export interface GatewayGroupOptions extends RedisLinkOptions {
	clock: Clock;
	/** Milliseconds since 1970. */
	time(): number;
	newId(): string;
	/** How long a run can be found after it has parked: while it waits, and while its replies are kept. */
	runTtlMs: number;
	warn(what: string, error: unknown): void;
}

/** The form of the ids that gateways give to calls. Others are unknown without a question. */
const CALL_ID = /^call_[0-9a-f]{32}$/;
/** How long a connection that was lost a moment ago may hold up the results of a run. */
const CONNECT_MS = 1_000;
const CLOSE_POLL_MS = 20;
/** How long a Redis that does not reply may hold up the end. */
const LEAVE_MS = 2_000;

/** This gateway among those that share a Redis (ADR 61). */
export class GatewayGroup implements RunGroup {
	readonly #options: GatewayGroupOptions;
	readonly #id: string;
	readonly #link: GroupLink;
	readonly #lease: Lease;
	readonly #orphans = new Orphans();
	readonly #missing = new MissingPeers();
	readonly #claims: Claims;
	readonly #asked: AskedReplies;
	readonly #served: ServedReplies;
	readonly #member: GroupMember;
	/** Where the gateways leave renewed logins for each other. */
	readonly logins: RedisLoginBoard;
	/** Where they leave what they found out about the server. */
	readonly answers: RedisAnswerBoard;
	/** The turns of callers whose limit is for all gateways. */
	readonly turns: TurnsTogether;
	/** Messages that nobody has looked at. */
	readonly #backlog: string[] = [];
	#isHearing = false;
	#cancelBeat: (() => void) | undefined;

	constructor(options: GatewayGroupOptions, member: GroupMember) {
		this.#options = options;
		this.#member = member;
		this.#id = options.newId();
		this.#lease = new Lease({ now: () => options.clock.now(), time: options.time });
		this.#asked = new AskedReplies((to, message) => this.#say(to, message));
		this.#served = new ServedReplies(member, (to, message) => this.#say(to, message));
		const ears = {
			up: () => this.#up(),
			lost: (reason: string) => this.#lost(reason),
			alone: (reason: string) =>
				options.warn("other gateways cannot be reached, this one goes on alone", new Error(reason)),
			heard: (messages: readonly string[]) => this.#heard(messages),
		};
		this.#link = new GroupLink({ ...options, id: this.#id, ears });
		this.#claims = new Claims(this.#link, { ...options, id: this.#id });
		this.logins = new RedisLoginBoard(this.#link, options.newId);
		this.answers = new RedisAnswerBoard(this.#link);
		this.turns = new TurnsTogether(this.#link, this.#id);
	}

	/** Joins. Resolves without an error if that is not possible yet. */
	async start(): Promise<void> {
		await this.#link.start();
		this.#beatLater();
	}

	/** Alone, a gateway is sure of all that it has. */
	get isSure(): boolean {
		return this.#lease.holds || this.#link.isAlone;
	}

	async refresh(): Promise<void> {
		await this.#link.connected(CONNECT_MS);
		// Whoever cannot reach Redis goes on alone.
		if (!this.#lease.holds) await this.#renew().catch(() => {});
	}

	parked({ runId, caller, calls }: KnownRun): void {
		if (!this.#link.isUp) return;
		this.#link.run(REGISTER, [this.#id, runId, this.#options.runTtlMs, nameOf(caller), ...calls]).then(
			(reply) => reply === 0 && this.#member.taken(runId),
			() => {},
		);
	}

	async ask(question: GroupQuestion, listener: TurnListener, keyOf: KeyOfReply): Promise<GroupTurn | LostRun> {
		const { caller, given } = question;
		const calls = [...given.hashes.keys()].filter((call) => CALL_ID.test(call));
		if (calls.length === 0) return NOBODY_WAITS;
		const asked = this.#asked.open(this.#options.newId(), listener, keyOf);
		let isAsked = true;
		try {
			const message = { type: "question" as const, from: this.#id, claim: asked.claim, question };
			const found = await this.#claims.claim(caller, calls, encodeMessage(message));
			if (found.kind === "sent") asked.sentTo(found.owner, found.runId);
			else asked.lost(found.kind === "taken" ? "the gateway of the run is gone" : NOBODY_WAITS);
		} catch {
			isAsked = false;
			asked.lost(NOBODY_WAITS);
		}
		const turn = await asked.turn;
		const isFree = turn === "the gateway of the run is gone" || !isAsked || !this.#link.isUp;
		if (isFree) this.answeredWithout(caller, calls);
		return turn;
	}

	answeredWithout(caller: string, calls: readonly string[]): void {
		if (!this.#link.isUp) return this.#orphans.add(caller, calls);
		this.#link
			.run(SUPERSEDE, [this.#id, this.#options.runTtlMs, nameOf(caller), ...calls])
			.catch(() => this.#orphans.add(caller, calls));
	}

	note(runId: string, text: string): void {
		if (this.#link.isUp) this.#link.run(NOTE, [runId, text]).catch(() => {});
	}

	async noteOf(runId: string): Promise<string | undefined> {
		if (!this.#link.isUp) return undefined;
		const note = (await this.#link.run(NOTE_OF, [runId]).catch(() => null)) as Buffer | null;
		return note === null ? undefined : String(note);
	}

	/** From now on nothing is taken for other gateways. Resolves when what was taken is over, at the latest after so long. */
	async finish(graceMs: number): Promise<void> {
		this.#served.isStopping = true;
		for (let waited = 0; this.#served.size > 0 && waited < graceMs; waited += CLOSE_POLL_MS) {
			await sleep(CLOSE_POLL_MS, this.#options.clock);
		}
	}

	/** Leaves. Others rebuild at once what was left to this gateway. */
	async close(): Promise<void> {
		this.#cancelBeat?.();
		this.#served.isStopping = true;
		this.#served.allBroken();
		const { clock } = this.#options;
		if (this.#link.isUp) await Promise.race([this.#leave().catch(() => {}), sleep(LEAVE_MS, clock)]);
		this.#link.close();
	}

	async #leave(): Promise<void> {
		await this.#served.tellBroken();
		const rest = await this.#link.run(LEAVE, [this.#id, this.#link.newest]);
		await this.#sortOut(rest as Buffer[]);
	}

	/** Redis can be reached, for the first time or again: it may have lost everything, and others may have gone on. */
	async #up(): Promise<void> {
		const rest = (await this.#link.run(EMPTY_INBOX, [this.#id, this.#link.newest])) as Buffer[];
		this.#link.readAll();
		await this.#renew();
		await this.#sortOut(rest);
		for (const [caller, calls] of this.#orphans.take()) this.answeredWithout(caller, calls);
		this.#registerAll();
		this.turns.tellAll();
		void this.#served.tellBroken();
		this.#asked.tellLeft();
	}

	#lost(reason: string): void {
		this.#lease.end();
		this.#options.warn("the connection to other gateways was lost", new Error(reason));
		this.#asked.allLost();
		this.#served.allBroken();
	}

	#registerAll(): void {
		for (const run of this.#member.knownRuns()) this.parked(run);
	}

	#heard(messages: readonly string[]): void {
		this.#backlog.push(...messages);
		if (!this.#isHearing) void this.#hear();
	}

	/** In their order, also while one of them has to wait. */
	async #hear(): Promise<void> {
		this.#isHearing = true;
		for (let text = this.#backlog.shift(); text !== undefined; text = this.#backlog.shift()) {
			try {
				const message = decodeMessage(text);
				if (!isForOwner(message)) this.#asked.heard(message);
				// A question is what may put something into a run that another gateway has taken.
				else if (message.type !== "question" || this.#lease.holds || (await this.#isSureAgain())) {
					this.#served.heard(message);
				} else void this.#served.refuse(message);
			} catch (error) {
				this.#options.warn("a message of another gateway", error);
			}
		}
		this.#isHearing = false;
	}

	async #isSureAgain(): Promise<boolean> {
		await this.refresh();
		return this.#lease.holds;
	}

	async #say(to: string, message: Unsigned<GroupMessage>): Promise<void> {
		await this.#link.run(POST, [to, encodeMessage({ ...message, from: this.#id })]);
	}

	/** What is taken out of the inbox at once: no question is answered, but replies are for those who wait for them. */
	async #sortOut(messages: readonly Buffer[]): Promise<void> {
		const refused: Promise<void>[] = [];
		for (const text of messages) {
			const message = decodeMessage(String(text));
			if (!isForOwner(message)) this.#asked.heard(message);
			else if (message.type === "question") refused.push(this.#served.refuse(message));
		}
		await Promise.all(refused);
	}

	#beatLater(): void {
		this.#cancelBeat = this.#options.clock.after(READ_MS, () => {
			this.#beatLater();
			if (this.#link.isReading()) this.#renew().catch(() => {});
		});
	}

	async #renew(): Promise<void> {
		const peers = [...new Set([...this.#asked.owners(), ...this.#served.askers()])];
		const { newest } = this.#link;
		const args = [this.#id, LEASE_MS, newest, ...peers];
		const { held, taken, alive } = renewedOf(await this.#lease.renew(() => this.#link.run(RENEW, args)));
		for (const runId of taken) this.#member.taken(runId);
		if (!held) this.#mayHaveLost(newest);
		const dead = peers.filter((_, at) => !alive[at]);
		for (const [peer, times] of this.#missing.count(dead)) this.#died(peer, times >= PATIENCE);
	}

	/** The lease was gone: this gateway was too slow, or Redis has lost its data, and messages with it. */
	#mayHaveLost(newest: string): void {
		// What comes now may have smaller numbers than what came before, where the clock of the Redis was set back.
		if (this.#link.newest === newest) this.#link.readAll();
		this.#registerAll();
		this.#asked.check();
		this.#served.check();
	}

	/**
	 * Takes the runs that were asked for from a gateway that is gone. What it said before may still be in the inbox, so
	 * that it is gone is told behind that.
	 */
	#died(peer: string, isGivenUp: boolean): void {
		if (isGivenUp) this.#served.askerDied(peer);
		for (const { runId, claim, isAccepted } of this.#asked.of(peer)) {
			if (runId === undefined || (isAccepted && !isGivenUp)) continue;
			const message = encodeMessage({ type: "lost", from: peer, claim });
			this.#link.run(FENCE, [this.#id, this.#options.runTtlMs, peer, runId, message]).catch(() => {});
		}
	}
}

const FOR_OWNER: ReadonlySet<GroupMessage["type"]> = new Set(["question", "more", "check", "cancel", "leave", "keep"]);
const isForOwner = (message: GroupMessage): message is ToOwner => FOR_OWNER.has(message.type);
