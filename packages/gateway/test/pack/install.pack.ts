import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { folderOfNode, NODE_VERSIONS } from "./kit/node-versions.ts";
import { expectSchemaThread } from "./kit/schema-thread.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "cursorwire-pack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { tarballs } = inject("packages");

/** An empty project in which `node` is this version, and an empty home. */
async function emptyProject(version: string): Promise<{ cwd: string; env: Record<string, string> }> {
	const place = mkdtempSync(join(folder, "project-"));
	const cwd = join(place, "project");
	const home = join(place, "home");
	for (const made of [cwd, home]) mkdirSync(made);
	writeFileSync(join(cwd, "package.json"), "{}\n");
	const nodeFolder = await folderOfNode(version, join(place, "bin"));
	const path = [nodeFolder, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
	// npm's own settings (a registry, a certificate) belong to the machine; the rest is as on a new one.
	const npm = Object.entries(process.env).filter(([name]) =>
		/^(npm_config_|NPM_CONFIG_|NODE_EXTRA_CA_CERTS)/.test(name),
	);
	const userconfig = process.env.npm_config_userconfig ?? join(process.env.HOME ?? "", ".npmrc");
	return {
		cwd,
		env: {
			...Object.fromEntries(npm as [string, string][]),
			PATH: path,
			HOME: home,
			npm_config_userconfig: userconfig,
		},
	};
}

/** Starts a program that prints one JSON line when it is ready. */
function start(
	command: string[],
	options: { cwd: string; env: Record<string, string> },
): Promise<Record<string, string>> {
	const [program, ...args] = command;
	const child: ChildProcess = spawn(program!, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
	onTestFinished(() => {
		try {
			process.kill(-child.pid!, "SIGKILL");
		} catch {
			// It has ended by itself.
		}
	});
	return new Promise((resolve, reject) => {
		let out = "";
		let err = "";
		child.stdout!.on("data", (chunk) => {
			out += chunk;
			if (out.includes("\n")) resolve(JSON.parse(out));
		});
		child.stderr!.on("data", (chunk) => {
			err += chunk;
		});
		child.once("close", (code) => reject(new Error(`${command.join(" ")} ended with ${code}: ${out}${err}`)));
	});
}

describe.each(NODE_VERSIONS)("on Node %s, the packed packages", (version) => {
	let project: Awaited<ReturnType<typeof emptyProject>>;
	let installation: { stdout: string; stderr: string };
	beforeAll(async () => {
		project = await emptyProject(version);
		const flags = ["--no-audit", "--no-fund", "--prefer-offline"];
		installation = await run("npm", ["install", ...flags, ...Object.values(tarballs)], project);
	});

	it("install without a complaint about the version of Node", async () => {
		expect((await run("node", ["--version"], project)).stdout.trim()).toBe(`v${version}`);
		expect(installation.stderr).not.toMatch(/EBADENGINE|deprecated/);
	});

	it("bring no development tools along", () => {
		const names = readdirSync(join(project.cwd, "node_modules"));
		expect(names).toEqual(expect.arrayContaining(["cursorwire", "cursorwire-emulator", "opencode-cursorwire"]));
		expect(names).not.toContain("tsx");
		expect(names).not.toContain("@cursorwire");
	});

	it("say their version", async () => {
		const { version: own } = JSON.parse(readFileSync(join(ROOT, "packages/gateway/package.json"), "utf8"));
		for (const program of ["cursorwire", "cursorwire-emulator"]) {
			expect((await run("npx", [program, "--version"], project)).stdout.trim()).toBe(own);
		}
	});

	it("run the demo, which answers the OpenAI SDK and keeps its data in SQLite", async () => {
		const demo = await start(["npx", "cursorwire", "demo", "--port", "0", "--json"], project);
		expect(await (await fetch(`${demo.url}/healthz`)).json()).toMatchObject({ status: "ok", store: "sqlite" });
		const client = new OpenAI({ baseURL: `${demo.url}/v1`, apiKey: demo.key, maxRetries: 0 });
		const stream = await client.chat.completions.create({
			model: "auto",
			messages: [{ role: "user", content: "Say hello" }],
			// Near enough for the tokenizer's tables to be loaded, which stand in a file of their own.
			max_completion_tokens: 20,
			stream: true,
		});
		let text = "";
		for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
		expect(text).toContain("Say hello");
		await expectSchemaThread(client);
	});

	it("keep what Node compiled where Node can, and do without it when it is damaged", async () => {
		const kept = join(project.cwd, "node_modules/cursorwire/.cache");
		// npm writes warnings of its own.
		const sayVersion = () => run("node", ["node_modules/cursorwire/bin/cursorwire.mjs", "--version"], project);
		const { stdout } = await sayVersion();
		expect(existsSync(kept)).toBe(!version.startsWith("20."));
		const all = existsSync(kept) ? readdirSync(kept, { recursive: true, withFileTypes: true }) : [];
		const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
		expect(files.length > 0).toBe(!version.startsWith("20."));
		for (const file of files) writeFileSync(file, randomBytes(statSync(file).size));
		expect(await sayVersion()).toEqual({ stdout, stderr: "" });
	});

	// What comes after it does without the module.
	it("ask the keychain by the module that came along, and go without it where it is missing", async () => {
		const notes = async () => {
			const { stdout } = await run("npx", ["cursorwire", "status", "--json"], project).catch((error) => error);
			return JSON.parse(stdout).notes.join("\n");
		};
		// No D-Bus session is part of the new machine: the module was loaded, and said so.
		if (process.platform === "linux") expect(await notes()).toContain("there is no Secret Service on D-Bus");
		rmSync(join(project.cwd, "node_modules/@napi-rs"), { recursive: true });
		expect(await notes()).toContain("The keychain module @napi-rs/keyring is not installed.");
	});

	it("run the emulator", async () => {
		const { url } = await start(["npx", "cursorwire-emulator", "--port", "0", "--json"], project);
		expect((await fetch(`${url}/__emulator/stats`)).status).toBe(200);
	});

	it("can be imported", async () => {
		const program = `
			import { startEmulator } from "cursorwire-emulator";
			import plugin from "opencode-cursorwire";
			const emulator = await startEmulator({ brain: "echo" });
			console.log((await fetch(emulator.url + "/__emulator/stats")).status, typeof plugin);
			await emulator.close();`;
		const { stdout } = await run("node", ["--input-type=module", "-e", program], project);
		expect(stdout.trim()).toBe("200 function");
	});

	// They do not depend on Node.
	it.runIf(version === NODE_VERSIONS[0])("have types that hold without skipLibCheck", async () => {
		writeFileSync(
			join(project.cwd, "types.ts"),
			`import { type Brain, startEmulator } from "cursorwire-emulator";
			const brain: Brain = async function* (turn) { yield { text: turn.model.id }; };
			export const url: Promise<string> = startEmulator({ brain }).then((emulator) => emulator.url);
			// @ts-expect-error a brain is a function or a name
			startEmulator({ brain: 1 });
			import type { AccountFileInput } from "cursorwire-emulator";
			export const accounts: AccountFileInput = { accounts: [] };`,
		);
		const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "node"];
		const roots = ["--typeRoots", join(ROOT, "node_modules/@types")];
		const tsc = join(ROOT, "node_modules/.bin/tsc");
		// tsc tells what is wrong on stdout.
		const { stdout } = await run(tsc, [...flags, ...roots, "types.ts"], project).catch((error) => error);
		expect(stdout).toBe("");
	});
});
