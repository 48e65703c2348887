// `npm run coverage`: how much of the sources the unit tests, those beside the sources, run through.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "cursorwire-coverage-"));
try {
	const { status } = spawnSync(
		join("node_modules", ".bin", "vitest"),
		[
			...["run", "/src/", "--reporter=dot", "--coverage.enabled", "--coverage.provider=v8"],
			...["--coverage.include=packages/*/src/**/*.ts", "--coverage.exclude=**/src/gen/**"],
			...["--coverage.reporter=json-summary", `--coverage.reportsDirectory=${folder}`],
		],
		{ stdio: "inherit" },
	);
	const { total } = JSON.parse(readFileSync(join(folder, "coverage-summary.json"), "utf8"));
	console.log(`statements covered by the unit tests: ${total.statements.pct} %`);
	process.exitCode = status ?? 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
