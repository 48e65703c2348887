// One public package as it is published. A checkout runs its TypeScript through tsx, so the folder that is published is
// not the folder that is worked in: the source manifests are private and point to src, the built ones to dist.
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { buildPage } from "../../packages/page/build.mjs";
import { readLock } from "../dependencies/lock.mjs";
import { bundledPackages } from "./bundled-packages.mjs";
import { publishedManifest } from "./manifest.mjs";
import { thirdPartyNotices } from "./notices.mjs";
import { billOfMaterials } from "./sbom.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * By the name of the package: its folder, the modules that are entered from outside, those of them that others import
 * and need types for, programs of threads, what npm installs beside it, files that are published as they are, and
 * whether the page is among them. Everything else becomes part of it: it starts twice as fast, and nobody gets a
 * combination of versions that was never tested. What stays outside has a reason: libsql is native code, and the declarations of the emulator mention its three.
 *
 * @type {Record<string, { folder: string, entries: string[], typed: string[], threads?: string[], installed: string[], files?: string[], hasPage?: boolean }>}
 */
export const PACKAGES = {
	"cursorwire-emulator": {
		folder: "packages/emulator",
		entries: ["main", "index", "cli"],
		typed: ["index", "cli"],
		installed: ["@bufbuild/protobuf", "commander", "zod"],
	},
	cursorwire: {
		folder: "packages/gateway",
		entries: ["main", "local"],
		typed: ["local"],
		threads: ["output/structured-output-worker"],
		installed: ["cursorwire-emulator", "libsql"],
		files: ["bin/keychain.mjs", "config.schema.json"],
		hasPage: true,
	},
	// OpenCode loads it, nobody compiles against it.
	"opencode-cursorwire": {
		folder: "packages/opencode",
		entries: ["index"],
		typed: [],
		installed: ["cursorwire"],
		files: ["bin/with-parent.mjs"],
	},
};

/**
 * Builds into `<out>/<name>` and returns that folder.
 *
 * @param {string} name
 * @param {string} out
 */
export async function buildPackage(name, out) {
	const { folder, typed } = PACKAGES[name];
	const source = join(ROOT, folder);
	const target = join(out, name);
	await rm(target, { recursive: true, force: true });

	const { manifest, inputs } = await buildProgram(name, target);
	if (typed.length > 0) await declare(source, typed, join(target, "dist"));
	const bundled = await bundledPackages(inputs.map((input) => join(source, input)));
	if (bundled.length > 0) await writeFile(join(target, "THIRD-PARTY-NOTICES.txt"), await thirdPartyNotices(bundled));
	const lock = readLock(ROOT);
	const bill = billOfMaterials(manifest, bundled, (path) => lock[relative(ROOT, path)]?.integrity);
	await writeFile(join(target, "sbom.cdx.json"), `${JSON.stringify(bill, undefined, 2)}\n`);
	await cp(join(source, "README.md"), join(target, "README.md"));
	await cp(join(ROOT, "LICENSE"), join(target, "LICENSE"));
	return relative(process.cwd(), target);
}

/**
 * The part of a package that runs. Returns the manifest of its source and the files that became part of the bundle.
 *
 * @param {string} name
 * @param {string} target
 */
export async function buildProgram(name, target) {
	const { folder, entries, typed, threads = [], installed, files = [], hasPage = false } = PACKAGES[name];
	const source = join(ROOT, folder);
	const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
	await mkdir(target, { recursive: true });
	const inputs = await bundle(source, [...entries, ...threads], join(target, "dist"), installed);
	const published = publishedManifest(manifest, { typed, installed });
	await writeFile(join(target, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
	for (const path of [...Object.values(manifest.bin ?? {}), ...files]) await cp(join(source, path), join(target, path));
	for (const path of Object.values(manifest.bin ?? {})) await chmod(join(target, path), 0o755);
	if (!hasPage) return { manifest, inputs };
	const ofPage = await writePage(join(target, "dist", "page"));
	return { manifest, inputs: [...inputs, ...ofPage.map((input) => relative(source, input))] };
}

/** The page, where src/page-files.ts of the gateway looks for it. Returns the files that became part of it. */
export async function writePage(folder) {
	const { html, js, css, inputs } = await buildPage();
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, "index.html"), html);
	await writeFile(join(folder, "page.js"), js);
	await writeFile(join(folder, "page.css"), css);
	return inputs;
}

/** Returns the files that became part of the bundle. */
export async function bundle(source, entries, outdir, installed) {
	const { metafile } = await build({
		...BUNDLE,
		absWorkingDir: source,
		entryPoints: entryPoints(entries),
		outdir,
		// What is imported when it is needed stays in a file of its own. All files lie side by side: see src/version.ts.
		splitting: true,
		format: "esm",
		external: installed.flatMap((dependency) => [dependency, `${dependency}/*`]),
		// CommonJS libraries ask for Node's own modules with it.
		banner: { js: REQUIRE },
		metafile: true,
	});
	return Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
}

/**
 * The modules below src of these names, built side by side whatever folder they are in.
 *
 * @param {string[]} entries
 */
export const entryPoints = (entries) => entries.map((entry) => ({ in: `src/${entry}.ts`, out: basename(entry) }));

/** Not minified: a stack trace that a user sends stays readable, and it would start no faster. */
export const BUNDLE = {
	bundle: true,
	platform: "node",
	target: "node20.19",
	// Some libraries wrap their CommonJS form in a way that hides what it requires.
	mainFields: ["module", "main"],
	legalComments: "none",
	logLevel: "warning",
};

export const REQUIRE =
	'import { createRequire as createRequireHere } from "node:module"; const require = createRequireHere(import.meta.url);';

async function declare(source, modules, dir) {
	const declarations = await rollup({
		input: Object.fromEntries(modules.map((module) => [module, join(source, "src", `${module}.ts`)])),
		plugins: [
			dts({
				tsconfig: join(ROOT, "tsconfig.json"),
				includeExternal: ["@cursorwire/protocol", "@cursorwire/protocol/aiserver"],
			}),
		],
		external: [/^node:/],
		onwarn: ({ code, message }) => {
			// Every name from npm is one, and is meant to be.
			if (code !== "UNRESOLVED_IMPORT") throw new Error(message);
		},
	});
	await declarations.write({ dir });
	await declarations.close();
}
