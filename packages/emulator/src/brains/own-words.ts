const BLOCK = /<([\w-]+)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/g;
const OUTER_QUOTES = /^(["'])([\s\S]*)\1$/;

/**
 * What a person typed, out of the texts that a coding agent made of it: agents put reminders, in tags or in texts of
 * their own, before and behind the prompt, and some put it in quotes. A prompt is the last text of one paragraph.
 */
export function ownWords(texts: readonly string[]): string {
	const paragraphs = texts.map(paragraphsOf).filter(({ length }) => length > 0);
	const words = (paragraphs.findLast(({ length }) => length === 1) ?? paragraphs.at(-1))?.at(-1) ?? "";
	return OUTER_QUOTES.exec(words)?.[2] ?? words;
}

/** A prompt without the blocks in tags that agents put around it; the prompt as it is where there is nothing else. */
export function withoutBlocks(prompt: string): string {
	return untaggedText(prompt) || prompt;
}

const untaggedText = (text: string) => text.replace(BLOCK, "\n\n").trim();

function paragraphsOf(text: string): string[] {
	const untagged = untaggedText(text);
	// A text that is nothing but a tag is the prompt itself where it is named a task, else a reminder.
	const own =
		untagged === "" && /^\s*<(task|user_message|user_query)>/.test(text) ? text.replace(/<[^<>]*>/g, "") : untagged;
	return own
		.split(/\n\s*\n/)
		.map((paragraph) => paragraph.trim())
		.filter((paragraph) => paragraph !== "");
}
