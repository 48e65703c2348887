// What a screen shows, as rows of runs: pieces of text in one colour, with the column where each begins.

/** The sixteen colours of a terminal, readable on a dark ground. */
const NAMED = [
	...["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
	...["#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff"],
];
const INK = "#e6edf3";
export const GROUND = "#0d1117";

/** @param {import("@xterm/headless").Terminal} terminal */
export function rowsOf(terminal) {
	const { active } = terminal.buffer;
	return Array.from({ length: terminal.rows }, (_, at) => runsOf(active.getLine(active.viewportY + at), terminal.cols));
}

function runsOf(line, columns) {
	const runs = [];
	for (let column = 0; column < columns; column++) {
		const cell = line?.getCell(column);
		if (!cell || cell.getWidth() === 0) continue;
		const text = cell.getChars() || " ";
		const style = styleOf(cell);
		const last = runs.at(-1);
		if (last && sameStyle(last, style)) last.text += text;
		else runs.push({ column, text, ...style });
	}
	return withoutBlankEnd(runs);
}

function withoutBlankEnd(runs) {
	const last = runs.at(-1);
	if (!last || last.ground) return runs;
	last.text = last.text.trimEnd();
	return last.text === "" ? withoutBlankEnd(runs.slice(0, -1)) : runs;
}

function styleOf(cell) {
	const front = colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
	const back = colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
	const inverse = cell.isInverse() !== 0;
	return {
		ink: inverse ? (back ?? GROUND) : (front ?? INK),
		ground: inverse ? (front ?? INK) : back,
		bold: cell.isBold() !== 0,
		dim: cell.isDim() !== 0,
	};
}

const sameStyle = (a, b) => a.ink === b.ink && a.ground === b.ground && a.bold === b.bold && a.dim === b.dim;

/** Undefined for the terminal's own colour. */
function colourOf(isDefault, isRgb, value) {
	if (isDefault) return undefined;
	if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
	return NAMED[value] ?? ofTheCube(value);
}

/** Colours 16 to 231 are a cube of six steps, the rest are greys. */
function ofTheCube(value) {
	if (value >= 232) return hex([1, 1, 1].map(() => 8 + (value - 232) * 10));
	const at = value - 16;
	const step = (part) => (part === 0 ? 0 : 55 + part * 40);
	return hex([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(step));
}

const hex = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
