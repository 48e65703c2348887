import { expect, it } from "vitest";
import { until } from "../../gateway/test/kit/cleanup.ts";
import { openPage, openView } from "./open-page.ts";

it("goes through a hundred thousand turns with the keyboard alone", async () => {
	const { page, fake, wrong } = await openPage({ rows: 100_000 });
	await openView(page, "turns");
	await page.getByText("100,000 turns").waitFor();
	await page.locator("#turn-grid").focus();
	const selected = () => page.locator('.row[aria-selected="true"]').getAttribute("id");
	await page.keyboard.press("j");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("j");
	await page.keyboard.press("k");
	expect(await selected()).toBe("row-1");

	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Turn 99,999" }).waitFor();
	await page.getByRole("heading", { name: "Anatomy of the prompt" }).waitFor();
	await page.keyboard.press("j");
	await page.getByRole("heading", { name: "Turn 99,998" }).waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("heading", { name: "Turn 99,998" }).waitFor({ state: "detached" });

	await page.keyboard.press("End");
	await until(async () => (await selected()) === "row-99999");
	await page.locator("#row-99999 bdi").first().waitFor();
	expect(await page.locator(".all .row").count()).toBeLessThan(100);
	expect(fake.asked.filter((line) => line.startsWith("GET /page/api/turns?"))).toHaveLength(200);

	await page.keyboard.press("/");
	expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SELECT");
	expect(wrong()).toEqual([]);
});

it("asks the gateway for what the filters say, and offers what has come since", async () => {
	const { page, fake } = await openPage({ rows: 300 });
	await openView(page, "turns");
	await page.getByText("300 turns").waitFor();
	await page.getByLabel("Result").selectOption("errors");
	await page.getByLabel("Rung").selectOption("rebuild");
	await until(() => fake.asked.at(-1) === "GET /page/api/turns?path=rebuild&error=1&limit=500");
	await until(async () => (await page.locator(".all .row:not(.failed)").count()) === 0);
	await page.getByRole("button", { name: "Clear" }).click();
	await page.getByText("300 turns").waitFor();

	const { turnRow } = await import("../dev/data.ts");
	fake.change({ finished: [turnRow(301, 301, Date.now())] });
	await page.getByRole("button", { name: "1 new" }).waitFor();
});

it("leads from what was used to the turns that used it", async () => {
	const { page, fake, wrong } = await openPage({ rows: 300 });
	for (const what of ["client", "model", "conversation"]) {
		await openView(page, "plan");
		const link = page
			.getByRole("region", { name: `By ${what}` })
			.getByRole("link")
			.first();
		const name = (await link.textContent())!;
		await link.focus();
		await page.keyboard.press("Enter");
		await page.getByRole("region", { name: "List of turns" }).waitFor();
		await until(() => fake.asked.at(-1) === `GET /page/api/turns?${new URLSearchParams({ [what]: name })}&limit=500`);
	}
	await page.getByText("conversation ").waitFor();
	await page.getByRole("button", { name: "Clear" }).click();
	await until(() => fake.asked.at(-1) === "GET /page/api/turns?limit=500");
	expect(new URL(page.url()).hash).toBe("#/turns");
	expect(wrong()).toEqual([]);
});

it("says that a turn is not there", async () => {
	const { page } = await openPage({ rows: 5 });
	await openView(page, "turns/77");
	await page.getByText("There is no such turn. Look at the list of turns.").waitFor();
});
