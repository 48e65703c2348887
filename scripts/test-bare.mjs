// `npm run test:bare [-- --quick | filters]`: the README's two commands on a Debian without extras. It builds a root
// file system with debootstrap, puts Node, npm and a clone of this repository (as committed) into it, and runs there
// `npm install && npm start` and `npm install && npm test`. Quick: a test file for each tool that tests need.
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startInside } from "./bare/inside.mjs";
import { buildRoot } from "./bare/root.mjs";
import { provideTools } from "./tools/provide.mjs";
import { neededTools } from "./tools/test-files.mjs";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const NEEDED = ["debootstrap", "git", "unshare", "chroot"].map((name) => ({ package: name, commands: [name] }));

const args = process.argv.slice(2);
const filters = args.includes("--quick") ? quickFilters() : args;

if (process.getuid?.() !== 0) refuse("it makes a root file system and enters it, which only root may do");
const missing = provideTools(NEEDED).map(({ commands }) => commands[0]);
if (missing.length > 0) refuse(`it needs ${missing.join(", ")}, on Debian`);

const root = mkdtempSync(join(tmpdir(), "cursorwire-bare-"));
// As on any machine: tests that run as another user have to get in.
chmodSync(root, 0o755);
const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop(130));
try {
	console.log("> a Debian without extras");
	buildRoot(REPOSITORY, root);
	await tryDemo();
	await tryTests();
} catch (error) {
	console.log(`\n${error.message}`);
	process.exitCode = 1;
} finally {
	rmSync(root, { recursive: true, force: true });
}

function quickFilters() {
	return ["kit/network/tls", ...neededTools("test").map(({ files }) => files[0])];
}

function refuse(reason) {
	console.log(`test:bare cannot run here: ${reason}.`);
	process.exit(2);
}

async function stop(code) {
	await Promise.all([...running].map(end));
	rmSync(root, { recursive: true, force: true });
	process.exit(code);
}

async function end(child) {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill("SIGKILL");
	await once(child, "close");
}

/** Starts a command inside and shows what it prints; `onOutput` gets all of it so far. */
function start(command, onOutput = () => {}) {
	console.log(`\n> ${command}`);
	const child = startInside(root, command);
	running.add(child);
	child.on("close", () => running.delete(child));
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.on("data", (chunk) => {
			process.stdout.write(chunk);
			output += chunk;
			onOutput(output);
		});
	}
	return { child, output: () => output };
}

/** The demo starts, and answers the request that it prints. */
async function tryDemo() {
	let printed = () => {};
	const request = new Promise((resolve) => {
		printed = (output) => {
			const line = /^ *curl (.*)\n/m.exec(output)?.[1];
			if (line) resolve(line);
		};
	});
	const { child, output } = start("npm install && CURSORWIRE_PORT=0 npm start", printed);
	const line = await Promise.race([request, once(child, "close").then(() => undefined)]);
	if (line === undefined) throw new Error("`npm install && npm start` ended before it printed a request");
	if (/EBADENGINE/.test(output())) throw new Error("`npm install` warns about an engine");
	console.log(`\n${await answerTo(line)}`);
	await end(child);
}

/** What a curl line asks for, without curl: a Debian without extras has none. */
async function answerTo(line) {
	const headers = [...line.matchAll(/-H "([^:"]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]);
	const body = /-d '([^']*)'/.exec(line)?.[1];
	const response = await fetch(line.split(" ")[0], { method: "POST", headers, body });
	const text = await response.text();
	if (response.status !== 200) throw new Error(`the demo answered with ${response.status}: ${text}`);
	return text;
}

async function tryTests() {
	const { child } = start(`npm install && npm test ${filters.length > 0 ? `-- ${filters.join(" ")}` : ""}`);
	const [status] = await once(child, "close");
	if (status !== 0) throw new Error("`npm install && npm test` failed");
}
