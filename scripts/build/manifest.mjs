/**
 * The manifest of a published package from that of its source: `src/x.ts` becomes `dist/x.js` with its types, and only
 * the dependencies that are to be installed beside it are left.
 *
 * @param {Record<string, any>} source
 * @param {{ typed: string[], installed: string[] }} options
 */
export function publishedManifest(source, { typed, installed }) {
	const { private: _, scripts: __, devDependencies: ___, dependencies, exports, ...manifest } = source;
	return {
		...manifest,
		exports: Object.fromEntries(Object.entries(exports).map(([name, path]) => [name, publishedPath(path, typed)])),
		scripts: { prepublishOnly: "node ../../scripts/check-publish.mjs" },
		dependencies: Object.fromEntries(installed.map((name) => [name, dependencies[name]])),
	};
}

function publishedPath(path, typed) {
	const module = /^\.\/src\/(.*)\.ts$/.exec(path)?.[1];
	if (module === undefined) return path;
	const built = `./dist/${module}.js`;
	return typed.includes(module) ? { types: `./dist/${module}.d.ts`, default: built } : built;
}
