// Brings an agent, and a Node that can run it, into the repository's cache folder. What is there already is kept.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FileLock } from "../../../src/files/lock.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { type AgentPackage, NODE_PACKAGE } from "./packages.ts";

const CACHE = fileURLToPath(new URL("../../../../../.cache/agents/", import.meta.url));
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];

/** For a slow network; an agent has up to 450 MB. */
export const INSTALL_LIMIT_MS = 15 * 60_000;

/** The command that starts the agent, in words. */
export async function installAgent({ node, ...wanted }: AgentPackage): Promise<string[]> {
	const installed = await install(wanted);
	if (node === undefined) return [installed];
	const [ownMajor] = process.versions.node.split(".").map(Number);
	const runtime = ownMajor! >= node ? process.execPath : await install(NODE_PACKAGE);
	return [runtime, installed];
}

async function install(wanted: AgentPackage): Promise<string> {
	const { spec, program } = wanted;
	const folder = join(CACHE, spec.replace(/^@/, "").replaceAll(/[/@]/g, "-"));
	const path = join(folder, "node_modules", program);
	if (existsSync(path)) return path;
	await mkdir(CACHE, { recursive: true });
	// Two workers may want the same agent at once. The second one waits, and then finds it. Locks have a private folder
	// of their own, since the cache itself may be a link to one that several checkouts share.
	const lock = new FileLock({
		path: join(CACHE, "locks", `${basename(folder)}.lock`),
		...{ clock: systemClock, now: Date.now, random: Math.random, waitMs: INSTALL_LIMIT_MS },
	});
	await lock.hold(async () => {
		if (!existsSync(path)) await fetchInto(folder, wanted);
	});
	return path;
}

async function fetchInto(folder: string, { spec, program, inner }: AgentPackage): Promise<void> {
	console.log(`fetching ${spec}`);
	// A run may be broken off: only whole folders get the name.
	const made = await mkdtemp(`${folder}.`);
	try {
		// A manifest of its own keeps npm from taking the workspace around it for the project.
		await writeFile(join(made, "package.json"), `${JSON.stringify({ private: true })}\n`);
		await npmInstall(made, spec);
		if (inner !== undefined) await npmInstall(join(made, "node_modules", inner));
		if (!existsSync(join(made, "node_modules", program))) throw new Error(`npm installed ${spec} without ${program}`);
		await rename(made, folder);
	} catch (error) {
		await rm(made, { recursive: true, force: true });
		// Where a lock is taken for abandoned too early, another worker was first.
		if (!existsSync(join(folder, "node_modules", program))) throw error;
	}
}

/** Without `spec`: what the folder itself depends on. */
function npmInstall(folder: string, spec?: string): Promise<void> {
	const what = spec === undefined ? ["--omit=dev"] : [spec];
	const npm = spawn("npm", ["install", ...FLAGS, "--prefix", folder, ...what], {
		cwd: folder,
		stdio: ["ignore", "ignore", "pipe"],
		shell: process.platform === "win32",
	});
	let errors = "";
	npm.stderr.on("data", (chunk) => {
		errors += chunk;
	});
	return new Promise((resolve, reject) => {
		npm.once("error", (error) => reject(new Error(`npm could not be started: ${error.message}`)));
		npm.once("close", (code) => {
			if (code === 0) resolve();
			else
				reject(new Error(`npm could not install ${spec ?? folder}, which is needed once: ${firstErrorLine(errors)}`));
		});
	});
}

function firstErrorLine(errors: string): string {
	const lines = errors.split("\n").filter((line) => line.startsWith("npm error"));
	return (lines.find((line) => !/^npm error code\b/.test(line)) ?? lines[0] ?? "no reason given").trim();
}
