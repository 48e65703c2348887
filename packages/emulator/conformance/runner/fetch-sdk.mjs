// Fetches the official SDK versions, and a Node that can run them, into the repository's cache folder.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startProcess } from "./processes.mjs";

const CACHE = fileURLToPath(new URL("../../../../.cache/conformance/", import.meta.url));
const SDK_MANIFEST = join("node_modules", "@cursor", "sdk", "package.json");
const MARKER = ".complete";
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;

const NODE_TO_FETCH = "24";

/**
 * @typedef {{ path: string, version: string }} NodeBinary
 * @typedef {{ sdkFolder: string, node: NodeBinary }} Toolchain
 * @param {string[]} versions
 * @returns {Promise<Map<string, Toolchain>>}
 */
export async function resolveToolchain(versions) {
	const entries = versions.map(async (version) => {
		const sdkFolder = await fetchSdk(version);
		const node = await nodeFor(await nodeNeeded(sdkFolder));
		return /** @type {const} */ ([version, { sdkFolder, node }]);
	});
	return new Map(await Promise.all(entries));
}

/**
 * @param {string} version
 * @returns {Promise<string>} a folder with the SDK and what it depends on in its `node_modules`
 */
export async function fetchSdk(version) {
	const folder = join(CACHE, `sdk-${version}`);
	await install(folder, `@cursor/sdk@${version}`, SDK_MANIFEST);
	return folder;
}

/** The version that npm installs by default. */
export async function latestSdk() {
	const { stdout } = await npm(process.cwd(), ["view", "@cursor/sdk", "version"], "the newest version of @cursor/sdk");
	return stdout.trim();
}

/** The oldest Node that this SDK runs on, by its manifest. */
async function nodeNeeded(sdkFolder) {
	const { engines } = JSON.parse(await readFile(join(sdkFolder, SDK_MANIFEST), "utf8"));
	const [, major, minor = 0] = />=\s*(\d+)(?:\.(\d+))?/.exec(engines?.node ?? "") ?? [undefined, 0];
	return [Number(major), Number(minor)];
}

/** One at a time, so that two cells do not fetch the same Node into one folder at once. */
let fetchingNode = Promise.resolve();

/**
 * @param {number[]} needed
 * @returns {Promise<NodeBinary>}
 */
function nodeFor(needed) {
	const found = fetchingNode.then(() => findNode(needed));
	fetchingNode = found.catch(() => {});
	return found;
}

async function findNode(needed) {
	if (isAtLeast(process.versions.node, needed)) {
		return { path: process.execPath, version: process.versions.node };
	}
	const packageName = nodeBinaryPackage();
	const folder = join(CACHE, `node-${NODE_TO_FETCH}`);
	const manifestPath = join("node_modules", packageName, "package.json");
	await install(folder, `${packageName}@${NODE_TO_FETCH}`, manifestPath);
	const manifest = JSON.parse(await readFile(join(folder, manifestPath), "utf8"));
	const path = join(folder, "node_modules", packageName, manifest.bin.node);
	const { stdout } = await promisify(execFile)(path, ["--version"]);
	return { path, version: stdout.trim().replace(/^v/, "") };
}

function isAtLeast(version, [major, minor]) {
	const [ownMajor, ownMinor] = version.split(".").map(Number);
	return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * The package `node` gets its binary by an install script, which is not run here. These are the packages that the script
 * would fetch, with the binary in them.
 */
function nodeBinaryPackage() {
	const platform = process.platform === "win32" ? "win" : process.platform;
	const prefix = platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
	return `${prefix}-${platform}-${process.arch}`;
}

/**
 * @param {string} folder
 * @param {string} what a package with its version
 * @param {string} proof a file that a complete install has
 */
async function install(folder, what, proof) {
	const marker = join(folder, MARKER);
	if (existsSync(marker) && existsSync(join(folder, proof)) && (await readFile(marker, "utf8")) === what) return;
	console.log(`fetching ${what}`);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	// Its own manifest keeps npm from taking the surrounding workspace for the project.
	await writeFile(join(folder, "package.json"), `${JSON.stringify({ private: true })}\n`);
	const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
	await npm(folder, ["install", ...flags, what], what);
	if (!existsSync(join(folder, proof))) throw new Error(`npm installed ${what} without ${proof}`);
	await writeFile(marker, what);
}

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {string} what is fetched, for error messages
 * @returns {Promise<{ stdout: string }>}
 */
function npm(folder, args, what) {
	const child = startProcess("npm", [...args, "--fetch-retries=1", "--fetch-retry-mintimeout=1000"], {
		cwd: folder,
		stdio: ["ignore", "pipe", "pipe"],
		shell: process.platform === "win32",
	});
	const said = { stdout: "", stderr: "" };
	for (const stream of ["stdout", "stderr"]) {
		child[stream].on("data", (chunk) => {
			said[stream] += chunk;
		});
	}
	return new Promise((resolve, reject) => {
		child.once("error", (error) => reject(new Error(`npm could not be started: ${error.message}`)));
		child.once("close", (code) => {
			if (code === 0) {
				resolve(said);
				return;
			}
			const fault = UNREACHABLE.exec(said.stderr)?.[1];
			if (fault) reject(new Error(`the npm registry is not reachable (${fault}); ${what} is needed once`));
			else reject(new Error(`npm could not get ${what}: ${firstErrorLine(said.stderr)}`));
		});
	});
}

function firstErrorLine(errors) {
	const lines = errors.split("\n").filter((line) => line.startsWith("npm error"));
	return (lines.find((line) => !/^npm error code\b/.test(line)) ?? lines[0] ?? "no reason given").trim();
}
