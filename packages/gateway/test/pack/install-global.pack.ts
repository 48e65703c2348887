import { type ExecFileException, execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const NOBODY = 65_534;
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "cursorwire-global-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("npm run install:global", () => {
	const prefix = join(folder, "prefix");
	const elsewhere = join(folder, "elsewhere");
	const options = {
		cwd: elsewhere,
		env: {
			PATH: [join(prefix, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
			HOME: join(folder, "home"),
			CURSORWIRE_PORT: "0",
		},
	};
	let said = "";
	beforeAll(async () => {
		for (const made of [elsewhere, options.env.HOME]) mkdirSync(made);
		said = (await run("npm", ["run", "install:global", "--", "--prefix", prefix, "--prefer-offline"], { cwd: ROOT }))
			.stdout;
	});

	it("says what it installs, where, and that the folder is not on the PATH", () => {
		expect(said).toMatch(/SHA-256 [0-9a-f]{64} {2}cursorwire-\d+\.\d+\.\d+\.tgz/);
		expect(said).toMatch(/SHA-256 [0-9a-f]{64} {2}cursorwire-emulator-/);
		expect(said).toContain(`Installed: ${join(prefix, "bin/cursorwire")} (`);
		expect(said).toContain(`export PATH="${join(prefix, "bin")}:$PATH"`);
	});

	it("puts the program on the PATH, where it says its version", async () => {
		expect((await run("cursorwire", ["--version"], options)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
	});

	it("prints hints that work in another folder", async () => {
		const demo = spawn("cursorwire", ["demo"], { ...options, stdio: ["ignore", "pipe", "inherit"] });
		onTestFinished(() => void demo.kill("SIGKILL"));
		const banner = await new Promise<string>((resolve, reject) => {
			let out = "";
			demo.stdout.on("data", (chunk) => {
				out += chunk;
				if (out.includes("Ctrl-C")) resolve(out);
			});
			demo.once("close", (code) => reject(new Error(`ended with ${code}: ${out}`)));
		});
		const [, hint] = /`(\S+ connect opencode)`/.exec(banner)!;
		expect(hint).toBe("cursorwire connect opencode");
		const { stdout } = await run("/bin/sh", ["-c", `${hint} --print`], options);
		expect(JSON.parse(stdout)).toHaveProperty("provider.cursorwire");
	});

	it("is undone by npm run uninstall:global", async () => {
		await run("npm", ["run", "uninstall:global", "--", "--prefix", prefix], { cwd: ROOT });
		expect(readdirSync(join(prefix, "bin"))).toEqual([]);
	});

	it("says what to do where the prefix cannot be written", async () => {
		const closed = join(folder, "closed");
		mkdirSync(closed);
		chmodSync(folder, 0o755);
		chmodSync(closed, 0o555);
		// Root may write everywhere.
		const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
		const args = ["scripts/install-global.mjs", "--prefix", closed];
		const failed: ExecFileException = await run(process.execPath, args, { cwd: ROOT, ...user }).then(
			() => expect.fail("it should have refused"),
			(error) => error,
		);
		expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('-- --prefix "$HOME/.local"')]);
	});
});
