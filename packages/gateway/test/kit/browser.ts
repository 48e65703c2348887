// A real browser, as Debian ships it.
import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
// @ts-expect-error: a script without types
import { findCommand } from "../../../../scripts/tools/find.mjs";

/** Headless, with everything off that would talk to the outside. */
export async function openBrowser(args: string[] = []): Promise<Browser> {
	const executablePath: string | undefined = findCommand("chromium");
	if (executablePath === undefined) throw new Error("these tests need chromium: apt-get install chromium");
	const browser = await chromium.launch({
		executablePath,
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
			...args,
		],
	});
	onTestFinished(() => browser.close());
	return browser;
}
