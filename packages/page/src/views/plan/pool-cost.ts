import type { Pool } from "../../../../gateway/src/page/contract.ts";
import { dollars, percent } from "../../text/numbers.ts";

/** What became of each pool between two readings. */
export function poolCost(before: Pool[], after: Pool[]): { name: Pool["name"]; text: string }[] {
	return after.map((pool) => {
		const earlier = before.find(({ name }) => name === pool.name);
		return { name: pool.name, text: costText(earlier, pool) };
	});
}

function costText(before: Pool | undefined, after: Pool): string {
	if (before?.usedPercent === undefined || after.usedPercent === undefined) return "not known";
	const points = percent(after.usedPercent - before.usedPercent);
	if (before.usedCents === undefined || after.usedCents === undefined) return `${points} of the pool`;
	return `${points} of the pool, ${dollars(after.usedCents - before.usedCents)}`;
}
