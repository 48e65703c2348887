import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/kit/program.ts";
import { endLeftBehind } from "./left-behind.ts";

// With a real /proc, and processes of real launches: packages/gateway/test/cli/left-behind.test.ts.

/** A /proc in which this process has the number `self`, beside a process with the mark that ends with its input. */
async function marked(self: number) {
	const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "inherit"] });
	await once(child, "spawn");
	const proc = temporaryFolder();
	const add = (name: string, files: Record<string, string>) => {
		mkdirSync(join(proc, name));
		for (const [file, text] of Object.entries(files)) writeFileSync(join(proc, name, file), text);
	};
	const stat = (pid: number) => `${pid} (a) S 1 (b) S 1 77 77 0`;
	add("self", { stat: stat(self) });
	add(String(child.pid), { stat: stat(child.pid!), environ: "A=b\0CURSORWIRE_LAUNCH=mark\0" });
	// Those of another user, and one that goes away just now.
	add("1", { stat: stat(1) });
	add("2", {});
	const ended = once(child, "exit").finally(() => rmSync(join(proc, String(child.pid)), { recursive: true }));
	return { proc, child, ended };
}

it.skipIf(process.platform === "win32")("is ended, whatever else cannot be read", async () => {
	const { proc, ended } = await marked(process.pid);
	await endLeftBehind("mark", proc);
	expect(await ended).toEqual([null, "SIGTERM"]);
});

it("goes on where there is no /proc, or only one whose numbers mean other processes", async () => {
	const { proc, child, ended } = await marked(process.pid + 1);
	await endLeftBehind("mark", proc);
	await endLeftBehind("mark", join(proc, "nowhere"));
	child.stdin!.end();
	expect(await ended).toEqual([0, null]);
});
