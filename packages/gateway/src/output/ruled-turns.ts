import type { Asker } from "../sessions/asker.ts";
import type { Ladder } from "../sessions/ladder.ts";
import type { StartedTurn } from "../sessions/started-turn.ts";
import type { Soon } from "../time/soon.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { TurnRequest } from "../turn/request.ts";
import { forcedCallRule } from "./forced-call.ts";
import type { OutputRule } from "./output-rule.ts";
import { PrematureCalls } from "./premature-calls.ts";
import { RuledTurn } from "./ruled-turn.ts";
import { structuredOutputRule } from "./structured-output.ts";

/** The rule that a request puts on its reply, if any. Fails when the rule itself is unusable, like a broken schema. */
export function outputRuleOf(request: TurnRequest): Soon<OutputRule | undefined> {
	// A forced call comes first: the reply that would have to keep the other rule is only given after it.
	return forcedCallRule(request) ?? (request.output.kind === "text" ? undefined : structuredOutputRule(request));
}

/** Opens replies that have to keep a rule. */
export class RuledTurns {
	readonly #ladder: Ladder;
	readonly #premature = new PrematureCalls();

	constructor(ladder: Ladder) {
		this.#ladder = ladder;
	}

	/** Like `Ladder.climb`, for a reply that has to keep `rule`. */
	open(rule: OutputRule, asker: Asker, listener: TurnListener, needsOwnConversation: boolean): Promise<StartedTurn> {
		const { caller } = asker;
		const premature = this.#premature;
		let isFirst = true;
		const turn = new RuledTurn(
			{
				rule,
				target: listener,
				open: async (next, self) => {
					const isApart = needsOwnConversation && isFirst;
					isFirst = false;
					return this.#ladder.climb(next, asker, self, isApart);
				},
				giveUp: (callId) => this.#ladder.giveUp(caller, callId),
				premature: {
					add: (clientCalls, ownCalls) => premature.add(caller, clientCalls, ownCalls),
					isPremature: (callId, precedesResults) => premature.isPremature(caller, callId, precedesResults),
					rejectionOf: (calls) => premature.rejectionOf(calls),
				},
			},
			premature.complete(caller, rule.request),
		);
		return turn.open();
	}
}
