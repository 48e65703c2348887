import { expect, it } from "vitest";
import { until } from "../../gateway/test/kit/cleanup.ts";
import { openPage } from "./open-page.ts";

it("takes the code out of the address, and keeps the session for this tab", async () => {
	const { page, fake } = await openPage({ rows: 1 });
	expect(page.url()).toBe(`${fake.origin}/`);
	await page.reload();
	await page.getByRole("heading", { name: "Under way" }).waitFor();
	expect(fake.asked.filter((line) => line === "POST /page/api/session")).toHaveLength(1);

	const other = await page.context().newPage();
	await other.goto(fake.link);
	await other.getByText("This link was used before").waitFor();
	expect(await other.getByText("cursorwire open").count()).toBe(1);
});

it("says which command opens it when there is no session, or none any more", async () => {
	const { page, fake } = await openPage({ rows: 1 });
	const other = await page.context().newPage();
	await other.goto(fake.origin);
	await other.getByText("This tab has no session yet.").waitFor();
	await other.getByText("cursorwire open").waitFor();

	fake.endSessions();
	await page.getByText("The session is over").waitFor();
	expect(await page.evaluate(() => sessionStorage.getItem("cursorwire-session"))).toBeNull();
});

it("signs out here and at the gateway", async () => {
	const { page, fake } = await openPage({ rows: 1 });
	await page.getByRole("button", { name: "Sign out" }).click();
	await page.getByText("You have signed out.").waitFor();
	await until(() => fake.asked.includes("DELETE /page/api/session"));
	await page.reload();
	await page.getByText("This tab has no session yet.").waitFor();
});
