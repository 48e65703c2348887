// Runs some tests of one file and tells whether they are green, red, or did not get to run at all.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIMIT_MILLISECONDS = 10 * 60_000;

/** @returns {{ verdict: "green" | "red" | "broken", told: string, names: string[] }} `names`: of the tests that ran */
export function runTests(file, title) {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-mutants-"));
	const report = join(folder, "vitest.json");
	try {
		const args = ["run", file, "-t", title, "--bail=1", "--reporter=json", `--outputFile.json=${report}`];
		const { stdout, stderr, signal } = spawnSync(join("node_modules", ".bin", "vitest"), args, {
			encoding: "utf8",
			timeout: LIMIT_MILLISECONDS,
		});
		// Ctrl-C goes to the tests as well; without them there is nothing to judge.
		if (signal === "SIGINT") process.exit(130);
		return judge(readReport(report), `${stdout}${stderr}`.slice(-3000));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function readReport(report) {
	try {
		return JSON.parse(readFileSync(report, "utf8"));
	} catch {
		return undefined;
	}
}

/** Only a failed test counts as red: a file that cannot be loaded, or a title that fits no test, proves nothing. */
function judge(report, output) {
	const tests = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
	const ran = tests.filter(({ status }) => status === "passed" || status === "failed");
	const names = ran.map(({ fullName }) => fullName);
	const failed = ran.filter(({ status }) => status === "failed");
	const told =
		failed
			.flatMap(({ failureMessages }) => failureMessages)
			.join("\n")
			.slice(0, 2000) || output;
	if (failed.length > 0) return { verdict: isSyntaxError(told) ? "broken" : "red", told, names };
	return { verdict: ran.length > 0 && report.success ? "green" : "broken", told, names };
}

/** The program as a child process fails to start where the mistake is none of meaning but of spelling. */
const isSyntaxError = (told) => /SyntaxError|Transform failed|ERR_MODULE_NOT_FOUND/.test(told);
