import type { Brain, Turn } from "./brain.ts";
import { argumentsFor } from "./pick-tool.ts";
import { inWords } from "./words.ts";

/** A request that checks what reaches the model. `cursorwire calibrate` sends such requests. */
interface Probe {
	listsWords: boolean;
	callsTools: boolean;
	/** The word to say at the end. */
	last: string | undefined;
}

const CODE_WORD = /\bcode ?words?\b[^.:\n]*?(?:\bis\b|:)\s*["'`]?([\w-]+)/gi;

/** Undefined if the prompt is not a probe. */
export function probeOf(prompt: string): Probe | undefined {
	const listsWords = /\blist every code ?word\b/i.test(prompt);
	const callsTools = /\bcall every tool\b/i.test(prompt);
	const last = /\banswer with the word ["'`]?(\w+)/i.exec(prompt)?.[1];
	return listsWords || callsTools || last !== undefined ? { listsWords, callsTools, last } : undefined;
}

/** Says which code words the model has read, and calls the tools that it was given. */
export async function* answerProbe(turn: Turn, { listsWords, callsTools, last }: Probe): ReturnType<Brain> {
	if (listsWords) {
		const words = codeWords(turn);
		yield* inWords(`${words.length > 0 ? words.join("\n") : "I was given no code word."}\n`);
	}
	if (callsTools && turn.tools.length > 0) {
		yield { calls: turn.tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, {}) })) };
	}
	yield* inWords(last ?? "That is all.");
}

/** The code words in everything that the model was told. */
function codeWords({ system, rules, messages }: Turn): string[] {
	const said = messages.flatMap(({ role, content }) =>
		role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
	);
	const words = [...system, ...rules, ...said].flatMap((text) =>
		[...text.matchAll(CODE_WORD)].map(([, word]) => word!),
	);
	return [...new Set(words)];
}
