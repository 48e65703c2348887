// Each view with nothing, with one turn and with a hundred thousand, in all sizes and colours.
import { describe, expect, it } from "vitest";
import { cutTables, openPage, openView, overflow, seriousFindings, VIEWS } from "./open-page.ts";

describe.each([
	["nothing", { rows: 0 }],
	["one turn", { rows: 1 }],
	["a hundred thousand turns and names that try to break it", { rows: 100_000, isNasty: true }],
])("with %s, the page", (_name, options) => {
	it("shows every view, from 320 pixels to 4K, with names that stay names", async () => {
		const { page, wrong } = await openPage(options);
		for (const view of [...VIEWS, ...(options.rows === 0 ? [] : ["turns/1"])]) {
			await openView(page, view);
			for (const width of [320, 3840]) {
				await page.setViewportSize({ width, height: 800 });
				expect(await overflow(page), `${view}, ${width} pixels`).toBeLessThanOrEqual(0);
				expect(await cutTables(page), `${view}, ${width} pixels`).toEqual([]);
			}
			expect(await page.locator("img, main script, main iframe").count(), view).toBe(0);
		}
		expect(wrong()).toEqual([]);
		expect(await page.title()).toContain("Cursorwire");
	});
});

describe.each(["light", "dark"] as const)("in %s, axe", (colorScheme) => {
	it("finds nothing serious on any view, nor on the page without a session", async () => {
		const { page, fake } = await openPage({ rows: 1000 }, { colorScheme });
		for (const view of [...VIEWS, "turns/990"]) {
			await openView(page, view);
			expect(await seriousFindings(page), view).toEqual([]);
		}
		fake.endSessions();
		await page.getByText("The session is over").waitFor();
		expect(await seriousFindings(page)).toEqual([]);
	});
});

it("moves only where motion is welcome", async () => {
	const { page } = await openPage({ rows: 2 });
	const moving = () => page.evaluate(() => document.getAnimations().length);
	await page.locator(".lane .state.streaming").waitFor();
	expect(await moving()).toBeGreaterThan(0);
	await page.emulateMedia({ reducedMotion: "reduce" });
	expect(await moving()).toBe(0);
});

it("shows names of models, clients and tools as they are, escaped and set apart", async () => {
	const { page } = await openPage({ rows: 2, isNasty: true });
	const name = page.locator("bdi", { hasText: "<img src=x" }).first();
	await name.waitFor();
	expect(await name.textContent()).toBe(`<img src=x onerror="document.title='broken'"> \\u202egnp.exe\\u0007`);
});
