// A real browser, as Debian ships it.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";

const EXECUTABLE = "/usr/bin/chromium";

/** Headless, with everything off that would talk to the outside. */
export async function openBrowser(args: string[] = []): Promise<Browser> {
	if (!existsSync(EXECUTABLE)) throw new Error("these tests need chromium: apt-get install chromium");
	const browser = await chromium.launch({
		executablePath: EXECUTABLE,
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
