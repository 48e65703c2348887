// The page as it is served: three files, bundled with esbuild. In a checkout the gateway calls `buildPage` when the page
// is asked for the first time; `npm run build` puts the same three files into the published package.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** The three files, and the paths of the sources that they were made from. */
export async function buildPage() {
	const [{ outputFiles, metafile }, html] = await Promise.all([
		bundle(),
		readFile(join(FOLDER, "src/index.html"), "utf8"),
	]);
	const file = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).contents;
	const inputs = Object.keys(metafile.inputs).map((input) => join(FOLDER, input));
	return { html, js: file(".js"), css: file(".css"), inputs };
}

const bundle = () =>
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
