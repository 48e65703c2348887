// Every place of a body, and bodies with a wrong value at one of them.

export type Path = (string | number)[];

export function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
	if (path.length > 0) yield path;
	if (typeof value !== "object" || value === null) return;
	const isList = Array.isArray(value);
	for (const [key, item] of Object.entries(value)) yield* pathsOf(item, [...path, isList ? Number(key) : key]);
}

/** A path as the error names it, made here by other means than in the code under test. */
export const written = (path: Path): string =>
	path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key), "");

export const REMOVED = Symbol("removed");

/** A copy with another value at the place, or without the place; the same where an earlier change took the place away. */
export function changed(body: unknown, path: Path, value: unknown): unknown {
	const copy = structuredClone(body);
	let parent = copy as Record<string | number, unknown>;
	for (const key of path.slice(0, -1)) {
		const next = parent[key];
		if (typeof next !== "object" || next === null) return copy;
		parent = next as Record<string | number, unknown>;
	}
	const last = path.at(-1)!;
	if (value === REMOVED) delete parent[last];
	else parent[last] = value;
	return copy;
}

/** One of every type, and what looks like a value and is none. */
export const WRONG_VALUES: readonly unknown[] = [
	...[null, true, 5, -1, 1.5, "", "x", "\r\n\0", [], [5], [null], {}, [[[]]], [{}]],
	JSON.parse('{ "__proto__": null, "constructor": 1 }'),
	// Cannot be turned into a text.
	[{ toString: 1, valueOf: 1 }],
];
