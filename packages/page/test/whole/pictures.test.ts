// Pictures of all views while clients work, for the README and the documents. `npm run pictures` keeps them; without it
// they are made as well, looked at and thrown away.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { callerOfKey } from "../../../gateway/src/access/caller.ts";
import { idOfKey } from "../../../gateway/src/access/key-ring.ts";
import { BusyClients } from "../../../gateway/src/cli/busy/play.ts";
import { openStore } from "../../../gateway/src/store/open-store.ts";
import { packageVersion } from "../../../gateway/src/version.ts";
import { startTestGateway } from "../../../gateway/test/kit/gateway.ts";
import { temporaryFolder } from "../../../gateway/test/kit/program.ts";
import { openView, overflow, VIEWS } from "../open-page.ts";
import { pastRows } from "./past-rows.ts";
import { openPage } from "./whole-page.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const KEPT = join(ROOT, "docs/images");
const LOOKS = [
	{ name: "light", colorScheme: "light", width: 1280 },
	{ name: "dark", colorScheme: "dark", width: 1280 },
	{ name: "narrow", colorScheme: "light", width: 390 },
] as const;
const HEIGHT = 800;
/** So that all of a turn is to be seen. */
const TALL = 1_500;
/** Lanes that show something: one speaks while another waits for its tools. */
const TELLING = ".lanes ul:has(.state.waiting):has(.state.streaming)";
const ALL = [...VIEWS, "turn"].flatMap((view) => LOOKS.map((look) => `page-${view}-${look.name}.png`));

it("are there for all views, light, dark and narrow", async () => {
	const folder = process.env.CURSORWIRE_PICTURES === "keep" ? KEPT : temporaryFolder();
	mkdirSync(folder, { recursive: true });
	const clients = new BusyClients();
	const dataDir = temporaryFolder();
	const store = await openStore({ dataDir, warn: expect.fail });
	await store.appendLedger(pastRows(Date.now(), callersOf(clients)));
	for (const [at, pools] of pastReadings(Date.now())) {
		for (const [pool, usedPercent] of Object.entries(pools)) {
			await store.addPoolReading({ at, pool: pool as "auto" | "api", usedPercent });
		}
	}
	await store.close();

	const rig = await startTestGateway({
		emulator: { brain: "busy" },
		passingKeys: clients.keys,
		version: packageVersion(),
		settings: { dataDir },
	});
	const enough = new AbortController();
	const played = clients.play(rig.url, enough.signal);
	const { page, wrong } = await openPage(rig.gateway.pageUrl()!, { viewport: { width: 1280, height: HEIGHT } });
	await page.locator(".finished li").nth(9).waitFor();
	await page.locator(".lane .state.waiting").first().waitFor();
	// Those of today, not those that were there before.
	const today = page.locator(".finished li", { hasText: "sec. ago" });
	await today.nth(9).waitFor();
	const parked = today.filter({ hasText: "parked" }).first();
	const turn = await parked.locator("a").getAttribute("href");
	for (const look of LOOKS) {
		await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: "reduce" });
		await page.setViewportSize({ width: look.width, height: HEIGHT });
		for (const view of VIEWS) {
			await openView(page, view);
			if (view === "now") await page.locator(TELLING).waitFor();
			if (view === "plan") await page.getByRole("button", { name: "7 days" }).click();
			await picture(page, join(folder, `page-${view}-${look.name}.png`));
		}
		await page.setViewportSize({ width: look.width, height: look.name === "narrow" ? HEIGHT : TALL });
		// Where it is narrow the list gives way to the turn.
		await page.evaluate((hash) => {
			location.hash = hash;
		}, turn!);
		await page.getByRole("heading", { name: "Anatomy of the prompt" }).waitFor();
		await picture(page, join(folder, `page-turn-${look.name}.png`));
		expect(await overflow(page)).toBeLessThanOrEqual(0);
	}
	enough.abort();
	await played;
	expect(wrong).toEqual([]);
	const made = readdirSync(folder).filter((name) => ALL.includes(name));
	expect(made.sort()).toEqual([...ALL].sort());
	for (const name of made) expect(readFileSync(join(folder, name)).length, name).toBeGreaterThan(5_000);
});

it("are kept, and shown by the README and the documents", () => {
	const kept = readdirSync(KEPT).filter((name) => name.startsWith("page-"));
	expect(kept.sort()).toEqual([...ALL].sort());
	const texts = ["README.md", "docs/page.md"].map((name) => readFileSync(join(ROOT, name), "utf8")).join("\n");
	for (const name of ALL) expect(texts).toContain(`images/${name}`);
});

/** The plots are drawn a moment after their figures have come. */
async function picture(page: Page, file: string): Promise<void> {
	await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
	writeFileSync(file, await page.screenshot({ fullPage: true, animations: "disabled" }));
}

/** The caller of each client's key, by the name of the client. */
const callersOf = ({ keys }: BusyClients): Map<string, string> =>
	new Map(keys.map(({ name, key }) => [name, callerOfKey({ id: idOfKey(key), name, hash: "", createdAt: 0 }).id]));

/** What Cursor said of both pools on the days before. */
function pastReadings(now: number): [at: number, pools: { auto: number; api: number }][] {
	const DAYS = 12;
	return Array.from({ length: DAYS }, (_, index) => {
		const share = index / DAYS;
		return [now - (DAYS - index) * 86_400_000, { auto: share * 2.3, api: share * share * 15 }];
	});
}
