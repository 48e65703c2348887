import type { Asker, Ladder, StartedTurn } from "../sessions/ladder.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { TurnRequest } from "../turn/request.ts";
import { forcedCallRule } from "./forced-call.ts";
import { PrematureCalls } from "./premature-calls.ts";
import { RuledTurn } from "./ruled-turn.ts";
import { structuredOutputRule } from "./structured-output.ts";

/** Starts turns, each held to what its request demands of the answer. */
export class RuledTurns {
	readonly #sessions: Ladder;
	readonly #premature = new PrematureCalls();

	constructor(sessions: Ladder) {
		this.#sessions = sessions;
	}

	/** As `Sessions.start`. Rejects also where the demand itself is not one that can be met, such as a broken schema. */
	async start(request: TurnRequest, asker: Asker, listener: TurnListener, apart: boolean): Promise<StartedTurn> {
		// A call that is demanded comes before any answer could.
		const rule = forcedCallRule(request) ?? (await structuredOutputRule(request));
		if (!rule) return this.#sessions.start(request, asker, listener, apart);
		const { caller } = asker;
		const premature = this.#premature;
		let isFirst = true;
		const turn = new RuledTurn(
			{
				rule,
				target: listener,
				start: (next, self) => {
					const startsApart = apart && isFirst;
					isFirst = false;
					return this.#sessions.start(next, asker, self, startsApart);
				},
				giveUp: (callId) => this.#sessions.giveUp(caller, callId),
				premature: {
					add: (clientCalls, ownCalls) => premature.add(caller, clientCalls, ownCalls),
					isPremature: (callId, precedesResults) => premature.isPremature(caller, callId, precedesResults),
					reply: (calls) => premature.reply(calls),
				},
			},
			premature.complete(caller, rule.request),
		);
		return turn.start();
	}
}
