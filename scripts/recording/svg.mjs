// Frames of a terminal as an animated SVG: all frames below one another, like a film, behind a window of one frame.
// Rows that occur in several frames are drawn once. Without animation the last frame is shown.
import { GROUND } from "./rows.mjs";
import { COLUMNS, ROWS } from "./terminal.mjs";

export const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;
const BAR = 34;
/** One frame more than its rows is kept free, so that no frame shows the next. */
const STEP = (ROWS + 1) * CELL.height;
const WIDTH = COLUMNS * CELL.width + 2 * MARGIN;
const HEIGHT = BAR + ROWS * CELL.height + 2 * MARGIN;

/**
 * @param {{ tab: number, ms: number, rows: object[][] }[]} frames
 * @param {{ title: string, tabs: string[] }} words
 */
export function drawFrames(frames, { title, tabs }) {
	const drawn = new Map();
	const idOf = (svg) => {
		if (!drawn.has(svg)) drawn.set(svg, `r${drawn.size}`);
		return drawn.get(svg);
	};
	const film = frames.map(({ rows }, index) => {
		const uses = rows.flatMap((row, at) =>
			row.length === 0 ? [] : `<use href="#${idOf(drawRow(row))}" y="${at * CELL.height}"/>`,
		);
		return `<g id="f${index}" transform="translate(0 ${index * STEP})">${uses.join("")}</g>`;
	});
	const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(WIDTH)} ${HEIGHT}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${inXml(title)}</title>
<style>
text{white-space:pre}
.film{transform:translateY(${-(frames.length - 1) * STEP}px);animation:film ${seconds.toFixed(2)}s steps(1,end) infinite}
${tabs.map((_, tab) => `.tab${tab}{opacity:${tab === frames.at(-1).tab ? 1 : 0.45};animation:tab${tab} ${seconds.toFixed(2)}s steps(1,end) infinite}`).join("\n")}
${keyframes("film", frames, (_, index) => `transform:translateY(${-index * STEP}px)`)}
${tabs.map((_, tab) => keyframes(`tab${tab}`, frames, (frame) => `opacity:${frame.tab === tab ? 1 : 0.45}`)).join("\n")}
@media (prefers-reduced-motion:reduce){.film,[class^=tab]{animation:none}}
</style>
<rect x="0.5" y="0.5" width="${round(WIDTH - 1)}" height="${HEIGHT - 1}" rx="8" fill="${GROUND}" stroke="#6e7681"/>
${tabs.map(drawTab).join("\n")}
<defs>
<clipPath id="window"><rect width="${round(COLUMNS * CELL.width)}" height="${ROWS * CELL.height}"/></clipPath>
${[...drawn].map(([svg, id]) => `<g id="${id}">${svg}</g>`).join("\n")}
</defs>
<g transform="translate(${MARGIN} ${BAR + MARGIN / 2})" clip-path="url(#window)"><g class="film">
${film.join("\n")}
</g></g>
</svg>
`;
}

function drawTab(words, tab) {
	return `<text class="tab${tab}" x="${MARGIN + tab * 260}" y="22" fill="#e6edf3" font-weight="bold">${tab + 1}: ${inXml(words)}</text>`;
}

function drawRow(runs) {
	const grounds = runs.filter(({ ground }) => ground).map(drawGround);
	return [...grounds, ...runs.filter(({ text }) => text.trim() !== "").map(drawRun)].join("");
}

const drawGround = ({ column, text, ground }) =>
	`<rect x="${round(column * CELL.width)}" width="${round(text.length * CELL.width)}" height="${CELL.height}" fill="${ground}"/>`;

/** The length is given, so that columns stay columns in whatever font the reader has. */
function drawRun({ column, text, ink, bold, dim }) {
	const style = `fill="${ink}"${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity="0.65"' : ""}`;
	const place = `x="${round(column * CELL.width)}" y="13.5" textLength="${round(text.length * CELL.width)}"`;
	return `<text ${place} lengthAdjust="spacingAndGlyphs" ${style}>${inXml(text)}</text>`;
}

/** One step per change of what is declared. */
function keyframes(name, frames, declare) {
	const total = frames.reduce((sum, { ms }) => sum + ms, 0);
	let before = 0;
	let last;
	const steps = frames.flatMap((frame, index) => {
		const at = before;
		before += frame.ms;
		const declared = declare(frame, index);
		if (declared === last) return [];
		last = declared;
		return `${((at / total) * 100).toFixed(3)}%{${declared}}`;
	});
	return `@keyframes ${name}{${steps.join("")}100%{${last}}}`;
}

const round = (length) => Math.round(length * 10) / 10;
const inXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
