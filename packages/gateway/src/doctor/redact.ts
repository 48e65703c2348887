import { maskSecrets } from "../text/mask-secrets.ts";

interface Rule {
	find: RegExp;
	by: string;
}

/** What must not be in a report besides keys and tokens, by its form. */
const RULES: readonly Rule[] = [
	// User and password of a proxy.
	{ find: /(\w+:\/\/)[^\s/@]+@/g, by: "$1(login)@" },
	{ find: /[\w.+-]+@[\w-]+\.[\w.-]+/g, by: "(address)" },
	{ find: /\buser_[\w]{8,}/g, by: "(user)" },
];

/** A text without secrets and personal data. `personal`: further texts, such as the home folder, with their substitutes. */
export function redact(text: string, personal: Readonly<Record<string, string>> = {}): string {
	let redacted = maskSecrets(text);
	for (const [secret, name] of Object.entries(personal)) {
		if (secret.length > 2) redacted = redacted.replaceAll(secret, name);
	}
	for (const { find, by } of RULES) redacted = redacted.replace(find, by);
	return redacted;
}
