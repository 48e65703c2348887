export type Step = "next" | "previous" | "page-down" | "page-up" | "first" | "last";
export type Move = Step | "open" | "close" | "filter";

const KEYS: Record<string, Move> = {
	j: "next",
	ArrowDown: "next",
	k: "previous",
	ArrowUp: "previous",
	PageDown: "page-down",
	PageUp: "page-up",
	Home: "first",
	End: "last",
	Enter: "open",
	Escape: "close",
	"/": "filter",
};

/** Keys that other parts of the page need themselves, unless the list has the focus. */
const ONLY_IN_LIST: Move[] = ["open", "page-down", "page-up", "first", "last"];

const PAGE = 20;

/** What a key means here, if it is not meant for a field or a button. */
export function moveOf(event: KeyboardEvent): Move | undefined {
	if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
	const move = KEYS[event.key];
	const target = event.target as HTMLElement;
	if (move === undefined || move === "close") return move;
	if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return undefined;
	const isInList = target.closest("#turn-grid") !== null;
	if (!isInList && ONLY_IN_LIST.includes(move)) return undefined;
	return !isInList && event.key.startsWith("Arrow") ? undefined : move;
}

export function moved(from: number, step: Step, total: number): number {
	const to = {
		next: from + 1,
		previous: from - 1,
		"page-down": from + PAGE,
		"page-up": from - PAGE,
		first: 0,
		last: total - 1,
	};
	return Math.min(total - 1, Math.max(0, to[step]));
}
