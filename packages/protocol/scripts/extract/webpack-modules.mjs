// The SDK is published as webpack bundles: tables from the path of a module to its function. This takes them apart
// without running the bundle.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rollup/parseAst";

const MODULE_PATH = /^\.{1,2}\/.*\.[cm]?[jt]sx?$/;
const FUNCTIONS = new Set(["FunctionExpression", "ArrowFunctionExpression"]);

/**
 * @typedef {object} WebpackModule
 * @property {string[]} parameters the names of `module`, `exports` and `require` in it
 * @property {{ node: any, text: string }[]} statements
 */

/**
 * @param {string} folder of bundles
 * @param {string} mark only bundles that contain this text are read
 * @returns {Map<string, WebpackModule>} by path
 */
export function readModules(folder, mark) {
	const modules = new Map();
	for (const name of readdirSync(folder).filter((each) => /\.[cm]?js$/.test(each))) {
		const source = readFileSync(join(folder, name), "utf8");
		if (!source.includes(mark)) continue;
		for (const { key, value } of properties(parseAst(source))) {
			const path = key.value;
			// The same module can be in several bundles.
			if (!isModule(path, value) || modules.has(path)) continue;
			const parameters = value.params.map((parameter) => parameter.name);
			const statements = value.body.body.map((node) => ({ node, text: source.slice(node.start, node.end) }));
			modules.set(path, { parameters, statements });
		}
	}
	return modules;
}

function isModule(path, value) {
	const isFunction = FUNCTIONS.has(value.type) && value.body.type === "BlockStatement";
	return isFunction && typeof path === "string" && MODULE_PATH.test(path);
}

/** Every property of every outermost object in the program. */
function* properties(program) {
	const open = [program];
	for (let node = open.pop(); node; node = open.pop()) {
		if (node.type === "Property" && isModule(node.key.value, node.value)) {
			yield node;
			continue;
		}
		for (const child of Object.values(node)) {
			if (Array.isArray(child)) open.push(...child.filter((each) => each?.type));
			else if (child?.type) open.push(child);
		}
	}
}
