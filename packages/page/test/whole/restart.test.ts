// What the page and the ledger say after a gateway was killed and started again: every turn, and none twice.

import { createServer } from "node:net";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../../gateway/test/kit/cleanup.ts";
import { runProgram, temporaryFolder } from "../../../gateway/test/kit/program.ts";
import { type Served, serve } from "../../../gateway/test/kit/served.ts";
import { newCode } from "../../../gateway/test/page/page-client.ts";
import { openPage } from "./whole-page.ts";

/** The page keeps its address, so every start has to have the same port. */
async function freePort(): Promise<string> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as { port: number };
	await new Promise((resolve) => server.close(resolve));
	return String(port);
}

const turn = async (gateway: Served, name: string) => {
	const response = await gateway.ask({ model: name, messages: [{ role: "user", content: "hello" }] });
	await response.text();
	return response.status;
};

/** As `cursorwire open` does it. */
async function addressOf(gateway: Served): Promise<string> {
	const post = (path: string, body: unknown) =>
		fetch(`${gateway.url}${path}`, {
			method: "POST",
			body: JSON.stringify(body),
			headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
		});
	return `${gateway.url}/#${await newCode({ post })}`;
}

it("shows each turn once after a stop, after kill -9 and over both, and says which command opens the page again", async () => {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const port = await freePort();
	const start = () => serve({ upstream: emulator.url, dataDir, flags: ["--log-level", "silent", "--port", port] });
	const seen = () => page.locator(".finished .turnline .model").allTextContents();

	let gateway = await start();
	const { page } = await openPage(await addressOf(gateway));
	// Names that nobody has tell the turns apart.
	const names: string[] = [];
	for (const [round, signal] of (["SIGTERM", "SIGKILL"] as const).entries()) {
		for (let index = 0; index < 3; index++) {
			const name = `model-${round}-${index}`;
			expect(await turn(gateway, name)).toBe(404);
			names.unshift(name);
		}
		// A turn is on the page when its row is written.
		await until(async () => (await seen()).length >= names.length);
		expect(await seen()).toEqual(names);
		gateway.program.child.kill(signal);
		await gateway.program.ended;
		await page.locator(".connection.reconnecting").waitFor();
		gateway = await start();
		await page.getByText("The session is over").waitFor();
		await page.getByText(/ open$/).waitFor();
		// The same document, so nothing is loaded again: the page itself takes the new code.
		await page.goto(await addressOf(gateway));
		await until(async () => (await seen()).length >= names.length);
		expect(await seen()).toEqual(names);
	}
	await page.getByRole("link", { name: "All turns" }).click();
	await page.getByText(`${names.length} turns`).waitFor();

	const { out } = await runProgram(["usage", "--since", "1d", "--csv"], { CURSORWIRE_DATA_DIR: dataDir });
	const rows = out.trim().split("\n").slice(1);
	expect(rows).toHaveLength(names.length);
	for (const name of names)
		expect(
			rows.filter((row) => row.includes(name)),
			name,
		).toHaveLength(1);
});

it("refuses an address that was used before", async () => {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const gateway = await serve({ upstream: emulator.url, dataDir: temporaryFolder(), flags: ["--log-level", "silent"] });
	const address = await addressOf(gateway);
	const { page } = await openPage(address);
	const other = await page.context().newPage();
	await other.goto(address);
	await other.getByText("This link was used before").waitFor();
	await other.getByText("cursorwire open").waitFor();
	expect(await other.evaluate(() => sessionStorage.length)).toBe(0);
	// The first tab goes on.
	await page.locator(".connection.live").waitFor();
});
