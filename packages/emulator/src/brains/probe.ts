import type { Brain, Turn } from "./brain.ts";
import { argumentsFor } from "./pick-tool.ts";
import { inWords } from "./words.ts";

/** What somebody who checks the way to a model may ask of it. */
interface Probe {
	listsWords: boolean;
	callsTools: boolean;
	/** What to say at the end. */
	last: string | undefined;
}

const CODE_WORD = /\bcode ?words?\b[^.:\n]*?(?:\bis\b|:)\s*["'`]?([\w-]+)/gi;

/** Undefined where the prompt asks for none of it. */
export function probeOf(prompt: string): Probe | undefined {
	const listsWords = /\blist every code ?word\b/i.test(prompt);
	const callsTools = /\bcall every tool\b/i.test(prompt);
	const last = /\banswer with the word ["'`]?(\w+)/i.exec(prompt)?.[1];
	return listsWords || callsTools || last !== undefined ? { listsWords, callsTools, last } : undefined;
}

/** Does as a model does that can only tell of what it reads, and only call what it is given. */
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

/** Of everything that others said to the model. */
function codeWords({ system, rules, messages }: Turn): string[] {
	const said = messages.flatMap(({ role, content }) =>
		role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
	);
	const words = [...system, ...rules, ...said].flatMap((text) =>
		[...text.matchAll(CODE_WORD)].map(([, word]) => word!),
	);
	return [...new Set(words)];
}
