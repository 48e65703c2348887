import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const FORMATTED = "export const count: number = 1;\n";

describe("the hook in .githooks", () => {
	let clone: string;
	const git = (...args: string[]) => {
		const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
		const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd: clone, encoding: "utf8" });
		return { status, text: stdout + stderr };
	};
	/** Writes a file and commits it; the hook decides. */
	function commit(name: string, text: string) {
		writeFileSync(join(clone, name), text);
		git("add", name);
		const outcome = git("commit", "-m", "x");
		if (outcome.status !== 0) git("rm", "--force", "--quiet", name);
		return outcome;
	}

	beforeAll(() => {
		clone = mkdtempSync(join(tmpdir(), "cursorwire-hook-"));
		cpSync(join(ROOT, ".githooks"), join(clone, ".githooks"), { recursive: true });
		cpSync(join(ROOT, "biome.json"), join(clone, "biome.json"));
		symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
		const options = { strict: true, noEmit: true, types: [], skipLibCheck: true };
		writeFileSync(join(clone, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
		writeFileSync(join(clone, ".gitignore"), "node_modules\n.cache/\n");
		git("init", "--quiet");
		git("config", "core.hooksPath", ".githooks");
	});

	afterAll(() => rmSync(clone, { recursive: true, force: true }));

	it("lets through what is in order", () => {
		expect(commit("good.ts", FORMATTED)).toMatchObject({ status: 0 });
		expect(commit("notes.md", "some  words\n")).toMatchObject({ status: 0 });
	});

	it("refuses what is not formatted", () => {
		const { status, text } = commit("unformatted.ts", "export const  count=1\n");
		expect(status).not.toBe(0);
		expect(text).toContain("unformatted.ts");
	});

	it("refuses what the type checker refuses, also in another file", () => {
		const { status, text } = commit(
			"bad.ts",
			`import { count } from "./good";\n\nexport const word: string = count;\n`,
		);
		expect(status).not.toBe(0);
		expect(text).toContain("TS2322");
	});
});
