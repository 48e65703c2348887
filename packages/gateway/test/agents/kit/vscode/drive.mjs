// VS Code without a screen: its server, a browser that shows it to nobody, and an extension that uses its Chat as a user
// does. `node drive.mjs SERVER FOLDER JOB` prints what the extension reports, a line of JSON for each thing.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [node, server, folder, job] = process.argv.slice(2);
const { HOME: home } = process.env;
const report = join(home, "report.jsonl");
const extensions = join(home, "extensions");
mkdirSync(extensions, { recursive: true });
cpSync(fileURLToPath(new URL("extension", import.meta.url)), join(extensions, "cursorwire.driver-1.0.0"), {
	recursive: true,
});

const vscode = spawn(
	node,
	[
		...[server, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms"],
		...["--telemetry-level", "off", "--disable-workspace-trust", "--disable-experiments"],
		// Where VS Code has its settings on a desktop.
		...["--user-data-dir", join(home, ".config", "Code"), "--extensions-dir", extensions, "--default-folder", folder],
	],
	{
		stdio: ["ignore", "pipe", "ignore"],
		env: { ...process.env, CURSORWIRE_TEST_VSCODE: JSON.stringify({ ...JSON.parse(job), report }) },
	},
);
const url = await new Promise((resolve, reject) => {
	let said = "";
	vscode.stdout.setEncoding("utf8").on("data", (chunk) => {
		said += chunk;
		const port = /Extension host agent listening on (\d+)/.exec(said)?.[1];
		if (port) resolve(`http://127.0.0.1:${port}/`);
	});
	vscode.once("exit", () => reject(new Error(`VS Code ended: ${said}`)));
});

const browser = await chromium.launch({
	executablePath: process.env.CURSORWIRE_TEST_CHROMIUM,
	timeout: 0,
	args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const page = await browser.newPage();
await page.goto(url, { timeout: 0, waitUntil: "commit" });

// Whoever started this has a limit for what hangs.
const isOver = () => existsSync(report) && /"(done|failed)":/.test(readFileSync(report, "utf8"));
while (!isOver()) await pause(100);
console.log(readFileSync(report, "utf8"));
await browser.close();
vscode.kill();
process.exitCode = readFileSync(report, "utf8").includes('"failed":') ? 1 : 0;
