/** Applies the user's configured aliases to a name. A star in an alias matches anything. */
export function aliasOf(name: string, aliases: Readonly<Record<string, string>>): string {
	if (Object.hasOwn(aliases, name)) return aliases[name]!;
	const pattern = Object.keys(aliases).find((key) => key.includes("*") && matchesPattern(name, key));
	return pattern === undefined ? name : aliases[pattern]!;
}

function matchesPattern(name: string, pattern: string): boolean {
	const [start = "", ...rest] = pattern.split("*");
	if (!name.startsWith(start)) return false;
	let position = start.length;
	for (const [index, piece] of rest.entries()) {
		const found = index === rest.length - 1 ? name.length - piece.length : name.indexOf(piece, position);
		if (found < position || !name.startsWith(piece, found)) return false;
		position = found + piece.length;
	}
	return true;
}

/**
 * Whether a configured alias matches the end of the name explicitly. A trailing star matches anything, so it does not
 * count.
 */
export function isAliased(name: string, aliases: Readonly<Record<string, string>>): boolean {
	return Object.keys(aliases).some(
		(key) => key === name || (key.includes("*") && !key.endsWith("*") && matchesPattern(name, key)),
	);
}
