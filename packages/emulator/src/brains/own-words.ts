const BLOCK = /<([\w-]+)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/g;
const OUTER_QUOTES = /^(["'])([\s\S]*)\1$/;

/**
 * What a person typed, out of what a coding agent made of it: agents put reminders, in tags, and surroundings in front
 * of the prompt, and some put it in quotes.
 */
export function ownWords(prompt: string): string {
	const untagged = prompt.replace(BLOCK, "\n\n").trim();
	const text = untagged === "" ? prompt.replace(/<\/?[\w-]+[^<>]*>/g, "").trim() : untagged;
	const last = text
		.split(/\n\s*\n/)
		.at(-1)!
		.trim();
	return OUTER_QUOTES.exec(last)?.[2] ?? last;
}
