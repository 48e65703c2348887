// Which test proves which row: read from the titles in the sources, so that no list has to be kept.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TEST_SOURCE = /^packages\/[^/]+\/(?:src\/.*\.test\.ts|test\/.*\.ts)$/;
const ROW_ID = /\b[LUCSKOBAD][1-9]\d?\b/g;
/** Titles may stand in a table: a text of ids, a colon and a sentence is one wherever it is. */
const BEGINS_WITH_IDS = /^(?:[LUCSKOBAD][1-9]\d?(?:, | and ))*[LUCSKOBAD][1-9]\d?: \S+ \S/;
const TESTS = new Set(["it", "test", "describe"]);

/** Files by the id of the row that a title in them names, in the order of their paths. */
export function provingTests(): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const file of testSources()) {
		for (const id of rowsIn(readFileSync(`${ROOT}${file}`, "utf8"))) {
			found.set(id, [...(found.get(id) ?? []), file]);
		}
	}
	return found;
}

function testSources(): string[] {
	const packages = readdirSync(`${ROOT}packages`, { recursive: true, withFileTypes: true });
	return packages
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(ROOT.length).replaceAll("\\", "/"))
		.filter((path) => TEST_SOURCE.test(path) && !path.includes("/node_modules/"))
		.sort();
}

/** The ids that titles of tests in this source name. */
export function rowsIn(source: string): Set<string> {
	const ids = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (isText(node) && (isTitle(node) || BEGINS_WITH_IDS.test(textOf(node)))) {
			const [place] = isTitle(node) ? [textOf(node)] : (BEGINS_WITH_IDS.exec(textOf(node)) ?? []);
			for (const [id] of (place ?? "").matchAll(ROW_ID)) ids.add(id);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile("test.ts", source, ts.ScriptTarget.Latest, true));
	return ids;
}

type Text = ts.StringLiteralLike | ts.TemplateExpression;

const isText = (node: ts.Node): node is Text => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const textOf = (node: Text): string => (ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : node.text);

/** The first argument of `it(…)`, `describe.each(…)(…)` and the like. */
function isTitle(node: Text): boolean {
	const { parent } = node;
	if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
	let callee: ts.Expression = parent.expression;
	while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
	return ts.isIdentifier(callee) && TESTS.has(callee.text);
}
