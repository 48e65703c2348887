interface Rule {
	find: RegExp;
	by: string;
}

/** Tokens and keys by their form: ours, Cursor's, and those of others that may stand in a text. */
const RULES: readonly Rule[] = [
	{ find: /\bcw_[\w-]{8,}/g, by: "cw_(key)" },
	// A token may stand right behind other characters (`user_1%3A%3AeyJ…`), and may have been cut off anywhere.
	{ find: /eyJ[\w-]{6,}(?:\.[\w-]*)*/g, by: "(token)" },
	{ find: /\b(?:crsr|key|sk|xai|gsk)[_-][\w-]{8,}/g, by: "(key)" },
	{ find: /\bBearer\s+(?!\()\S+/gi, by: "Bearer (token)" },
];

/** A text in which nothing is left that opens a door: for texts that come from elsewhere and are shown to someone. */
export function maskSecrets(text: string): string {
	let masked = text;
	for (const { find, by } of RULES) masked = masked.replace(find, by);
	return masked;
}
