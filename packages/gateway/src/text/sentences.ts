/** Texts of several makers as one text: each ends before the next begins. */
export function joinSentences(parts: readonly (string | undefined)[]): string {
	const texts = parts.flatMap((part) => part?.trim() || []);
	return texts
		.map((text, index) => (index < texts.length - 1 && !/[.!?:…]["')\]]*$/.test(text) ? `${text}.` : text))
		.join(" ");
}
