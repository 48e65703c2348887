import { readFile } from "node:fs/promises";
import { join } from "node:path";

const IN_PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The packages from npm that files of a bundle come from, in the order of their names.
 *
 * @param {string[]} files
 * @returns {Promise<{ folder: string, name: string, version: string, license: string }[]>}
 */
export async function bundledPackages(files) {
	const folders = new Set(files.map((file) => IN_PACKAGE.exec(file)?.[1]).filter((folder) => folder !== undefined));
	const packages = await Promise.all([...folders].map(describe));
	return packages.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

const key = ({ name, version, folder }) => `${name}@${version} ${folder}`;

async function describe(folder) {
	const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	if (typeof license !== "string") throw new Error(`${name} names no licence`);
	return { folder, name, version, license };
}
