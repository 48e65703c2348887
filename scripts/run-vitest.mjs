// Runs vitest and counts its tests.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * @param {string[]} args
 * @returns {{ passed: number, failed: number }}
 */
export function runVitest(args) {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-test-"));
	const report = join(folder, "vitest.json");
	const { status } = spawnSync(
		join("node_modules", ".bin", "vitest"),
		["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
		{ stdio: "inherit" },
	);
	try {
		const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, "utf8"));
		// A file that cannot be loaded, or an unhandled rejection, fails the run without a failed test in it.
		return { passed, failed: status !== 0 && failed === 0 ? 1 : failed };
	} catch {
		return { passed: 0, failed: 1 };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
