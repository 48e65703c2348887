// Runs modules of a bundle one by one, with the packages that the SDK itself would use.
import { createRequire } from "node:module";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { declaredNames } from "./type-statements.mjs";

/**
 * @param {Map<string, import("./webpack-modules.mjs").WebpackModule>} modules
 * @param {string} packageFolder from which other packages are resolved
 * @returns {{ load: (path: string) => any, declared: unknown[] }} `declared`: everything that the modules loaded so far declare
 */
export function moduleRunner(modules, packageFolder) {
	const external = createRequire(join(packageFolder, "package.json"));
	const loaded = new Map();
	const declared = [];
	const load = (path) => {
		if (loaded.has(path)) return loaded.get(path).exports;
		const found = modules.get(path);
		if (found === undefined) return external(path);
		const module = { exports: {} };
		loaded.set(path, module);
		declared.push(...runInThisContext(functionText(found)).call(module.exports, module, module.exports, load));
		return module.exports;
	};
	return { load: Object.assign(load, webpackHelpers()), declared };
}

/** The module as a function that returns everything that it declares. */
function functionText(module) {
	const body = module.statements.map(({ text }) => text).join("\n");
	return `(function (${module.parameters.join(", ")}) {${body}\nreturn [${declaredNames(module).join(", ")}];\n})`;
}

/** What a module expects of webpack's `require` besides calling it. */
function webpackHelpers() {
	const d = (exports, getters) => {
		for (const [name, get] of Object.entries(getters)) Object.defineProperty(exports, name, { enumerable: true, get });
	};
	return {
		d,
		o: (object, name) => Object.hasOwn(object, name),
		r: (exports) => Object.defineProperty(exports, "__esModule", { value: true }),
		n: (module) => {
			const get = module?.__esModule ? () => module.default : () => module;
			d(get, { a: get });
			return get;
		},
	};
}
