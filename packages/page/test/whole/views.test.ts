// Every view of the real gateway: with no turn, with one, and with the ledger of a busy year.

import type { Brain } from "cursorwire-emulator";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openStore } from "../../../gateway/src/store/open-store.ts";
import { until } from "../../../gateway/test/kit/cleanup.ts";
import { ask, tool, user } from "../../../gateway/test/kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../../../gateway/test/kit/gateway.ts";
import { temporaryFolder } from "../../../gateway/test/kit/program.ts";
import { manyRows } from "../../../gateway/test/page/many-rows.ts";
import { ledgerRow } from "../../../gateway/test/store/sample-records.ts";
import { cutTables, openView, overflow, seriousFindings, VIEWS } from "../open-page.ts";
import { openPage } from "./whole-page.ts";

const MANY = 100_000;
const NASTY = `<img src=x onerror="document.title='broken'"> \u202egnp.exe\u0007`;
const MARKUP = "<b>bold</b><img src=x onerror=alert(1)>";
const SHOWN = `<img src=x onerror="document.title='broken'"> \\u202egnp.exe\\u0007`;

async function start(rows: number) {
	const dataDir = temporaryFolder();
	const store = await openStore({ dataDir, warn: expect.fail });
	for (const batch of manyRows(rows, Date.now())) await store.appendLedger(batch);
	await store.close();
	return startTestGateway({ settings: { dataDir } });
}

it.each([
	["no turn", 0],
	["one turn", 1],
	["a hundred thousand turns", MANY],
])(
	"shows all views with %s, from 320 pixels to 4K, in both colours, with nothing serious for axe",
	async (_name, rows) => {
		const rig = await start(rows);
		const { page, wrong } = await openPage(rig.gateway.pageUrl()!);
		for (const view of VIEWS) {
			await openView(page, view);
			for (const [width, colorScheme] of [
				[320, "light"],
				[3840, "dark"],
			] as const) {
				await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
				await page.setViewportSize({ width, height: 800 });
				expect(await overflow(page), `${view}, ${width} pixels`).toBeLessThanOrEqual(0);
				expect(await cutTables(page), `${view}, ${width} pixels`).toEqual([]);
				expect(await seriousFindings(page), `${view}, ${colorScheme}`).toEqual([]);
				expect(await page.evaluate(() => document.getAnimations().length), view).toBe(0);
			}
		}
		expect(wrong).toEqual([]);
	},
);

it("scrolls through a hundred thousand turns, by the wheel and by the keyboard", async () => {
	const rig = await start(MANY);
	const { page, wrong } = await openPage(rig.gateway.pageUrl()!);
	await openView(page, "turns");
	await page.getByText("100,000 turns").waitFor();
	const grid = page.locator("#turn-grid");
	const rowsDrawn = () => page.locator(".all .row").count();
	await grid.hover();
	await page.mouse.wheel(0, 40_000);
	const first = () => page.locator(".all .row").first().getAttribute("id");
	await until(async () => Number((await first())?.split("-")[1]) > 500);
	await page
		.locator(".all .row .model", { hasText: /model-\d/ })
		.first()
		.waitFor();
	await grid.focus();
	await page.keyboard.press("End");
	await page.locator(`#row-${MANY - 1} .model`, { hasText: /model-\d/ }).waitFor();
	expect(await rowsDrawn()).toBeLessThan(100);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Turn 1", exact: true }).waitFor();
	await page.keyboard.press("Escape");
	await page.keyboard.press("Home");
	await page.locator("#row-0 .model").waitFor();
	expect(wrong).toEqual([]);
});

/** What a person can use on the page, in the order of the document, and that it is seen where the focus is. */
const USABLE = 'a[href], button, select, [tabindex="0"]';

/** Presses Tab from the top of the page until everything was reached, and says what was never, or not visibly. */
async function unreached(page: Page): Promise<string[]> {
	const places = page.locator(USABLE);
	const count = await places.count();
	await page.evaluate(() => {
		(document.activeElement as HTMLElement | null)?.blur();
		getSelection()?.removeAllRanges();
	});
	const reached = new Set<number>();
	// The browser's own places come between the end of the page and its top.
	for (let press = 0; press < count + 3; press++) {
		await page.keyboard.press("Tab");
		const at = await page.evaluate((usable) => {
			const now = document.activeElement!;
			const isSeen = getComputedStyle(now).outlineStyle !== "none" && now.getBoundingClientRect().height > 0;
			return isSeen ? [...document.querySelectorAll(usable)].indexOf(now) : -1;
		}, USABLE);
		reached.add(at);
	}
	const all = await places.evaluateAll((found) => found.map((one) => one.outerHTML.slice(0, 120)));
	return all.filter((_, index) => !reached.has(index));
}

it("is used with the keyboard alone: every view is entered, and everything in it reached where it can be seen", async () => {
	const rig = await start(1);
	const { page, wrong } = await openPage(rig.gateway.pageUrl()!);
	for (const view of VIEWS) {
		const link = page.getByRole("link", { name: new RegExp(`^${view}`, "i") }).first();
		while (!(await link.evaluate((one) => one === document.activeElement))) await page.keyboard.press("Tab");
		await page.keyboard.press("Enter");
		await openView(page, view);
		expect(await unreached(page), view).toEqual([]);
	}
	expect(wrong).toEqual([]);
});

it("shows markup, control characters and marks of direction in the names of models and tools as text", async () => {
	const dataDir = temporaryFolder();
	const store = await openStore({ dataDir, warn: expect.fail });
	// An earlier version may have let such a name in.
	await store.appendLedger([ledgerRow({ at: Date.now(), model: NASTY, client: NASTY, tools: NASTY, status: 404 })]);
	await store.close();
	const brain: Brain = async function* (turn) {
		yield { calls: [{ name: turn.tools[0]!.name, arguments: {} }] };
	};
	const rig = await startTestGateway({ emulator: { brain }, settings: { dataDir } });
	const { page, wrong } = await openPage(rig.gateway.pageUrl()!);
	const shown = page.locator(".finished bdi", { hasText: "<img src=x" }).first();
	expect(await shown.textContent()).toBe(SHOWN);
	// This one comes from a client while the page looks.
	await ask(rig, [user("go")], { model: MARKUP });
	await page.locator(".finished bdi", { hasText: MARKUP }).waitFor();
	const answer = await ask(rig, [user("go")], { tools: [tool("look")] });
	expect(answer.calls).toHaveLength(1);
	await page.locator(".lane .tag", { hasText: "look" }).waitFor();
	for (const view of [...VIEWS, "turns/1"]) {
		await openView(page, view);
		expect(await page.locator("img, main b, main script, main iframe").count(), view).toBe(0);
	}
	expect(await page.title()).toContain("Cursorwire");
	expect(wrong).toEqual([]);
});
