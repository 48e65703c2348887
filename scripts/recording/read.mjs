// What an SVG of svg.mjs shows: for each frame its runs of text, with row, column and length in columns.
import { CELL } from "./svg.mjs";

const ROW = /<g id="(r\d+)">(.*)<\/g>$/gm;
const RUN = /<text x="([\d.]+)" y="[\d.]+" textLength="([\d.]+)"[^>]*>([^<]*)<\/text>/g;
const FRAME = /<g id="f\d+"[^>]*>(.*)<\/g>$/gm;
const USE = /<use href="#(r\d+)" y="([\d.]+)"\/>/g;

/** @param {string} svg */
export function framesIn(svg) {
	const rows = new Map([...svg.matchAll(ROW)].map(([, id, drawn]) => [id, [...drawn.matchAll(RUN)].map(runOf)]));
	return [...svg.matchAll(FRAME)].map(([, uses]) =>
		[...uses.matchAll(USE)].flatMap(([, id, y]) => {
			if (!rows.has(id)) throw new Error(`a frame uses the row ${id}, which is not drawn`);
			return rows.get(id).map((run) => ({ ...run, row: Number(y) / CELL.height }));
		}),
	);
}

function runOf([, x, length, text]) {
	const columns = (units) => Math.round(Number(units) / CELL.width);
	return { column: columns(x), length: columns(length), text: fromXml(text) };
}

/** The screen of one frame as lines. */
export function textOf(frame) {
	const lines = [];
	for (const { row, column, text } of frame) lines[row] = `${(lines[row] ?? "").padEnd(column)}${text}`;
	return Array.from(lines, (line) => line ?? "").join("\n");
}

/** A screen without what differs from one session to the next: times, words for having worked, and hints below it. */
export function normalised(screen) {
	const [work] = /^[\s\S]*✻ \S+ for/.exec(screen) ?? [screen];
	const lines = work.replaceAll(/✻ \S+ for.*/g, "✻ Worked for").split("\n");
	return lines
		.map((line) => line.trimEnd())
		.filter((line) => line !== "")
		.join("\n");
}

const fromXml = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
