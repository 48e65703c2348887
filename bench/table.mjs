// Medians, verdicts and the Markdown table.

/** The median of the numbers; NaN if there are none. */
export function median(numbers) {
	const sorted = numbers.filter(Number.isFinite).sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	if (sorted.length === 0) return Number.NaN;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `ok`, `MISS`, or `floor` between the two; empty for a row without a target. */
export function verdict(value, target) {
	if (target === undefined) return "";
	if (!Number.isFinite(value)) return "not measured";
	if (target.atMost !== undefined) return value <= target.atMost ? "ok" : "MISS";
	if (value >= target.atLeast) return "ok";
	return value >= (target.floor ?? Number.POSITIVE_INFINITY) ? "floor" : "MISS";
}

function number(value, digits = 1) {
	if (!Number.isFinite(value)) return "–";
	if (value >= 1000) return Math.round(value).toLocaleString("en-US");
	return value.toFixed(value >= 100 ? 0 : digits);
}

function targetText({ target, own }) {
	if (target === undefined) return "";
	const limit = target.atLeast === undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
	const floor = target.floor === undefined ? "" : ` (floor ${target.floor})`;
	return `${limit}${own ? "" : " × lean"}${floor}`;
}

/** A peer's value with its ratio to lean, or the word that says why there is none. */
function peerCell({ own, digits, peers }, name) {
	const { word, value, ratio } = peers?.[name] ?? { word: "–" };
	if (word !== undefined) return word;
	return own || !Number.isFinite(ratio) ? number(value, digits) : `${number(value, digits)} (${number(ratio, 2)} ×)`;
}

/** Rows of `{ label, lean, gateway, ratio, target, own, digits, peers }` as a Markdown table. */
export function markdown(rows, peers = []) {
	const lines = rows.map((row) => [
		row.label,
		number(row.lean, row.digits),
		number(row.gateway, row.digits),
		number(row.ratio, 2),
		targetText(row),
		verdict(row.own ? row.gateway : row.ratio, row.target),
		...peers.map((name) => peerCell(row, name)),
	]);
	return grid([["what", "lean", "gateway", "× lean", "target", "", ...peers], ...lines]);
}

/** Lines of cells as a Markdown table, in columns of equal width. The first line is the heading. */
export function grid(lines) {
	const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
	const text = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
	return [text(lines[0]), text(widths.map((width) => "-".repeat(width))), ...lines.slice(1).map(text)].join("\n");
}
