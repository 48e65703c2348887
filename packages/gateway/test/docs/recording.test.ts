import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { framesIn, textOf } from "../../../../scripts/recording/read.mjs";
// @ts-expect-error: a script without types
import { COLUMNS, ROWS } from "../../../../scripts/recording/terminal.mjs";

interface Run {
	row: number;
	column: number;
	length: number;
	text: string;
}

const at = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const FILE = "docs/images/recording.svg";
const svg = readFileSync(at(FILE), "utf8");
const frames: Run[][] = framesIn(svg);

// `npm run test:clients -- recording` records it again and compares the last screens.
describe("the recording of the README", () => {
	it("is shown there, with words for those who cannot see it", () => {
		expect(readFileSync(at("README.md"), "utf8")).toMatch(/!\[[^\]]{40,}\]\(docs\/images\/recording\.svg\)/);
		expect(svg).toMatch(/<title>[^<]{40,}<\/title>/);
	});

	it("shows the gateway's start, the client's set-up, its tools and its answer", () => {
		const screens: string[] = frames.map(textOf);
		for (const words of ["$ npm start", "Ctrl-C stops it", "$ npx cursorwire connect claude-code"]) {
			expect(screens.some((screen) => screen.includes(words))).toBe(true);
		}
		for (const words of ["Wrote 1 line to answer.mjs", "Ran 1 shell command", "node answer.mjs says: 42"]) {
			expect(screens.at(-1)).toContain(words);
		}
	});

	it("cuts nothing off at the edges", () => {
		expect(frames.length).toBeGreaterThan(20);
		for (const { row, column, length, text } of frames.flat()) {
			expect(length).toBe(text.length);
			expect(column + length).toBeLessThanOrEqual(COLUMNS);
			expect(row).toBeLessThan(ROWS);
		}
		const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number);
		const [, w, h] = /<clipPath id="window"><rect width="([\d.]+)" height="([\d.]+)"/.exec(svg)!.map(Number);
		const [, x, y] = /<g transform="translate\(([\d.]+) ([\d.]+)\)" clip-path/.exec(svg)!.map(Number);
		expect(x! + w!).toBeLessThanOrEqual(width!);
		expect(y! + h!).toBeLessThanOrEqual(height!);
	});

	it("ends with its last frame, and shows that one where nothing moves", () => {
		const last = /<g id="f(\d+)" transform="translate\(0 (\d+)\)">.*<\/g>\n<\/g><\/g>/.exec(svg)!;
		expect(Number(last[1])).toBe(frames.length - 1);
		expect(svg).toContain(`.film{transform:translateY(-${last[2]}px)`);
		expect(svg).toMatch(new RegExp(`@keyframes film\\{.*100%\\{transform:translateY\\(-${last[2]}px\\)\\}\\}`));
	});

	it("goes from one tab to the next once, and back only to begin again", () => {
		const steps = /@keyframes tab1\{(.*)100%/.exec(svg)![1]!;
		expect(steps.match(/opacity:[\d.]+/g)).toEqual(["opacity:0.45", "opacity:1"]);
	});

	it("is small", () => expect(statSync(at(FILE)).size).toBeLessThan(500_000));
});
