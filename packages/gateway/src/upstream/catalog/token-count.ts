/** Parses a size as model lists spell it: `200k`, `1m`. */
export function tokenCount(text: string): number | undefined {
	const [, amount, unit] = /^(\d+(?:\.\d+)?)([km])$/i.exec(text) ?? [];
	if (amount === undefined) return undefined;
	return Number(amount) * (unit?.toLowerCase() === "m" ? 1_000_000 : 1000);
}
