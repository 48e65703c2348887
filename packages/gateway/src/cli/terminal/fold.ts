/** A list with more items than this is folded. */
const MOST_ITEMS = 10;
/** How many lines of a folded list are shown. */
const SHOWN_LINES = 12;
/** To hide fewer items than this would save nothing, and the user is about to agree to them. */
const FEWEST_HIDDEN = 5;

/**
 * Folds long lists in lines that belong together, by their indentation. `above` are the lines before them, which tell
 * what the items are.
 */
export function foldLists(lines: readonly string[], above: readonly string[]): string[] {
	const { lead, items, tail } = itemsOf(lines);
	const most = shownOf(items, lead.length);
	const isLong = items.length > MOST_ITEMS && items.length - most >= FEWEST_HIDDEN;
	const shown = isLong ? items.slice(0, most) : items;
	const folded = shown.flatMap((item) => foldItem(item, [...above, ...lead]));
	if (!isLong) return [...lead, ...folded, ...tail];
	const indent = /^\s*/.exec(items[0]![0]!)![0];
	const noun = [...above, ...lead].some((line) => /model/i.test(line)) ? "models" : "entries";
	return [...lead, ...folded, `${indent}… ${items.length - shown.length} more ${noun}`, ...tail];
}

function foldItem([head = "", ...rest]: readonly string[], above: readonly string[]): string[] {
	const end = rest.findIndex((line) => depthOf(line) <= depthOf(head) && line.trim() !== "");
	const inner = end < 0 ? rest : rest.slice(0, end);
	const closing = end < 0 ? [] : rest.slice(end);
	return [head, ...(inner.length === 0 ? [] : foldLists(inner, [...above, head])), ...closing];
}

function shownOf(items: readonly string[][], leading: number): number {
	let lines = leading;
	const count = items.findIndex((item) => {
		lines += item.length;
		return lines > SHOWN_LINES;
	});
	return Math.max(count, 1);
}

/** Items at the outermost indentation, each with the lines within it. */
function itemsOf(lines: readonly string[]): { lead: string[]; items: string[][]; tail: string[] } {
	const level = Math.min(...lines.filter((line) => line.trim() !== "").map(depthOf));
	const lead: string[] = [];
	const items: string[][] = [];
	for (const line of lines) {
		// `}, {` ends an item and starts the next.
		const isStart = depthOf(line) === level && /^[^\]}\s]|[[{]$/.test(line.trim());
		if (isStart) items.push([line]);
		else (items.at(-1) ?? lead).push(line);
	}
	// A diff may begin within one item and end with the bracket of the next: the two are one.
	const isCut = lead.length > 0 && items.at(-1)?.length === 1 && /[[{]$/.test(items.at(-1)![0]!);
	const tail = isCut ? items.pop()! : [];
	return { lead, items, tail };
}

const depthOf = (line: string): number => /^\s*/.exec(line)![0].length;

/** A line that fits: of a long one, the part where it differs from another. */
export function excerpt(line: string, other: string | undefined, longest: number): string {
	if (line.length <= longest) return line;
	const start = Math.max(0, commonStart(line, other ?? "") - longest / 4);
	const from = start > longest / 4 ? start : 0;
	const rest = line.length - from - longest;
	const more = rest > 0 ? `… (${rest} more characters)` : "";
	return `${from > 0 ? "… " : ""}${line.slice(from, from + longest)}${more}`;
}

function commonStart(one: string, other: string): number {
	let at = 0;
	while (at < one.length && one[at] === other[at]) at++;
	return at;
}
