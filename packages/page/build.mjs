// The page as it is served: three files, bundled with esbuild. In a checkout the gateway calls `buildPage` when the page
// is asked for the first time; `npm run build` puts the same three files into the published package.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** The packages from npm that are part of the page, as paths of their files, for the notices of the published package. */
export async function pageInputs() {
	const { metafile } = await bundlePage();
	return Object.keys(metafile.inputs);
}

export async function buildPage() {
	const [{ outputFiles }, html] = await Promise.all([bundlePage(), readFile(`${FOLDER}src/index.html`, "utf8")]);
	const file = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).contents;
	return { html, js: file(".js"), css: file(".css") };
}

const bundlePage = () =>
	build({
		absWorkingDir: FOLDER,
		entryPoints: { page: "src/main.tsx" },
		outdir: "dist",
		write: false,
		bundle: true,
		minify: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		jsx: "automatic",
		jsxImportSource: "preact",
		legalComments: "none",
		logLevel: "warning",
		metafile: true,
		tsconfigRaw: {},
	});
