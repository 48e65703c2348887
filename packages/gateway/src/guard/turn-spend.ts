import type { SpendLimit } from "../store/spend/spend-limit.ts";
import type { SpendChange, SpendTake } from "../store/spend/spend-store.ts";
import { orElse, type Soon, soon } from "../time/soon.ts";
import type { GatewayError } from "../turn/error.ts";
import { limitReached, limitUnknown } from "./refusals.ts";
import { crossed, warningText } from "./soft-thresholds.ts";
import type { SeenCounter } from "./spend-counters.ts";
import type { SpendDesk } from "./spend-desk.ts";
import type { Spender, SpendOutcome } from "./spender.ts";
import { counterName, keptUntil, type Span, spanAt } from "./windows.ts";

/** What a turn holds of one limit. */
interface Held {
	limit: SpendLimit;
	span: Span;
	counter: SeenCounter;
	take: SpendTake;
	/** It is the first of its conversation, which has no counter yet. */
	isFirst: boolean;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * A reply is written to the store whenever it has grown by so many tokens. Until then other gateways do not see it, and
 * a process that is killed takes it with it.
 */
export const TOKENS_WRITTEN_AT_ONCE = 250;

/** What one turn spends: reserved before it is sent, watched while it is streamed, settled at its end. */
export class TurnSpend {
	readonly #desk: SpendDesk;
	readonly #limits: readonly SpendLimit[];
	readonly #spender: Spender;
	readonly #held = new Map<string, Held>();
	/** Replies that were admitted. */
	#replies = 0;
	#inputTokens = 0;
	#spokenTokens = 0;
	/** Those of them that are in no store yet. */
	#unwrittenTokens = 0;
	/** A limit has ended a reply of it. */
	#isCut = false;
	#isSettled = false;

	constructor(desk: SpendDesk, limits: readonly SpendLimit[], spender: Spender) {
		this.#desk = desk;
		this.#limits = limits;
		this.#spender = spender;
	}

	/**
	 * Takes what a reply will spend, or says why it may not. `continues`: it goes on with a run that waits for results.
	 * `isFurther`: another reply to the same request. What the gateway asks for anew by itself is only checked.
	 */
	admit(continues: boolean, isFurther: boolean): Soon<GatewayError | undefined> {
		if (this.#replies > 0 && !isFurther) return this.mayRepeat();
		const refusal = this.#checkShares(continues);
		if (refusal) return refusal;
		const countsTokens = this.#limits.some(({ unit }) => unit === "tokens");
		return soon(countsTokens ? this.#spender.inputTokens() : 0, (tokens) => this.#take(tokens, continues));
	}

	/** Gives back what was taken: the reply was given before. */
	release(): void {
		this.#giveBack();
	}

	/** Why the gateway may not ask Cursor once more by itself. */
	mayRepeat(): GatewayError | undefined {
		const held = this.#over();
		return held && this.#refused(held.limit, held.span, held.counter.used, 0);
	}

	/**
	 * So many characters of a reply have come. The error that ends it, where a hard limit of tokens is crossed; with its
	 * last piece it is complete, and an error would tell less than the reply.
	 */
	spoke(characters: number, isLast: boolean): GatewayError | undefined {
		const tokens = characters / CHARACTERS_PER_TOKEN;
		this.#spokenTokens += tokens;
		this.#unwrittenTokens += tokens;
		for (const { limit, counter } of this.#held.values()) if (limit.unit === "tokens") counter.live += tokens;
		if (this.#unwrittenTokens >= TOKENS_WRITTEN_AT_ONCE) this.#write();
		const held = isLast ? undefined : this.#over();
		if (!held) return undefined;
		this.#isCut = true;
		const { limit, span, counter } = held;
		const error = limitReached({ limit, span, used: counter.used + counter.live, needed: 0 }, this.#desk.now());
		this.#desk.decided(limit, "cut", error.message);
		return error;
	}

	/** The turn is over. */
	settle({ hasFailedEarly, tokens, lineage }: SpendOutcome): void {
		if (this.#isSettled) return;
		this.#isSettled = true;
		// A reply that was cut at its first piece has spent what Cursor said of it, although nothing of it was passed on.
		if (hasFailedEarly && !this.#isCut) return this.#giveBack();
		const spent = tokens ?? Math.round(this.#inputTokens + this.#spokenTokens);
		const changes: [Held, SpendChange][] = [];
		for (const held of this.#held.values()) {
			const actual = held.limit.unit === "turns" ? this.#replies : spent;
			const change = held.isFirst ? begun(held, actual, lineage) : { ...held.take, amount: actual - held.take.amount };
			if (change && change.amount !== 0) changes.push([held, change]);
		}
		this.#change(changes, () => this.#letGo());
	}

	#checkShares(continues: boolean): GatewayError | undefined {
		const { share, now } = this.#desk;
		for (const limit of this.#limits) {
			if (limit.unit !== "percent" && limit.unit !== "cents") continue;
			const isHard = isHardFor(limit, continues);
			const used = share.usedOf(limit);
			if (used === undefined) {
				if (isHard) return this.#unknown(limit, "Cursor has not said how much of the plan is used");
				continue;
			}
			const span = spanAt(limit.window, now(), share.period);
			if (isHard && used >= limit.amount) return this.#refused(limit, span, used, 0);
			this.#allowed(limit, span, counterName(limit, span), 0, used);
		}
		return undefined;
	}

	#take(tokens: number, continues: boolean): Soon<GatewayError | undefined> {
		const asked = this.#limits.flatMap((limit) => this.#wanted(limit, tokens, continues));
		const tooLarge = asked.find(({ isFirst, take }) => isFirst && take.most !== undefined && take.amount > take.most);
		if (tooLarge) return this.#refused(tooLarge.limit, tooLarge.span, 0, tooLarge.take.amount);
		const counted = asked.filter(({ isFirst }) => !isFirst);
		const takes = counted.map(({ take }) => take);
		const hold = (used: readonly number[]) => {
			this.#replies++;
			this.#inputTokens += tokens;
			for (const wanted of asked) this.#hold(wanted, used[counted.indexOf(wanted)]);
		};
		if (takes.length === 0) return void hold([]);
		return orElse<GatewayError | undefined>(
			() =>
				soon(this.#desk.store.takeSpend(takes), ({ taken, used }) => {
					if (taken) return void hold(used);
					const index = takes.findIndex(
						({ most, amount }, place) => most !== undefined && used[place]! + amount > most,
					);
					const { limit, span, take } = counted[Math.max(0, index)]!;
					const live = this.#desk.counters.liveOf(take.counter);
					return this.#refused(limit, span, used[Math.max(0, index)]! + live, take.amount);
				}),
			(error) => {
				const hard = counted.find(({ take }) => take.most !== undefined);
				if (!hard) throw error;
				this.#desk.warn("what was spent cannot be read", error);
				return this.#unknown(hard.limit, "the store is away and nothing remembers it");
			},
		);
	}

	/** What a reply takes of a limit that is counted here. */
	#wanted(limit: SpendLimit, tokens: number, continues: boolean): Omit<Held, "counter">[] {
		if (limit.unit !== "turns" && limit.unit !== "tokens") return [];
		const { now, share } = this.#desk;
		const { lineage } = this.#spender;
		const subject = limit.scope.perConversation ? lineage : undefined;
		const isFirst = limit.scope.perConversation === true && lineage === undefined;
		const span = spanAt(limit.window, now(), share.period);
		const counter = isFirst ? `${limit.id}:first` : counterName(limit, span, subject);
		const take: SpendTake = {
			counter,
			amount: limit.unit === "turns" ? 1 : tokens,
			since: span.start,
			expiresAt: keptUntil(span, now(), limit.scope.perConversation && (lineage ?? "")),
			...(isHardFor(limit, continues) && { most: limit.amount - this.#desk.counters.liveOf(counter) }),
		};
		return [{ limit, span, take, isFirst }];
	}

	/** `used`: what its counter says now; undefined for a conversation that begins. */
	#hold(wanted: Omit<Held, "counter">, used: number | undefined): void {
		const { take, isFirst, limit, span } = wanted;
		const known = this.#held.get(take.counter);
		if (known) known.take = { ...take, amount: known.take.amount + take.amount };
		else {
			// Nobody else counts on a conversation that begins.
			const fresh: SeenCounter = { name: take.counter, used: 0, live: 0, holders: 1 };
			this.#held.set(take.counter, {
				...wanted,
				take: { ...take },
				counter: isFirst ? fresh : this.#desk.counters.hold(take.counter),
			});
		}
		const { counter } = this.#held.get(take.counter)!;
		counter.used = used ?? counter.used + take.amount;
		// A conversation that begins has its counter, and its warnings, from its end on.
		if (isFirst) this.#desk.decided(limit, "allowed", "");
		else this.#allowed(limit, span, take.counter, counter.used - take.amount, counter.used);
	}

	#allowed(limit: SpendLimit, span: Span, counter: string, before: number, after: number): void {
		this.#desk.decided(limit, "allowed", "");
		const left = this.#desk.warnings.takeLeft(counter);
		const text = this.#warning(limit, span, counter, before, after) ?? left;
		if (text !== undefined) this.#spender.warnings.push(text);
	}

	#warning(limit: SpendLimit, span: Span, counter: string, before: number, after: number): string | undefined {
		const level = crossed(limit, before, after);
		if (level === undefined || !this.#desk.warnings.isFirst(counter, limit.amount, level)) return undefined;
		const text = warningText(limit, span, after, level);
		this.#desk.decided(limit, "warned", text);
		return text;
	}

	#refused(limit: SpendLimit, span: Span, used: number, needed: number): GatewayError {
		const error = limitReached({ limit, span, used, needed }, this.#desk.now());
		this.#desk.decided(limit, "refused", error.message);
		return error;
	}

	#unknown(limit: SpendLimit, why: string): GatewayError {
		const error = limitUnknown(limit, why);
		this.#desk.decided(limit, "unreadable", error.message);
		return error;
	}

	/** A hard limit that is crossed by now, by this turn or by others. It may have been changed since the turn began. */
	#over(): Held | undefined {
		for (const held of this.#held.values()) {
			const { used, live } = held.counter;
			if (held.take.most === undefined) continue;
			const limit = this.#desk.limits.find(({ id }) => id === held.limit.id);
			if (limit?.mode === "stop" && !limit.isPaused && used + live > limit.amount) return { ...held, limit };
		}
		return undefined;
	}

	#write(): void {
		const tokens = Math.floor(this.#unwrittenTokens);
		this.#unwrittenTokens -= tokens;
		const changes: [Held, SpendChange][] = [];
		for (const held of this.#held.values()) {
			if (held.limit.unit !== "tokens" || held.isFirst) continue;
			changes.push([held, { ...held.take, amount: tokens }]);
			held.take = { ...held.take, amount: held.take.amount + tokens };
			held.counter.live -= tokens;
			held.counter.used += tokens;
		}
		this.#change(changes, () => {});
	}

	#giveBack(): void {
		const held = [...this.#held.values()].filter(({ isFirst }) => !isFirst);
		const changes = held.map((each): [Held, SpendChange] => [each, { ...each.take, amount: -each.take.amount }]);
		this.#replies = 0;
		this.#change(changes, () => this.#letGo());
	}

	#change(changes: readonly [Held, SpendChange][], then: () => void): void {
		if (changes.length === 0) return then();
		void orElse<void>(
			() =>
				soon(this.#desk.store.changeSpend(changes.map(([, change]) => change)), (used) => {
					for (const [index, [held, change]] of changes.entries()) this.#changed(held, change, used[index]!);
					then();
				}),
			(error) => {
				this.#desk.warn("what a turn has spent could not be settled", error);
				then();
			},
		);
	}

	/** It is too late for a header of this turn: the log tells of a threshold at once, and the next turn after it. */
	#changed({ limit, span, counter }: Held, { counter: name, amount }: SpendChange, used: number): void {
		counter.used = used;
		const text = this.#warning(limit, span, name, used - amount, used);
		if (text !== undefined) this.#desk.warnings.leave(name, text);
	}

	#letGo(): void {
		for (const { counter, isFirst, limit } of this.#held.values()) {
			if (limit.unit === "tokens") counter.live -= this.#unwrittenTokens;
			if (!isFirst) this.#desk.counters.letGo(counter);
		}
		this.#held.clear();
	}
}

/** Whether the limit refuses a turn. With `finish` one that is under way may end. */
const isHardFor = ({ mode }: SpendLimit, continues: boolean): boolean =>
	mode === "stop" || (mode === "finish" && !continues);

/** The counter of a conversation that has its first reply now. */
function begun({ limit, span, take }: Held, amount: number, lineage: string | undefined): SpendChange | undefined {
	return lineage === undefined ? undefined : { ...take, counter: counterName(limit, span, lineage), amount };
}
