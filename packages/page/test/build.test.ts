import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildPage } from "../build.mjs";

const MOST_BYTES = 60_000;

describe("the built page", () => {
	it("is three files of at most 60 kB in all, compressed", async () => {
		const { html, js, css } = await buildPage();
		const sizes = [html, js, css].map((file) => gzipSync(file).length);
		expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_BYTES);
	});

	it("has no inline script or style, and names no other origin", async () => {
		const { html } = await buildPage();
		expect(html).not.toMatch(/<script(?![^>]* src="\/page\/page\.js")|<style| style=| on\w+=|https?:/);
		expect(html).toContain('<link rel="stylesheet" href="/page/page.css">');
	});
});
