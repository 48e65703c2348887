// A real browser, as Debian ships it.
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
// @ts-expect-error: a script without types
import { findCommand } from "../../../../scripts/tools/find.mjs";

/** In place of half a minute, which a busy machine exceeds: the test's own limit ends what hangs. */
const NO_LIMIT = 0;

/**
 * Names of sites lead to this machine. Newer browsers ask before a page of a site reaches it; that is a help, and not
 * what the tests rely upon.
 */
export const LED_HERE = ["--host-resolver-rules=MAP *.test 127.0.0.1", "--disable-features=LocalNetworkAccessChecks"];

const browsers = new Map<string, Promise<Browser>>();

/** A profile of its own until the end of the test. All tests of a worker that want the same browser share it. */
export async function openProfile(settings: BrowserContextOptions = {}, args: string[] = []): Promise<BrowserContext> {
	const context = await (await browserWith(args)).newContext(settings);
	onTestFinished(() => context.close());
	context.setDefaultTimeout(NO_LIMIT);
	return context;
}

/** Ends with the worker. One that has crashed is replaced. */
async function browserWith(args: string[]): Promise<Browser> {
	const name = args.join(" ");
	const known = await browsers.get(name);
	if (!known?.isConnected()) browsers.set(name, launchBrowser(args));
	return (await browsers.get(name))!;
}

/** Headless, with everything off that would talk to the outside. */
async function launchBrowser(args: string[]): Promise<Browser> {
	const executablePath: string | undefined = findCommand("chromium");
	if (executablePath === undefined) throw new Error("these tests need chromium: apt-get install chromium");
	return chromium.launch({
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
}
