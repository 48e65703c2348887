// `npm run check:sizes`: source files, folders and functions stay small enough to be read at once.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const MOST_LINES_OF_A_FILE = 300;
const MOST_FILES_OF_A_FOLDER = 20;
/** Nine functions of ten are at most this long. */
const MOST_LINES_OF_A_FUNCTION = 15;

/** Tables: long, because what they list is. */
const TABLES = [
	"packages/gateway/src/config/setting-table.ts",
	"packages/gateway/src/turn/error-kinds.ts",
	"packages/gateway/src/upstream/protocols/unified/tool-table.ts",
];

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const isOurs = (path) => /\.tsx?$/.test(path) && !path.endsWith(".test.ts") && !path.includes("/src/gen/");

const sources = readdirSync(join(ROOT, "packages"))
	.flatMap((name) => readdirSync(join(ROOT, "packages", name, "src"), { recursive: true, withFileTypes: true }))
	.filter((entry) => entry.isFile())
	.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
	.filter(isOurs)
	.map((path) => readSource(path));

function readSource(path) {
	const text = readFileSync(join(ROOT, path), "utf8");
	const lines = text.replace(/\n$/, "").split("\n").length;
	return { path, lines, functions: lengthsOfFunctions(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)) };
}

/** Lines from the first to the last of each function that has a body of statements. */
function lengthsOfFunctions(file) {
	const lengths = [];
	const visit = (node) => {
		if (ts.isFunctionLike(node) && node.body && ts.isBlock(node.body)) {
			const lineAt = (position) => file.getLineAndCharacterOfPosition(position).line;
			lengths.push(lineAt(node.end) - lineAt(node.getStart(file)) + 1);
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return lengths;
}

/** The value that so great a part of all of them do not exceed. */
function percentile(values, part) {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.ceil(sorted.length * part) - 1];
}

const folders = new Map();
for (const source of sources) {
	const folder = dirname(source.path);
	folders.set(folder, [...(folders.get(folder) ?? []), source]);
}

const fileLines = sources.map(({ lines }) => lines);
const functionLines = sources.flatMap(({ functions }) => functions);
const functionP90 = percentile(functionLines, 0.9);

const problems = [
	...sources
		.filter(({ path, lines }) => lines > MOST_LINES_OF_A_FILE && !TABLES.includes(path))
		.map(({ path, lines }) => `${path} has ${lines} lines, more than ${MOST_LINES_OF_A_FILE}: split it by concept`),
	...[...folders]
		.filter(([, files]) => files.length > MOST_FILES_OF_A_FOLDER)
		.map(([path, files]) => `${path} has ${files.length} files, more than ${MOST_FILES_OF_A_FOLDER}: make folders`),
	...(functionP90 > MOST_LINES_OF_A_FUNCTION
		? [`the ninetieth percentile of functions is ${functionP90} lines, more than ${MOST_LINES_OF_A_FUNCTION}`]
		: []),
];

const spread = (values) =>
	`median ${percentile(values, 0.5)}, p90 ${percentile(values, 0.9)}, longest ${Math.max(...values)}`;
console.log(`${sources.length} source files: ${spread(fileLines)} lines`);
console.log(`${functionLines.length} functions: ${spread(functionLines)} lines`);
console.log(
	`${folders.size} folders: at most ${Math.max(...[...folders.values()].map((files) => files.length))} files`,
);
for (const problem of problems) console.log(`  ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
