/** Columns on top of each other: each list becomes its sum with all lists before it. */
export function stacked(lists: number[][]): number[][] {
	const sums: number[] = [];
	return lists.map((list) =>
		list.map((value, index) => {
			sums[index] = (sums[index] ?? 0) + value;
			return sums[index];
		}),
	);
}

/** Each row as parts of 100; a row of nothing stays nothing. */
export function shares(lists: number[][]): number[][] {
	const totals = lists.reduce(
		(sum, list) => sum.map((value, index) => value + list[index]!),
		lists[0]!.map(() => 0),
	);
	return lists.map((list) => list.map((value, index) => (totals[index] === 0 ? 0 : (value / totals[index]!) * 100)));
}
