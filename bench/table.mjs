// Medians, verdicts and the Markdown table.

/** The median of the numbers; NaN if there are none. */
export function median(numbers) {
	const sorted = numbers.filter(Number.isFinite).sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	if (sorted.length === 0) return Number.NaN;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `ok` or `MISS`; empty for a row without a target. */
export function verdict(value, target) {
	if (target === undefined) return "";
	if (!Number.isFinite(value)) return "not measured";
	return (target.atLeast === undefined ? value <= target.atMost : value >= target.atLeast) ? "ok" : "MISS";
}

function number(value, digits = 1) {
	if (!Number.isFinite(value)) return "–";
	if (value >= 1000) return Math.round(value).toLocaleString("en-US");
	return value.toFixed(value >= 100 ? 0 : digits);
}

function targetText({ target, own }) {
	if (target === undefined) return "";
	const limit = target.atLeast === undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
	return own ? limit : `${limit} × lean`;
}

/** Rows of `{ label, lean, gateway, ratio, target, own, digits }` as a Markdown table. */
export function markdown(rows) {
	const lines = rows.map((row) => [
		row.label,
		number(row.lean, row.digits),
		number(row.gateway, row.digits),
		number(row.ratio, 2),
		targetText(row),
		verdict(row.own ? row.gateway : row.ratio, row.target),
	]);
	const all = [["what", "lean", "gateway", "× lean", "target", ""], ...lines];
	const widths = all[0].map((_, column) => Math.max(3, ...all.map((line) => line[column].length)));
	const text = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
	return [text(all[0]), text(widths.map((width) => "-".repeat(width))), ...all.slice(1).map(text)].join("\n");
}
