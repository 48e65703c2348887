interface Rule {
	find: RegExp;
	by: string;
}

/** Recognises tokens and keys by their form: ours, Cursor's, and those of other services that a text may contain. */
const RULES: readonly Rule[] = [
	{ find: /\bcw_[\w-]{8,}/g, by: "cw_(key)" },
	// A token may directly follow other characters (`user_1%3A%3AeyJ…`) and may have been cut off anywhere.
	{ find: /eyJ[\w-]{6,}(?:\.[\w-]*)*/g, by: "(token)" },
	{ find: /\b(?:crsr|key|sk|xai|gsk)[_-][\w-]{8,}/g, by: "(key)" },
	{ find: /\bBearer\s+(?!\(|tokens?\b)\S+/gi, by: "Bearer (token)" },
];

/** Masks all credentials in a text that comes from elsewhere, before it is logged or shown. */
export function maskSecrets(text: string): string {
	let masked = text;
	for (const { find, by } of RULES) masked = masked.replace(find, by);
	return masked;
}
