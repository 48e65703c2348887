/** Joins texts from different sources. Each but the last gets a full stop if it does not end with punctuation. */
export function joinSentences(parts: readonly (string | undefined)[]): string {
	const texts = parts.flatMap((part) => part?.trim() || []);
	return texts
		.map((text, index) => (index < texts.length - 1 && !/[.!?:…]["')\]]*$/.test(text) ? `${text}.` : text))
		.join(" ");
}
