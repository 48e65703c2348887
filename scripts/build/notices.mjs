import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const IN_PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * The licences of the packages that files of a bundle come from. They ask to be named wherever their code goes.
 *
 * @param {string[]} files
 */
export async function thirdPartyNotices(files) {
	const folders = new Set(files.map((file) => IN_PACKAGE.exec(file)?.[1]).filter((folder) => folder !== undefined));
	const notices = await Promise.all([...folders].map(notice));
	return notices.sort().join(`\n${"-".repeat(80)}\n\n`);
}

async function notice(folder) {
	const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	if (typeof license !== "string") throw new Error(`${name} names no licence`);
	const texts = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
	const contents = await Promise.all(texts.map((file) => readFile(join(folder, file), "utf8")));
	return [`${name} ${version} (${license})\n`, ...contents].join("\n");
}
