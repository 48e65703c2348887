// Runs vitest and counts its tests. A file that fails beside others is run once more by itself, so that a busy machine
// does not look like a mistake; what it says then counts, and its name is printed either way. Tools that are missing
// are installed first, or the files that need them are left out and counted.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { chosenWay, provideTools } from "./tools/provide.mjs";
import { neededTools } from "./tools/test-files.mjs";

const PROJECT_TIMES = `--reporter=${join(import.meta.dirname, "project-times.mjs")}`;

/** More failed files than this are no accident of a busy machine. */
const MOST_FILES_TO_REPEAT = 5;

/** The runs that there are, with their options of vitest. */
const OPTIONS = {
	test: [],
	agent: ["--config", "packages/gateway/test/agents/vitest.config.ts"],
	pack: ["--config", "packages/gateway/test/pack/vitest.config.ts"],
};

/**
 * @param {keyof typeof OPTIONS} kind
 * @param {string[]} args which test files, all without any, or further options of vitest
 * @returns {{ passed: number, failed: number, skipped: string[] }} `skipped`: a line for each tool that is missing
 */
export function runVitest(kind, args = []) {
	const missing = provideTools(neededTools(kind, args));
	const skippedFiles = [...new Set(missing.flatMap(({ files }) => files))];
	process.env.CURSORWIRE_TEST_SKIPPED = skippedFiles.join(",");
	// Without this, a selection of which every file is skipped would be a failure.
	const { passed, failed } = runTwice(
		[...OPTIONS[kind], ...(skippedFiles.length > 0 ? ["--passWithNoTests"] : [])],
		args,
	);
	return {
		passed,
		failed: failed + (chosenWay() === "require" ? skippedFiles.length : 0),
		skipped: missing.map(describeMissing),
	};
}

function describeMissing({ files, package: name }) {
	const count = files.length === 1 ? "1 test file" : `${files.length} test files`;
	return `${count} skipped: ${name} is not installed (apt-get install ${name})`;
}

/** The closing lines of a run, the last of which is what programs read. */
export function printTotal({ passed, failed, skipped }) {
	for (const line of skipped) console.log(line);
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

function runTwice(options, filters) {
	const first = runOnce([...options, ...filters]);
	if (first === undefined) return { passed: 0, failed: 1 };
	printFailures("Failed", first);
	if (first.failedFiles.length === 0 || first.failedFiles.length > MOST_FILES_TO_REPEAT) return first;
	console.log("\n> once more, one file at a time");
	const again = runOnce([...options, "--maxWorkers=1", ...first.failedFiles]);
	if (again === undefined) return first;
	printFailures("Failed again, by itself", again);
	const passedInThem = again.passed - first.passedInFailedFiles;
	return { passed: first.passed + passedInThem, failed: again.failed };
}

/** @returns {{ passed: number, failed: number, passedInFailedFiles: number, failedFiles: string[], failures: string[] } | undefined} nothing where vitest wrote no report */
function runOnce(args) {
	const folder = mkdtempSync(join(tmpdir(), "cw-"));
	const temporary = join(folder, "tmp");
	mkdirSync(temporary);
	// Some tests run programs as another user. The names are short, since paths of sockets may not be long.
	chmodSync(folder, 0o755);
	chmodSync(temporary, 0o1777);
	const path = join(folder, "vitest.json");
	// Ctrl-C ends vitest, and this goes on to remove the folder.
	const goOn = () => {};
	process.on("SIGINT", goOn);
	try {
		const { status } = spawnSync(
			join("node_modules", ".bin", "vitest"),
			["run", "--reporter=default", PROJECT_TIMES, "--reporter=json", `--outputFile.json=${path}`, ...args],
			{ stdio: "inherit", env: { ...process.env, TMPDIR: temporary } },
		);
		reportLeftovers(temporary);
		return readReport(JSON.parse(readFileSync(path, "utf8")), status);
	} catch {
		return undefined;
	} finally {
		rmSync(folder, { recursive: true, force: true });
		process.off("SIGINT", goOn);
	}
}

/** Names the folders of ours that a test did not remove, without what makes their names unique. */
function reportLeftovers(folder) {
	const names = readdirSync(folder).filter((name) => name.startsWith("cursorwire-"));
	const kinds = new Set(names.map((name) => name.slice(0, -"-XXXXXX".length)));
	if (kinds.size > 0) console.log(`\nTests left ${names.length} temporary folders behind: ${[...kinds].join(", ")}`);
}

function readReport({ numPassedTests: passed, numFailedTests: failed, testResults }, status) {
	const failedFiles = testResults.filter((file) => file.status === "failed");
	const isFailed = ({ status }) => status === "failed";
	const isPassed = ({ status }) => status === "passed";
	const tests = failedFiles.flatMap(({ assertionResults }) => assertionResults);
	return {
		passed,
		// A file that cannot be loaded, or an unhandled rejection, fails the run without a failed test in it.
		failed: status !== 0 && failed === 0 ? 1 : failed,
		passedInFailedFiles: tests.filter(isPassed).length,
		failedFiles: failedFiles.map(({ name }) => relative(process.cwd(), name)),
		failures: failedFiles.map(({ name, message, assertionResults }) =>
			[
				relative(process.cwd(), name),
				...assertionResults.filter(isFailed).map(describeFailure),
				...(message ? [`  ${message.split("\n")[0]}`] : []),
			].join("\n"),
		),
	};
}

function describeFailure({ fullName, failureMessages }) {
	return `  ${fullName}\n    ${String(failureMessages[0] ?? "").split("\n")[0]}`;
}

function printFailures(title, { failures }) {
	for (const failure of failures) console.log(`\n${title}: ${failure}`);
}
