const BLOCK = /<([\w-]+)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/g;
/** A block whose name says that it is the prompt. */
const OWN_BLOCK = /<(task|user_message|user_query|userRequest)>([\s\S]*?)<\/\1>/;
const OUTER_QUOTES = /^(["'])([\s\S]*)\1$/;

/**
 * What a person typed, out of the texts that a coding agent sends for it. Agents add reminders before and after the
 * prompt, in tags or as separate texts, and some put the prompt in quotes. The prompt is the last text of one paragraph.
 */
export function ownWords(texts: readonly string[]): string {
	const paragraphs = texts.map(paragraphsOf).filter(({ length }) => length > 0);
	const words = (paragraphs.findLast(({ length }) => length === 1) ?? paragraphs.at(-1))?.at(-1) ?? "";
	return OUTER_QUOTES.exec(words)?.[2] ?? words;
}

/** A prompt without the tagged blocks that agents put around it, or as it is if there is nothing else. */
export function withoutBlocks(prompt: string): string {
	return untaggedText(prompt) || prompt;
}

const untaggedText = (text: string) => text.replace(BLOCK, "\n\n").trim();

function paragraphsOf(text: string): string[] {
	const untagged = untaggedText(text);
	// A text that consists of tagged blocks holds the prompt if one of them says so, else reminders.
	const own = untagged === "" ? (OWN_BLOCK.exec(text)?.[2] ?? "") : untagged;
	return own
		.split(/\n\s*\n/)
		.map((paragraph) => paragraph.trim())
		.filter((paragraph) => paragraph !== "");
}
