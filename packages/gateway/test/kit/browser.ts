// A real browser, as Debian ships it.
import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
// @ts-expect-error: a script without types
import { findCommand } from "../../../../scripts/tools/find.mjs";

/** In place of half a minute, which a busy machine exceeds: the test's own limit ends what hangs. */
const NO_LIMIT = 0;

/** Open until the end of the test. */
export async function openBrowser(args: string[] = []): Promise<Browser> {
	const browser = await launchBrowser(args);
	onTestFinished(() => browser.close());
	return browser;
}

/** Headless, with everything off that would talk to the outside. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
	const executablePath: string | undefined = findCommand("chromium");
	if (executablePath === undefined) throw new Error("these tests need chromium: apt-get install chromium");
	const browser = await chromium.launch({
		executablePath,
		timeout: NO_LIMIT,
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
	browser.on("context", (context) => context.setDefaultTimeout(NO_LIMIT));
	return browser;
}
