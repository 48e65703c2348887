// npm run fixture -- <recording> <name>: a recording, stripped, as a test.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { fileURLToPath } from "node:url";
import { stripRecording } from "./strip-recording.ts";

const [recording, name, ...rest] = process.argv.slice(2);
if (!recording || !name || !/^[a-z0-9-]+$/.test(name) || rest.length > 0) {
	fail("Usage: npm run fixture -- <recording.jsonl> <name-of-lower-case-words>", 2);
}

const file = fileURLToPath(new URL(`../test/fixtures/recordings/${name}.jsonl`, import.meta.url));
if (existsSync(file)) fail(`${file} exists; choose another name, or remove it.`, 2);
try {
	const personal = { [homedir()]: "~", [userInfo().username]: "(user)", [hostname()]: "(host)" };
	writeFileSync(file, stripRecording(readFileSync(recording, "utf8"), personal));
} catch (error) {
	fail(`${recording}: ${(error as Error).message}`, 1);
}
// The first replay takes down what a client sees; from then on it has to stay so.
const test = fileURLToPath(new URL("../test/record/fixtures.test.ts", import.meta.url));
const { status } = spawnSync("npx", ["--no-install", "vitest", "run", test, "-t", name], {
	stdio: "inherit",
	env: { ...process.env, CURSORWIRE_NEW_FIXTURE: name },
});
if (status !== 0) fail(`The replay failed; ${file} is left for you to look at.`, 1);
console.log(`Written: ${file}, and beside it what a client sees. Look through both before you commit them.`);

function fail(message: string, code: number): never {
	console.error(message);
	process.exit(code);
}
