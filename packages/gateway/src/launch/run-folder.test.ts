import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/kit/program.ts";
import { aliveAddress } from "./alive-signal.ts";
import { leftRunFolders, RunFolder, removeRunFolder, runFoldersIn } from "./run-folder.ts";

const HOUR = 3_600_000;

it("keeps files that nobody else can read, and takes everything away", async () => {
	const dataDir = temporaryFolder();
	const [one, other] = [await RunFolder.make(dataDir, "one"), await RunFolder.make(dataDir, "other")];
	const file = join(one.path, "config", "settings.json");
	one.write({ [file]: "{}" });
	expect(readFileSync(file, "utf8")).toBe("{}");
	if (process.getuid) {
		expect(statSync(file).mode & 0o777).toBe(0o600);
		for (const folder of [one.path, join(one.path, "config")]) expect(statSync(folder).mode & 0o777).toBe(0o700);
	}
	expect(await leftRunFolders(dataDir, Date.now() + HOUR)).toEqual([]);
	one.remove();
	expect(readdirSync(runFoldersIn(dataDir))).toEqual(["other"]);
	other.remove();
	expect(readdirSync(dataDir)).toEqual([]);
});

it("finds the folder of a process that was killed, and not that of one that begins", async () => {
	const dataDir = temporaryFolder();
	const module = fileURLToPath(new URL("./run-folder.ts", import.meta.url));
	const script = `const { RunFolder } = await import(${JSON.stringify(module)});
		const folder = await RunFolder.make(${JSON.stringify(dataDir)}, "killed");
		setInterval(() => {}, 1000);
		console.log(folder.path);`;
	const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [path] = (await once(child.stdout, "data")).map((text) => String(text).trim());
	expect(await leftRunFolders(dataDir, Date.now() + HOUR)).toEqual([]);
	child.kill("SIGKILL");
	await once(child, "exit");
	const beginning = join(runFoldersIn(dataDir), "beginning");
	mkdirSync(beginning);
	expect(await leftRunFolders(dataDir, Date.now())).toEqual([{ name: "killed", path }]);
	utimesSync(beginning, 0, (Date.now() - HOUR) / 1000);
	expect((await leftRunFolders(dataDir, Date.now())).map(({ name }) => name).sort()).toEqual(["beginning", "killed"]);
	removeRunFolder(path!);
	expect(existsSync(path!)).toBe(false);
	expect(await leftRunFolders(join(dataDir, "nowhere"), Date.now())).toEqual([]);
});

it("has an address that every system takes", () => {
	expect(aliveAddress("/data/launch/x", "x", "linux")).toBe(join("/data/launch/x", "alive"));
	expect(Buffer.byteLength(aliveAddress(`/${"long/".repeat(40)}x`, "x", "darwin"))).toBeLessThan(100);
	expect(aliveAddress("C:\\data\\launch\\x", "x", "win32")).toBe("\\\\.\\pipe\\cursorwire-launch-x");
});
