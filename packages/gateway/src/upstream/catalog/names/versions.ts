/** Versions as numbers, the most significant first: negative where the first is the older one. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
	for (let at = 0; at < Math.max(a.length, b.length); at++) {
		const difference = (a[at] ?? 0) - (b[at] ?? 0);
		if (difference !== 0) return difference;
	}
	return 0;
}
