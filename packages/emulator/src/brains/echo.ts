import type { Brain } from "./brain.ts";
import { inWords } from "./words.ts";

/** Says what the user said. */
export const echo: Brain = async function* (turn) {
	yield* inWords(turn.prompt);
};
