/** The rows that a scrolled box shows, and some around them so that a quick scroll finds them drawn. */
export interface Rows {
	first: number;
	/** Exclusive. */
	end: number;
}

const AROUND = 12;

export function rowsInView(scrollTop: number, height: number, rowHeight: number, total: number): Rows {
	const first = Math.max(0, Math.floor(scrollTop / rowHeight) - AROUND);
	const end = Math.min(total, Math.ceil((scrollTop + height) / rowHeight) + AROUND);
	return { first: Math.min(first, end), end };
}

/** Where to scroll so that a row is in view, with as little movement as possible. */
export function scrollTo(index: number, scrollTop: number, height: number, rowHeight: number): number {
	const top = index * rowHeight;
	if (top < scrollTop) return top;
	return Math.max(scrollTop, top + rowHeight - height);
}
