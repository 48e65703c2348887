import type { Fact, LimitChanged, LimitDecided, LiveFact } from "../observe/facts.ts";
import { limitsInForce, type SpendLimit } from "../store/spend/spend-limit.ts";
import type { SpendStore } from "../store/spend/spend-store.ts";
import { type Soon, soon } from "../time/soon.ts";
import type { TurnMessage } from "../turn/request.ts";
import { limitText } from "./limit-text.ts";
import { lineageOf } from "./lineage.ts";
import { matchesModel } from "./model-pattern.ts";
import type { PlanShare } from "./plan-share.ts";
import { SpendCounters } from "./spend-counters.ts";
import type { SpendDesk } from "./spend-desk.ts";
import type { Spender } from "./spender.ts";
import { type Standing, standingsOf } from "./standings.ts";
import { TurnSpend } from "./turn-spend.ts";
import { WarningBook } from "./warning-book.ts";

export interface SpendGuardOptions {
	store: SpendStore;
	/** Where the limits are kept, if not with their counters. */
	limits?: Pick<SpendStore, "listLimits"> | undefined;
	share: PlanShare;
	/** Milliseconds since 1970. */
	now(): number;
	tell(fact: Exclude<Fact, LiveFact>): void;
	warn(what: string, error: unknown): void;
}

/** The request of a turn, as far as limits are about it. */
export interface SpendRequest extends Pick<Spender, "warnings" | "inputTokens"> {
	caller: string;
	keyId?: string | undefined;
	/** Its key has limits, so it must not be served before they are known. */
	hasSpendLimits?: true | undefined;
	/** It runs on the account of its sender, whose plan is none of the owner's business. */
	isGuest: boolean;
	model: string;
	/** Other names of the model that will answer. */
	alsoNamed(): Soon<readonly string[]>;
	messages: readonly TurnMessage[];
}

/** How soon a change by another process is noticed. */
const READ_EVERY_MS = 1_000;

/**
 * Holds turns to the owner's limits. Those are read once a second, so that a turn that no limit is about costs a look at
 * an empty list.
 */
export class SpendGuard implements SpendDesk {
	readonly store: SpendStore;
	readonly share: PlanShare;
	readonly counters = new SpendCounters();
	readonly warnings = new WarningBook();
	readonly now: () => number;
	readonly warn: SpendGuardOptions["warn"];
	readonly #tell: SpendGuardOptions["tell"];
	readonly #book: Pick<SpendStore, "listLimits">;
	#limits: readonly SpendLimit[] = [];
	/** Keys whose limits were looked for after the key was first seen. */
	readonly #lookedFor = new Set<string>();
	#reading: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor({ store, limits = store, share, now, tell, warn }: SpendGuardOptions) {
		this.store = store;
		this.#book = limits;
		this.share = share;
		this.now = now;
		this.warn = warn;
		this.#tell = tell;
	}

	/** Limits in force, paused ones included. */
	get limits(): readonly SpendLimit[] {
		return this.#limits;
	}

	/** How much is used of each limit. */
	standings(): Promise<Standing[]> {
		const { store, share } = this;
		return standingsOf(this.#limits, { store, share, now: this.now() });
	}

	async start(): Promise<void> {
		this.#limits = limitsInForce(await this.#book.listLimits());
		this.#refreshShare();
		this.#timer = setInterval(() => {
			this.#read().catch((error) => this.warn("the limits cannot be read", error));
		}, READ_EVERY_MS);
		this.#timer.unref();
	}

	close(): void {
		clearInterval(this.#timer);
	}

	/** Undefined: no limit is about the turn. */
	turn(request: SpendRequest): Soon<TurnSpend | undefined> {
		const { keyId, hasSpendLimits } = request;
		if (hasSpendLimits && keyId !== undefined && !this.#lookedFor.has(keyId)) {
			// Its limits came before the key, so after another look they are known.
			return this.#read().then(() => {
				this.#lookedFor.add(keyId);
				return this.#turn(request);
			});
		}
		return this.#limits.length === 0 ? undefined : this.#turn(request);
	}

	decided(limit: SpendLimit, decision: LimitDecided["decision"], text: string): void {
		this.#tell({ type: "limit-decided", at: this.now(), limit: limit.id, decision, text });
	}

	#turn(request: SpendRequest): Soon<TurnSpend | undefined> {
		const own = this.#limits.filter((limit) => isAbout(limit, request));
		if (own.length === 0) return undefined;
		const byModel = own.some(({ scope }) => scope.model !== undefined);
		const names = byModel ? soon(request.alsoNamed(), (others) => [request.model, ...others]) : [];
		return soon(names, (known) => {
			const limits = own.filter(({ scope }) => scope.model === undefined || matchesModel(scope.model, known));
			return limits.length === 0 ? undefined : this.#spend(limits, request);
		});
	}

	#spend(limits: readonly SpendLimit[], request: SpendRequest): Soon<TurnSpend> {
		const { caller, warnings, messages } = request;
		const lineage = limits.some(({ scope }) => scope.perConversation) ? lineageOf(caller, messages) : undefined;
		const inputTokens = () => request.inputTokens();
		const spend = new TurnSpend(this, limits, { lineage, warnings, inputTokens });
		const waits = limits.some(needsPlan) && !this.share.isKnown;
		return waits ? this.share.refresh().then(() => spend) : spend;
	}

	/** Only one reading is under way at a time; whoever asks during one gets the next, since it may have begun too early. */
	async #read(): Promise<void> {
		await this.#reading;
		this.#reading ??= this.#readNow().finally(() => {
			this.#reading = undefined;
		});
		return this.#reading;
	}

	async #readNow(): Promise<void> {
		const limits = limitsInForce(await this.#book.listLimits());
		const before = this.#limits;
		this.#limits = limits;
		for (const limit of limits) {
			const known = before.find(({ id }) => id === limit.id);
			if (!known) this.#changed(limit, "added");
			else if (known.changedAt !== limit.changedAt) this.#changed(limit, changeOf(known, limit));
		}
		for (const limit of before) if (!limits.some(({ id }) => id === limit.id)) this.#changed(limit, "removed");
		this.#refreshShare();
	}

	#changed(limit: SpendLimit, change: LimitChanged["change"]): void {
		this.#tell({ type: "limit-changed", at: this.now(), limit: limit.id, change, text: limitText(limit) });
	}

	#refreshShare(): void {
		if (this.#limits.some(needsPlan)) void this.share.refresh();
	}
}

function isAbout({ isPaused, scope, unit }: SpendLimit, { keyId, isGuest }: SpendRequest): boolean {
	if (isPaused || (scope.key !== undefined && scope.key !== keyId)) return false;
	return !isGuest || (unit !== "percent" && unit !== "cents");
}

const needsPlan = ({ unit, window }: SpendLimit): boolean =>
	unit === "percent" || unit === "cents" || window === "period";

function changeOf(before: SpendLimit, after: SpendLimit): LimitChanged["change"] {
	if (before.isPaused !== after.isPaused) return after.isPaused ? "paused" : "resumed";
	return "changed";
}
