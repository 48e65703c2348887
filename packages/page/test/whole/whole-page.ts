// The page in a real browser, in front of the real gateway, with the emulator behind it.
import type { BrowserContextOptions, Page } from "playwright-core";
import { openProfile } from "../../../gateway/test/kit/browser.ts";

interface WholePage {
	page: Page;
	/** Errors of the script, what the policy refused, requests to other origins. */
	wrong: string[];
}

/** In a profile of its own. `address` is what `cursorwire open` prints. */
export async function openPage(address: string, settings: BrowserContextOptions = {}): Promise<WholePage> {
	const page = await (await openProfile(settings)).newPage();
	const wrong = watch(page, new URL(address).origin);
	await page.goto(address);
	await page.getByRole("navigation", { name: "Views" }).waitFor();
	await page.locator(".connection.live").waitFor();
	return { page, wrong };
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
