// Which test files need which tool: those that use it themselves, and those that import a file that does.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { TOOLS } from "./table.mjs";

/** How the names of test files end, by the run that they belong to. */
const IS_TEST = { test: /\.test\.ts$/, agent: /\.agent\.ts$/, pack: /\.pack\.ts$/ };

/** All sources of tests, by their path from the root. */
export function readTestSources(root = ".") {
	const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name));
	const files = packages.flatMap((folder) => [
		...filesBelow(root, join(folder, "test")),
		...filesBelow(root, join(folder, "src")).filter((file) => IS_TEST.test.test(file)),
	]);
	return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

function filesBelow(root, folder) {
	return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
		.map((file) => (root === "." ? file : file.slice(join(root, "/").length)));
}

/**
 * @param {"test" | "agent" | "pack"} kind
 * @param {string[]} args of vitest; where they are only filters, other files than those that they name do not count
 * @param {Map<string, string>} sources by path
 * @returns {(import("./table.mjs").Tool & { files: string[] })[]} the tools with the test files that need them
 */
export function neededTools(kind, args = [], sources = readTestSources(), tools = TOOLS) {
	const isOnlyFilters = args.length > 0 && args.every((arg) => !arg.startsWith("-"));
	const isSelected = (file) => !isOnlyFilters || args.some((filter) => file.includes(normalize(filter)));
	const isTest = (file) => IS_TEST[kind].test(file) && isSelected(file);
	const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
	return tools
		.map((tool) => ({ ...tool, files: usersOf(tool, sources, imports).filter(isTest).sort() }))
		.filter(({ files }) => files.length > 0);
}

function usersOf({ use }, sources, imports) {
	const users = new Set([...sources].filter(([, text]) => use.test(text)).map(([file]) => file));
	// A set that grows while it is walked: the importers of importers come last.
	for (const user of users) {
		for (const [file, imported] of imports) if (imported.includes(user)) users.add(file);
	}
	return [...users];
}

function importsOf(file, text) {
	return [...text.matchAll(/(?:from|import|import\() ?"(\.[^"]+)"/g)].map(([, path]) => join(dirname(file), path));
}
