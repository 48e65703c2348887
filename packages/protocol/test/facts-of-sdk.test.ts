// The facts are what the SDKs say that they name as their sources. They are fetched where the cache has no copy yet.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("facts.json is what the extractor finds", () => {
	const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/facts.mjs", "--check"], {
		cwd: fileURLToPath(new URL("../../../", import.meta.url)),
		encoding: "utf8",
	});
	expect(stderr).toBe("");
	expect(stdout).toContain("facts.json is what @cursor/sdk 1.0.32 and 1.0.18 say");
	expect(status).toBe(0);
});
