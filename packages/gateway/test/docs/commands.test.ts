import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "cursorwire-emulator";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cursorwire-docs-"));
const running: ChildProcess[] = [];
afterAll(() => {
	for (const child of running) stop(child);
	rmSync(folder, { recursive: true, force: true });
});

const DOCUMENTS = [
	...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
	...readdirSync(join(ROOT, "docs"), { recursive: true })
		.map(String)
		.filter((name) => name.endsWith(".md"))
		.map((name) => join("docs", name)),
];

interface Block {
	document: string;
	language: string;
	text: string;
}

const blocks: Block[] = DOCUMENTS.flatMap((document) => {
	const text = readFileSync(join(ROOT, document), "utf8");
	return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => ({
		document,
		language: language!,
		text: body!,
	}));
});
const ofLanguage = (language: string) => blocks.filter((block) => block.language === language);

/** A process group, so that what npm and npx start ends with it. */
function start(command: string, cwd = ROOT, env: Record<string, string> = {}): ChildProcess {
	const child = spawn("/bin/sh", ["-c", command], { cwd, env: { ...process.env, ...env }, detached: true });
	running.push(child);
	return child;
}

function stop(child: ChildProcess): void {
	try {
		process.kill(-child.pid!, "SIGTERM");
	} catch {
		// It has ended by itself.
	}
}

function ended(child: ChildProcess): Promise<number | null> {
	child.stdout?.resume();
	child.stderr?.resume();
	return new Promise((resolve) => child.on("close", resolve));
}

/** The first URL that a server prints. */
function readyUrl(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		let out = "";
		child.stdout?.on("data", (chunk) => {
			out += chunk;
			const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
			if (url) resolve(url);
		});
		child.on("close", () => reject(new Error(`ended without a URL: ${out}`)));
	});
}

const EMULATOR = `node ${join(ROOT, "packages/emulator/bin/cursorwire-emulator.mjs")}`;

/** A gateway that runs on this machine already is none of the test's business. */
const ANY_PORT = { CURSORWIRE_PORT: "0" };

/** How each command of the documents is run. A command without a row here fails the test. */
const HOW: Record<string, (command: string) => Promise<void>> = {
	"npm install && npm start": async () => demoAnswers(start("npm start", ROOT, ANY_PORT)),
	"npx cursorwire demo": async (command) => demoAnswers(start(command, ROOT, ANY_PORT)),
	// It runs `npm install` and checks what that did.
	"npm install && npm test": async () => runInCi("node scripts/install.mjs", "npm test"),
	"npm install": async () => runInCi("node scripts/install.mjs"),
	"npm test": async () => runInCi("npm test"),
	"npm run conformance": async () => runInCi("npm run conformance"),
	"npm run bench:emulator": async (command) => {
		const small = { STREAMS: "20", HOLD: "1", TURNS: "20", CLIENTS: "2" };
		expect(await ended(start(command, ROOT, small))).toBe(0);
	},
	"npx cursorwire-emulator --port 0 --json": async (command) => serves(start(command)),
	"npx cursorwire-emulator --brain ./my-brain.mjs --port 0 --json": async (command) => {
		const code = ofLanguage("js").find(({ text }) => text.startsWith("// my-brain.mjs"))!.text;
		writeFileSync(join(folder, "my-brain.mjs"), code);
		await serves(start(command.replace("npx cursorwire-emulator", EMULATOR), folder));
	},
	"npx cursorwire-emulator --show-prompts --port 0 --json": async (command) => serves(start(command)),
	"npx cursorwire-emulator --help": async (command) => expect(await ended(start(command))).toBe(0),
};

async function serves(child: ChildProcess): Promise<void> {
	const url = await readyUrl(child);
	expect((await fetch(`${url}/__emulator/stats`)).status).toBe(200);
	stop(child);
}

/** The demo answers, and so does the curl line that it prints. */
async function demoAnswers(child: ChildProcess): Promise<void> {
	const printed = await new Promise<string>((resolve, reject) => {
		let out = "";
		child.stdout?.on("data", (chunk) => {
			out += chunk;
			if (out.includes("Ctrl-C")) resolve(out);
		});
		child.on("close", () => reject(new Error(`ended: ${out}`)));
	});
	const curl = start(`${/curl .*/.exec(printed)![0]} -s --fail`);
	let answer = "";
	curl.stdout?.on("data", (chunk) => {
		answer += chunk;
	});
	await ended(curl);
	expect(JSON.parse(answer).choices[0].message.content).toContain("Say hello");
	stop(child);
}

/** Too long to run within a test of itself: .ci/run calls it. */
function runInCi(...commands: string[]): void {
	const script = readFileSync(join(ROOT, ".ci/run"), "utf8");
	for (const command of commands) expect(script).toContain(command);
}

describe("every link in the documents", () => {
	it.each(DOCUMENTS)("leads somewhere: %s", (document) => {
		const text = readFileSync(join(ROOT, document), "utf8");
		const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
		for (const link of links) expect(existsSync(join(ROOT, dirname(document), link)), link).toBe(true);
	});
});

describe("every command in the documents", () => {
	const commands = [...new Set(ofLanguage("sh").flatMap(({ text }) => text.trim().split("\n")))];

	it("is found", () => expect(commands.length).toBeGreaterThan(6));

	it.each(DOCUMENTS)("names only npm scripts that exist: %s", (document) => {
		const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
		const text = readFileSync(join(ROOT, document), "utf8");
		const named = [...text.matchAll(/`npm run ([\w:-]+)/g)].map(([, name]) => name!);
		expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
	});

	it.each(commands)("%s", async (command) => {
		const how = HOW[command];
		expect(how, "add a row to HOW").toBeTypeOf("function");
		await how!(command);
	});
});

describe("the other examples in the documents", () => {
	it.each(ofLanguage("json"))("an account file in $document", async ({ text }) => {
		const emulator = await startEmulator({ accounts: JSON.parse(text) });
		await emulator.close();
	});

	it.each(ofLanguage("ts"))("a program in $document", async ({ text }) => {
		// Beside this file, so that package names resolve as they do for a user.
		const file = fileURLToPath(new URL(`./example-${process.pid}.ts`, import.meta.url));
		writeFileSync(file, text);
		try {
			expect(await ended(start(`node --import tsx ${file}`))).toBe(0);
		} finally {
			rmSync(file);
		}
	});
});
