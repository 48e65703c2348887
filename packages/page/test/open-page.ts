// The page in a real browser, in front of the stand-in for the gateway.
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openProfile } from "../../gateway/test/kit/browser.ts";
import { closing } from "../../gateway/test/kit/cleanup.ts";
import { type Fake, type FakeOptions, startFake } from "../dev/fake.ts";

interface Opened {
	fake: Fake;
	page: Page;
	/** What went wrong: errors of the script, breaches of the policy, requests to other origins. */
	wrong: () => string[];
}

/** In a profile of its own. */
export async function openPage(options: FakeOptions, settings: BrowserContextOptions = {}): Promise<Opened> {
	const fake = closing(await startFake(options));
	const page = await (await openProfile(settings)).newPage();
	const seen: string[] = [];
	page.on("pageerror", (error) => seen.push(String(error)));
	page.on("request", (request) => {
		if (!/^(blob:)?http:\/\/127\.0\.0\.1:/.test(request.url()) || !request.url().includes(fake.origin)) {
			seen.push(`asked ${request.url()}`);
		}
	});
	await page.goto(fake.link);
	await page.getByRole("navigation", { name: "Views" }).waitFor();
	return { fake, page, wrong: () => [...seen, ...fake.cspReports] };
}

export const VIEWS = ["now", "plan", "turns", "models", "clients", "health"];

/** Opens a view, and returns when its figures are there. */
export async function openView(page: Page, name: string): Promise<void> {
	await page.evaluate((hash) => {
		location.hash = hash;
	}, `#/${name}`);
	await page
		.locator(`main.${name.split("/")[0]} :is(.panel, .strip)`)
		.first()
		.waitFor();
	await page.getByText(/^(Loading|Connecting to the gateway)…$/).waitFor({ state: "detached" });
}

/** Serious findings of axe, in a line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	const { violations } = await page.evaluate(() =>
		(globalThis as unknown as { axe: typeof axe }).axe.run(document, {
			runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
			resultTypes: ["violations"],
		}),
	);
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** By how many pixels the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The names of tables that are wider than their place, so that a part of them is out of sight. */
export const cutTables = (page: Page): Promise<(string | null)[]> =>
	page
		.locator(".scroll")
		.evaluateAll((all) =>
			all
				.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
				.map((place) => place.getAttribute("aria-label")),
		);
