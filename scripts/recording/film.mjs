// What was seen on terminals, cut to what a reader wants to see: no long waits, no frames that nobody could notice.

/** A change that is replaced sooner is not shown by itself. */
const SHORTEST_MS = 80;
/** Nothing is waited for longer than this. */
const LONGEST_MS = 1_500;
/** At the end of a tab, to read it. */
const LAST_OF_TAB_MS = 2_500;
const LAST_MS = 6_000;

/** @param {{ at: number, tab: number, rows: object[][] }[]} seen in order of time */
export function cutFilm(seen) {
	let shownAt = 0;
	const kept = seen.filter((frame, index) => {
		const next = seen[index + 1];
		const isSeen = !next || next.tab !== frame.tab || next.at - shownAt >= SHORTEST_MS;
		if (isSeen) shownAt = frame.at;
		return isSeen;
	});
	const changed = kept.filter((frame, index) => index === 0 || !sameScreen(frame, kept[index - 1]));
	return changed.map((frame, index) => ({ ...frame, ms: lengthOf(frame, changed[index + 1]) }));
}

function lengthOf({ at, tab }, next) {
	if (!next) return LAST_MS;
	if (next.tab !== tab) return LAST_OF_TAB_MS;
	return Math.min(LONGEST_MS, next.at - at);
}

const sameScreen = (a, b) => a.tab === b.tab && JSON.stringify(a.rows) === JSON.stringify(b.rows);
