import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { until } from "../../gateway/test/kit/cleanup.ts";
import { openPage, openView } from "./open-page.ts";

const PLOTS = [
	"Auto pool burn-down",
	"API pool burn-down",
	"Tokens a day",
	"Time to the first token",
	"Share of rungs",
	"Hours and weekdays",
];

it("has a table behind every plot, which the keyboard reaches and the clipboard takes", async () => {
	const { page } = await openPage({ rows: 100 }, { permissions: ["clipboard-read", "clipboard-write"] });
	await openView(page, "plan");
	for (const plot of PLOTS) {
		await page.getByRole("button", { name: `${plot} as a table`, exact: true }).focus();
		await page.keyboard.press("Enter");
		await page.getByRole("table", { name: plot }).waitFor();
		await page.getByRole("button", { name: `Copy ${plot} as a table` }).focus();
		await page.keyboard.press("Enter");
		const rows = await page.getByRole("table", { name: plot }).getByRole("row").count();
		const copied = () => page.evaluate(() => navigator.clipboard.readText());
		await until(async () => (await copied()).split("\n").length === rows);
	}
	await openView(page, "turns/50");
	await page.getByRole("button", { name: "Conversation as a table", exact: true }).click();
	await page.getByRole("table", { name: "Conversation" }).waitFor();
});

it("shows a view that was seen before at once, until the session is over", async () => {
	const { page, fake } = await openPage({ rows: 100 });
	await openView(page, "models");
	await openView(page, "now");
	// From here on it is never answered.
	await page.route("**/page/api/models", () => {});
	await page.getByRole("link", { name: "Models" }).click();
	await page.getByRole("table", { name: "Models" }).waitFor();
	fake.endSessions();
	await page.getByText("The session is over").waitFor();
});

it("measures what a stretch of work costs, over a reload too", async () => {
	const { page, fake } = await openPage({ rows: 100 });
	await openView(page, "plan");
	await page.getByRole("button", { name: "Start" }).click();
	await page.getByRole("button", { name: "Stop" }).waitFor();
	await page.reload();
	await openView(page, "plan");
	await page.getByRole("button", { name: "Stop" }).click();
	await page.getByText(/^API pool: 0.% of the pool, \$0\.00$/).waitFor();
	expect(fake.asked.filter((line) => line.startsWith("GET /page/api/totals?since="))).toHaveLength(2);
});

it("draws a bar for each limit that has a figure, for all and by key", async () => {
	const { page } = await openPage({ rows: 10 });
	await openView(page, "plan");
	const panel = page.locator(".limits");
	await panel.getByRole("img", { name: /^1M tokens\/day on claude-\*: 84/ }).waitFor();
	expect(await panel.getByRole("img").count()).toBe(3);
	const rows = await panel.locator("li").allInnerTexts();
	expect(rows[0]).toMatch(/codex[\s\S]*840K of 1M tokens, 84.%, anew in 5 hr/);
	expect(rows[1]).toMatch(/76\.2.% of 80.%, anew in 11 days/);
	expect(rows[2]).toContain("each by itself");
	expect(rows[3]).toContain("paused");
	await openView(page, "clients");
	expect(
		await page
			.getByRole("row", { name: /^codex/ })
			.getByRole("img")
			.count(),
	).toBe(1);
	await page.getByRole("button", { name: "Copy the command that launches Codex" }).waitFor();
});

it("downloads the report with the session", async () => {
	const { page, wrong } = await openPage({ rows: 1 });
	await openView(page, "health");
	const [download] = await Promise.all([
		page.waitForEvent("download"),
		page.getByRole("button", { name: "Download the report" }).click(),
	]);
	expect(download.suggestedFilename()).toBe("cursorwire-report.txt");
	expect(await readFile(await download.path(), "utf8")).toBe("The masked report.\n");
	expect(wrong()).toEqual([]);
});

it("switches between light and dark, and remembers it", async () => {
	const { page } = await openPage({ rows: 1 }, { colorScheme: "light" });
	const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await ground();
	const button = page.getByRole("button", { name: /^◐? ?Colours:/ });
	await button.click();
	expect(await ground()).toBe(light);
	await button.click();
	const dark = await ground();
	expect(dark).not.toBe(light);
	await page.reload();
	await button.waitFor();
	expect(await ground()).toBe(dark);
});
