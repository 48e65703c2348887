/** Compares versions given as numbers, most significant first. Negative if the first one is older. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
	for (let at = 0; at < Math.max(a.length, b.length); at++) {
		const difference = (a[at] ?? 0) - (b[at] ?? 0);
		if (difference !== 0) return difference;
	}
	return 0;
}
