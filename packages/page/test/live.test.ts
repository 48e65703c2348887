import { expect, it } from "vitest";
import { until } from "../../gateway/test/kit/cleanup.ts";
import { lanes, turnRow } from "../dev/data.ts";
import { openPage } from "./open-page.ts";

it("shows a turn pass through all states, wait for tools, and end with its error", async () => {
	const { page, fake, wrong } = await openPage({ rows: 0 });
	await page.getByText("Nothing runs at the moment").waitFor();
	const lane = { ...lanes(Date.now(), false)[0]!, id: "req_1", model: "composer-1", answered: "composer-1" };
	const words = {
		connecting: "connecting",
		thinking: "thinking",
		streaming: "streaming",
		tool: "calling a tool",
		waiting: "waiting for tools",
		retrying: "retrying",
	};
	for (const [index, [state, word]] of Object.entries(words).entries()) {
		const tools = state === "waiting" ? ["Bash", "Read"] : undefined;
		fake.change({ lanes: [{ ...lane, state: state as keyof typeof words, tools, stateSince: Date.now() + index }] });
		await page.locator(".lane .state", { hasText: word }).waitFor();
		if (tools !== undefined) await page.locator(".lane .tag", { hasText: "Read" }).waitFor();
		await until(async () => (await page.locator("output.unseen").textContent())?.includes(word) ?? false);
	}
	expect(await page.locator(".lane .track rect:not(.ground)").count()).toBeGreaterThanOrEqual(6);

	const failed = {
		...turnRow(7, 9, Date.now()),
		id: 7,
		errorKind: "upstream-cut",
		status: 502,
		nextStep: "Send it again.",
	};
	fake.change({ gone: ["req_1"], finished: [{ ...failed, errorMeaning: "The reply broke off." }] });
	await page.getByText("Nothing runs at the moment").waitFor();
	const row = page.locator(".finished li.failed");
	expect(await row.textContent()).toMatch(/502.*Upstream cut.*The reply broke off\..*Send it again\./);
	expect(wrong()).toEqual([]);
});

it("stops a turn after one question, with the keyboard alone", async () => {
	const { page, fake } = await openPage({ rows: 2 });
	const stop = page.getByRole("button", { name: /^Stop claude-4.5-sonnet/ }).first();
	await stop.focus();
	await page.keyboard.press("Enter");
	await page.locator("button.danger:focus").waitFor();
	await page.keyboard.press("Escape");
	await stop.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Stop it" }).waitFor();
	expect(fake.asked.filter((line) => line.endsWith("/stop"))).toEqual([]);
	await page.keyboard.press("Enter");
	await until(async () => (await page.locator(".lane").count()) === 5);
	expect(fake.asked.filter((line) => line.endsWith("/stop"))).toEqual(["POST /page/api/turns/req_live_0/stop"]);
});

it("reconnects after a restart, says so meanwhile, and shows nothing twice", async () => {
	const { page, fake } = await openPage({ rows: 20 });
	await page.locator(".finished li").nth(9).waitFor();
	const finished = [
		turnRow(21, 21, Date.now()),
		...Array.from({ length: 9 }, (_, index) => turnRow(20 - index, 20, Date.now())),
	];
	fake.restart({ gateway: "g2", lanes: [], finished });
	await page.locator(".connection.reconnecting").waitFor();
	await page.locator(".connection.live").waitFor();
	await page.locator('.finished a[href="#/turns/21"]').waitFor();
	fake.change({ finished: finished.slice(0, 2) });
	fake.change({ finished: [turnRow(22, 22, Date.now())] });
	await page.locator('.finished a[href="#/turns/22"]').waitFor();
	const links = await page.locator(".finished li > a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
	expect(links).toEqual(Array.from({ length: 10 }, (_, index) => `#/turns/${22 - index}`));
});
