// How the brain reports to a case what reached it: as JSON in the text that it streams.
const OPEN = "«saw ";
const CLOSE = "»";

/** @param {unknown} value */
export function say(value) {
	return { text: `${OPEN}${JSON.stringify(value, plain)}${CLOSE}` };
}

/**
 * @param {string} text
 * @returns {any}
 */
export function sawIn(text) {
	const start = text.lastIndexOf(OPEN);
	const end = text.lastIndexOf(CLOSE);
	if (start < 0 || end < start) throw new Error(`the brain reported nothing in: ${JSON.stringify(text)}`);
	return JSON.parse(text.slice(start + OPEN.length, end));
}

function plain(_key, value) {
	if (typeof value === "bigint") return Number(value);
	return value;
}
