// `service install` from places where a program does not stay, and from a clone.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { BUNDLED_PROGRAM } from "../kit/bundled-program.ts";
import { temporaryFolder } from "../kit/program.ts";

const ROOT = realpathSync(fileURLToPath(new URL("../../../..", import.meta.url)));
const bundled = dirname(dirname(process.env[BUNDLED_PROGRAM]!));

interface Finished {
	code: number;
	out: string;
	err: string;
}

function installService(program: string, home: string, ...flags: string[]): Promise<Finished> {
	const env = { PATH: "/usr/bin:/bin", HOME: home, NO_COLOR: "1" };
	return new Promise((resolve) => {
		execFile(process.execPath, [program, "service", "install", ...flags], { env }, (error, out, err) =>
			resolve({ code: error ? Number(error.code) : 0, out, err }),
		);
	});
}

it.each([[[]], [["--print"]]])("is refused from the cache of npx, with what to do: %j", async (flags) => {
	const home = temporaryFolder();
	const modules = join(home, ".npm", "_npx", "0123456789abcdef", "node_modules");
	mkdirSync(modules, { recursive: true });
	symlinkSync(bundled, join(modules, "cursorwire"));
	const { code, out, err } = await installService(join(modules, "cursorwire/bin/cursorwire.mjs"), home, ...flags);
	expect([code, out]).toEqual([2, ""]);
	expect(err).toMatch(/is in the cache of npx.*`npm run install:global`.*`npm install --global cursorwire`/);
	expect(existsSync(join(home, ".config/systemd"))).toBe(false);
});

it("works from a temporary folder, and says that it may not last", async () => {
	const folder = temporaryFolder();
	cpSync(bundled, join(folder, "cursorwire"), { recursive: true });
	symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
	const program = join(folder, "cursorwire/bin/cursorwire.mjs");
	const { code, out, err } = await installService(program, folder, "--print", "--system", "linux");
	expect(code).toBe(0);
	expect(out).toContain(`"${program}" "serve"`);
	expect(err).toMatch(/^note: the program is in \S+, which the system may empty/m);
});

it("works from a clone, and says which", async () => {
	const program = join(ROOT, "packages/gateway/bin/cursorwire.mjs");
	const { code, out, err } = await installService(program, temporaryFolder(), "--print", "--system", "linux");
	expect(code).toBe(0);
	expect(out).toContain(`"${program}" "serve"`);
	expect(err).toContain(`note: the service runs the clone in ${ROOT} as it is.`);
});
