/**
 * The manifest of a published package from that of its source: `src/x.ts` becomes `dist/x.js` with its types, and only
 * the dependencies that are to be installed beside it are left.
 *
 * @param {Record<string, any>} source
 * @param {string[]} installed
 */
export function publishedManifest(source, installed) {
	const { private: _, scripts: __, devDependencies: ___, dependencies, exports, ...manifest } = source;
	return {
		...manifest,
		exports: Object.fromEntries(Object.entries(exports).map(publishedExport)),
		dependencies: Object.fromEntries(installed.map((name) => [name, dependencies[name]])),
	};
}

function publishedExport([name, path]) {
	const module = /^\.\/src\/(.*)\.ts$/.exec(path)?.[1];
	return [name, module === undefined ? path : { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` }];
}
