import { QUESTIONS, type Question, type QuestionId } from "./questions.ts";
import { MOST_TURNS, TURNS, type TurnId } from "./turns.ts";

export interface Wishes {
	/** Ask only this question. */
	only?: QuestionId;
	/** Also ask what costs more. */
	all?: boolean;
}

export interface Plan {
	turns: TurnId[];
	/** The limit on turns, repeated ones included. */
	mostTurns: number;
	/** An estimate, without what Cursor adds to every turn. */
	tokens: number;
}

/** The turns that a turn builds on. */
const BEFORE: Partial<Record<TurnId, readonly TurnId[]>> = {
	"one-place": ["words"],
	again: ["words", "one-place"],
};
const ANY_TURN: readonly TurnId[] = ["words", "one-place"];
/** The long context is tried without Max Mode and with it. */
const COSTLY_TURNS = 2;

/** The turns to make, in order, and the most that they cost. */
export function plannedTurns({ only, all }: Wishes): Plan {
	const wanted = only === undefined ? undefined : turnsOf(QUESTIONS[only]);
	const turns = (Object.keys(TURNS) as TurnId[]).filter((turn) => {
		if (wanted) return wanted.has(turn);
		return all || !("isCostly" in TURNS[turn]);
	});
	const tokens = turns.reduce((sum, turn) => sum + TURNS[turn].tokens, 0);
	const costly = turns.includes("long-context") ? COSTLY_TURNS : 0;
	const mostTurns = wanted ? turns.length + (wanted.has("chat") ? 1 : 0) + costly / 2 : MOST_TURNS + costly;
	return { turns, mostTurns, tokens };
}

function turnsOf({ way }: Question): Set<TurnId> {
	if (way === "free" || way === "ordinary traffic") return new Set();
	const named = way === "any turn" ? ANY_TURN : way;
	return new Set(named.flatMap((turn) => [...(BEFORE[turn] ?? []), turn]));
}
