// Whether mutants can be made at all: their text is there once, and nothing of somebody's work would be lost.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * @param {{ mistake: string, file: string, find: string }[]} mutants
 * @returns {string | undefined} what is in the way
 */
export function obstacle(mutants) {
	for (const { mistake, file, find } of mutants) {
		const count = readFileSync(file, "utf8").split(find).length - 1;
		if (count !== 1) return `"${mistake}": the text to replace occurs ${count} times in ${file}, not once:\n${find}`;
	}
	const files = [...new Set(mutants.map(({ file }) => file))];
	const { stdout } = spawnSync("git", ["status", "--porcelain", "--", ...files], { encoding: "utf8" });
	return stdout === "" ? undefined : `these files have changes that are not committed; commit them first:\n${stdout}`;
}
