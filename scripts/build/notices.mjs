import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * The licences of the packages that are part of a bundle. They ask to be named wherever their code goes.
 *
 * @param {{ folder: string, name: string, version: string, license: string }[]} packages
 */
export async function thirdPartyNotices(packages) {
	const notices = await Promise.all(packages.map(notice));
	return notices.sort().join(`\n${"-".repeat(80)}\n\n`);
}

async function notice({ folder, name, version, license }) {
	const texts = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
	const contents = await Promise.all(texts.map((file) => readFile(join(folder, file), "utf8")));
	return [`${name} ${version} (${license})\n`, ...contents].join("\n");
}
