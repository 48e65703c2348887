// The page in a real browser, in front of the real gateway, with the emulator behind it.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { launchBrowser } from "../../../gateway/test/kit/browser.ts";

interface WholePage {
	page: Page;
	/** Errors of the script, what the policy refused, requests to other origins. */
	wrong: string[];
}

type OpenWhole = (address: string, settings?: BrowserContextOptions) => Promise<WholePage>;

/** One browser for all tests of a file, and a profile of its own for each page. `address` is what `cursorwire open` prints. */
export function useWholePage(): OpenWhole {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchBrowser();
	});
	afterAll(() => browser.close());
	return async (address, settings = {}) => {
		const context = await browser.newContext(settings);
		onTestFinished(() => context.close());
		const page = await context.newPage();
		const wrong = watch(page, new URL(address).origin);
		await page.goto(address);
		await page.getByRole("navigation", { name: "Views" }).waitFor();
		await page.locator(".connection.live").waitFor();
		return { page, wrong };
	};
}

function watch(page: Page, origin: string): string[] {
	const wrong: string[] = [];
	page.on("pageerror", (error) => wrong.push(String(error)));
	// What the policy refuses is told here and nowhere else: the gateway takes no reports.
	page.on("console", (message) => {
		if (/content security policy|trusted ?type|refused to/i.test(message.text())) wrong.push(message.text());
	});
	page.on("request", (request) => {
		if (new URL(request.url().replace(/^blob:/, "")).origin !== origin) wrong.push(`asked ${request.url()}`);
	});
	return wrong;
}
