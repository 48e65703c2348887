// What package-lock.json has to be, and what has to be installed by it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
export const readLock = (root) => readJson(join(root, "package-lock.json")).packages;

/** Entries from the registry by their path; the workspaces' own are links or the packages themselves. */
const registryEntries = (packages) =>
	Object.entries(packages).filter(([path, entry]) => path.includes("node_modules/") && !entry.link);

/** What a user gets: neither for development nor a choice of development. */
export const runTimeEntries = (packages) =>
	registryEntries(packages).filter(([, entry]) => !entry.dev && !entry.devOptional);

export const nameOf = (path, entry = {}) => entry.name ?? path.slice(path.lastIndexOf("node_modules/") + 13);

/** Packages whose second version would break `instanceof` and double their size. */
const ONLY_ONCE = ["zod", "@bufbuild/protobuf"];

/**
 * @param {Record<string, any>} packages of package-lock.json
 * @returns {string[]} what is wrong
 */
export function lockProblems(packages) {
	const problems = [];
	for (const [path, { version, integrity, resolved }] of registryEntries(packages)) {
		if (!version) problems.push(`${path} has no version in the lock`);
		if (!/^sha512-/.test(integrity ?? "")) problems.push(`${path} has no SHA-512 in the lock`);
		if (resolved) problems.push(`${path} names a place (${hostOf(resolved)}): only the registry of the machine counts`);
	}
	for (const [path, { hasInstallScript }] of runTimeEntries(packages)) {
		if (hasInstallScript) problems.push(`${path} has an install script, and users would run it`);
	}
	for (const name of ONLY_ONCE) {
		const versions = new Set(
			runTimeEntries(packages).flatMap(([path, entry]) => (nameOf(path) === name ? entry.version : [])),
		);
		if (versions.size > 1) problems.push(`${name} is there in ${versions.size} versions: ${[...versions].join(", ")}`);
	}
	return problems;
}

/** Not the whole of it: a URL may have a password. */
function hostOf(resolved) {
	return URL.canParse(resolved) ? new URL(resolved).host || resolved : resolved;
}

/** The few that are native come as prebuilt packages; they alone may ask for a system. */
export function directDependencies(root, folders) {
	const own = new Set(folders.map((folder) => readJson(join(root, folder, "package.json")).name));
	const names = folders.flatMap((folder) =>
		Object.keys(readJson(join(root, folder, "package.json")).dependencies ?? {}),
	);
	return [...new Set(names)].filter((name) => !own.has(name)).sort();
}

/**
 * What lies in node_modules against the lock: names and versions as the packages themselves say, integrity as npm
 * wrote it down when it unpacked them.
 *
 * @param {string} root
 * @returns {string[]} what is wrong
 */
export function installProblems(root) {
	const lock = readLock(root);
	const installed = readInstalled(root);
	if (!installed) return ["nothing is installed: run `npm install`"];
	const problems = [];
	for (const [path, entry] of registryEntries(installed)) {
		const wanted = lock[path];
		if (!wanted) problems.push(`${path} is installed and not in the lock`);
		else if (wanted.version !== entry.version || wanted.integrity !== entry.integrity)
			problems.push(`${path} is installed as ${entry.version}, and not what the lock names (${wanted.version})`);
		problems.push(...manifestProblems(root, path, entry));
	}
	for (const [path, { optional, peer }] of registryEntries(lock)) {
		if (!installed[path] && !optional && !peer) problems.push(`${path} is in the lock and not installed`);
	}
	for (const path of topLevel(root)) if (!installed[path]) problems.push(`${path} was put there by hand`);
	return problems;
}

function manifestProblems(root, path, entry) {
	const file = join(root, path, "package.json");
	if (!existsSync(file)) return [`${path} has no package.json`];
	const { name, version } = readJson(file);
	const wanted = nameOf(path, entry);
	return name === wanted && version === entry.version
		? []
		: [`${path} says it is ${name} ${version}, not ${entry.version}`];
}

function topLevel(root) {
	const folder = join(root, "node_modules");
	return readdirSync(folder)
		.filter((name) => !name.startsWith("."))
		.flatMap((name) => (name.startsWith("@") ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : name))
		.map((name) => `node_modules/${name}`);
}

/** What npm unpacked on this machine, by path. */
export const readInstalled = (root) => {
	const hidden = join(root, "node_modules/.package-lock.json");
	return existsSync(hidden) ? readJson(hidden).packages : undefined;
};

/**
 * What an installation did to the lock. A registry that has packages of other systems which the committed lock could
 * not name may add them and what they need, as long as none of it is installed here; nothing else may change.
 *
 * @returns {string[]} what is wrong
 */
export function changeProblems(before, after, installed) {
	const problems = [];
	for (const [path, { version, integrity }] of Object.entries(before)) {
		const now = after[path];
		if (!now) problems.push(`${path} has gone`);
		else if (now.version !== version || now.integrity !== integrity)
			problems.push(`${path} went from ${version} to ${now.version}`);
	}
	for (const [path, entry] of Object.entries(after)) {
		const isForOtherSystems = entry.optional && !installed[path];
		if (!before[path] && !isForOtherSystems) problems.push(`${path} ${entry.version ?? ""} is new`);
	}
	return problems;
}
