import type { ModelInfo } from "../model.ts";

const MOST = 3;

/** Model names that a mistyped one may have meant, closest first. */
export function didYouMean(name: string, models: readonly ModelInfo[]): string[] {
	const wanted = name.toLowerCase();
	return models
		.flatMap(({ id, aliases, variants }) => [id, ...aliases, ...variants.map(({ slug }) => slug)])
		.map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
		.filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length * 0.4))
		.sort((a, b) => a.distance - b.distance)
		.map(({ candidate }) => candidate)
		.filter((candidate, index, all) => all.indexOf(candidate) === index)
		.slice(0, MOST);
}

/** The smaller of two distances: letter by letter, or with the words in sorted order (`opus-4.6`, `4.6-opus`). */
function distanceOf(one: string, other: string): number {
	return Math.min(editDistance(one, other), editDistance(sortedWords(one), sortedWords(other)));
}

function sortedWords(name: string): string {
	return name
		.split(/[^a-z0-9]+/)
		.sort()
		.join("-");
}

/** Levenshtein distance with one row of memory. Names are short, and very long ones are not typing errors. */
function editDistance(one: string, other: string): number {
	const long = one.slice(0, 100);
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let i = 1; i <= long.length; i++) {
		const next = [i];
		for (let j = 1; j <= other.length; j++) {
			const replaced = row[j - 1]! + (long[i - 1] === other[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
		}
		row = next;
	}
	return row[other.length]!;
}
