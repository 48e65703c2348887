import { bringsCredential } from "../access/caller.ts";
import { lineageNamed } from "../guard/lineage.ts";
import { type Loop, type LoopLimits, loopIn } from "../guard/loop-alarm.ts";
import type { SpendGuard } from "../guard/spend-guard.ts";
import type { TurnSpend } from "../guard/turn-spend.ts";
import type { FactStream } from "../observe/facts.ts";
import { orElse, type Soon, soon } from "../time/soon.ts";
import { GatewayError } from "../turn/error.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { TurnEnd } from "./turn-outcome.ts";

export interface SpendingOptions {
	/** Holds turns to the owner's limits. Default: there are none. */
	guard?: SpendGuard;
	/** How often a call may be repeated in a conversation. Default: any number of times. */
	loops?: LoopLimits;
	facts: Pick<FactStream, "tell">;
	/** Milliseconds of the epoch. */
	now(): number;
}

/** Asks the spend guard about turns, and tells it how they ended. */
export class TurnSpending {
	readonly #options: SpendingOptions;

	constructor(options: SpendingOptions) {
		this.#options = options;
	}

	/** What the turn spends; undefined where no limit is about it. Throws where it goes round in circles. */
	of(turn: OpenTurn): Soon<TurnSpend | undefined> {
		const { guard, loops } = this.#options;
		if (loops && loops.warnAt > 0) this.#checkLoops(turn, loops.warnAt, loops.stopAt);
		if (!guard || (guard.limits.length === 0 && !turn.asker.hasSpendLimits)) return undefined;
		const { asker, call, prompt } = turn;
		const { caller, keyId, hasSpendLimits } = asker;
		const { model, messages, warnings } = call.turn;
		return guard.turn({
			caller,
			keyId,
			hasSpendLimits,
			isGuest: bringsCredential(caller),
			model,
			messages,
			warnings,
			alsoNamed: () => answeringNames(turn),
			inputTokens: () => soon(prompt.count(), () => prompt.tokens ?? 0),
		});
	}

	ended({ asker, call, watch, reply }: OpenTurn, { error, cancelled }: TurnEnd): void {
		if (!asker.spend) return;
		const { inputTokens, outputTokens } = watch.usage;
		// What was told of the replies that ended would leave out those that did not.
		const isWhole = error === undefined && !cancelled;
		asker.spend.settle({
			hasFailedEarly: error !== undefined && !watch.hasBegun,
			tokens: isWhole ? inputTokens + outputTokens : undefined,
			lineage: lineageNamed(asker.caller, call.turn.messages, reply?.name, watch.tools !== undefined),
		});
	}

	#checkLoops({ call, origin }: OpenTurn, warnAt: number, stopAt: number): void {
		const { messages, warnings } = call.turn;
		const loop = loopIn(messages, warnAt);
		if (!loop) return;
		const { facts, now } = this.#options;
		// A loop that goes on is logged ever more seldom.
		if (isPowerOfTwo(loop.times / warnAt)) {
			facts.tell({ type: "loop-seen", at: now(), requestId: origin.requestId, ...loop });
		}
		if (stopAt > 0 && loop.times >= stopAt) throw stopped(loop);
		warnings.push(`the tool ${loop.tool} was called ${loop.times} times with the same arguments in this conversation`);
	}
}

/** The names of the model that will answer. A name that nobody knows fails where the run is opened. */
function answeringNames({ asker, call }: OpenTurn): Soon<readonly string[]> {
	const { model, thinking, maxMode, contextWindow } = call.turn;
	return orElse<readonly string[]>(
		() =>
			soon(
				asker.account.facts.catalog.resolve({ name: model, effort: thinking.effort, maxMode, window: contextWindow }),
				({ answers, candidates }) => [answers.name, candidates[0].modelId],
			),
		() => [],
	);
}

const isPowerOfTwo = (number: number): boolean => Number.isInteger(Math.log2(number));

function stopped({ tool, times }: Loop): GatewayError {
	return new GatewayError(
		"limit-reached",
		`The tool ${tool} was called ${times} times with the same arguments in this conversation.`,
		{ nextStep: "Change the task, or raise the setting loopStop." },
	);
}
