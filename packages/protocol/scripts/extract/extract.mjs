// The schema of a published SDK, from its generated modules.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reflect } from "./reflect.mjs";
import { moduleRunner } from "./run-modules.mjs";
import { onlyTypes } from "./type-statements.mjs";
import { readModules } from "./webpack-modules.mjs";

const LIBRARY = "@bufbuild/protobuf";
const GENERATED = /\/generated\/.*_(pb|connect|connectweb)\.js$/;
/** The generated modules, and the modules that they need at run time. */
const isOfTypes = (path) => path === LIBRARY || path?.startsWith("../proto/");

/**
 * @param {string} folder of the package
 * @param {string} [packagesOf] a folder from which Node resolves the protobuf library of the package
 * @returns {{ version: string, schema: import("./reflect.mjs").Schema }}
 */
export function extractSchema(folder, packagesOf = folder) {
	const manifest = readManifest(folder);
	const modules = readModules(join(folder, dirname(entryOf(manifest))), LIBRARY);
	const withTypes = [...modules.keys()].filter((path) => GENERATED.test(path));
	if (withTypes.length === 0) {
		throw new Error(`${manifest.name} ${manifest.version} has no generated modules where earlier versions have them`);
	}
	for (const [path, module] of modules) {
		if (isOfTypes(path) || !module.statements.some(({ text }) => /\.(proto3|MethodKind)\b/.test(text))) continue;
		modules.set(path, onlyTypes(module, isOfTypes));
		withTypes.push(path);
	}
	const { load, declared } = moduleRunner(modules, packagesOf);
	for (const path of withTypes) load(path);
	const { proto3 } = load(LIBRARY);
	return { version: manifest.version, schema: reflect(declared, (value) => proto3.getEnumType(value)) };
}

function readManifest(folder) {
	const path = join(folder, "package.json");
	if (!existsSync(path)) throw new Error(`${folder} is not the folder of a package: it has no package.json`);
	return JSON.parse(readFileSync(path, "utf8"));
}

function entryOf({ name, version, exports }) {
	const entry = exports?.["."]?.import;
	const path = entry?.default ?? entry;
	if (typeof path !== "string") throw new Error(`the package.json of ${name} ${version} does not say what it exports`);
	return path;
}
