// `npm run build:sea`: the gateway as one executable file, for the system and the version of Node that run this.
// dist/sea/cursorwire needs no Node and no node_modules. https://nodejs.org/api/single-executable-applications.html
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { inject } from "postject";
import { BUNDLE, ROOT, writePage } from "./build/package.mjs";

/** Where Node looks for the program inside itself. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const ADDON = "libsql.node";
const THREAD = "structured-output-worker.cjs";
const PAGE_FILES = ["index.html", "page.js", "page.css"];

const { values } = parseArgs({ options: { out: { type: "string", default: "dist/sea" } } });
const out = resolve(values.out);
const executable = join(out, process.platform === "win32" ? "cursorwire.exe" : "cursorwire");
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

const script = join(out, "main.cjs");
const thread = join(out, THREAD);
const page = join(out, "page");
await writePage(page);
const { version } = JSON.parse(await readFile(join(ROOT, "packages/gateway/package.json"), "utf8"));
const gateway = { ...BUNDLE, absWorkingDir: join(ROOT, "packages/gateway"), format: "cjs" };
await build({ ...gateway, entryPoints: ["src/output/structured-output-worker.ts"], outfile: thread });
await build({
	...gateway,
	entryPoints: ["src/main.ts"],
	outfile: script,
	plugins: [
		// One file has no manifest beside it, no top-level await, and loads native code from itself.
		rewrite(/gateway\/src\/version\.ts$/, /return JSON[^;]+;/, `return ${JSON.stringify(version)};`),
		rewrite(/gateway\/src\/main\.ts$/, /^await (run\()/m, "void $1"),
		rewrite(
			/structured-output-thread\.ts$/,
			/return new Worker\(new URL\(.+$/m,
			`return new Worker(require("node:sea").getAsset(${JSON.stringify(THREAD)}, "utf8"), { eval: true });`,
		),
		rewrite(
			/gateway\/src\/page-files\.ts$/,
			/readFile\(new URL\([^)]+\)\)/,
			'new Uint8Array(require("node:sea").getRawAsset(name))',
		),
		rewrite(/libsql\/index\.js$/, /requireNative\(\);/, `(${loadAddon})(${JSON.stringify(ADDON)});`),
	],
});

const settings = join(out, "sea-config.json");
const blob = join(out, "main.blob");
const config = {
	main: script,
	output: blob,
	disableExperimentalSEAWarning: true,
	// Only valid for exactly this version of Node, which is what it is put into.
	useCodeCache: true,
	assets: {
		[ADDON]: addonPath(),
		[THREAD]: thread,
		...Object.fromEntries(PAGE_FILES.map((name) => [name, join(page, name)])),
	},
};
await writeFile(settings, JSON.stringify(config));
execFileSync(process.execPath, ["--experimental-sea-config", settings], { stdio: ["ignore", "ignore", "inherit"] });
await copyFile(process.execPath, executable);
await chmod(executable, 0o755);
// A changed program is no longer the one that was signed.
if (process.platform === "darwin") execFileSync("codesign", ["--remove-signature", executable]);
await inject(executable, "NODE_SEA_BLOB", await readFile(blob), {
	sentinelFuse: FUSE,
	...(process.platform === "darwin" && { machoSegmentName: "NODE_SEA" }),
});
if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", executable]);
for (const file of [script, thread, settings, blob, page]) await rm(file, { recursive: true });
console.log(relative(process.cwd(), executable));

/** An esbuild plugin that changes one place of one file. A place that is gone fails the build. */
function rewrite(filter, place, replacement) {
	return {
		name: `rewrite ${filter}`,
		setup({ onLoad }) {
			onLoad({ filter }, async ({ path }) => {
				const contents = await readFile(path, "utf8");
				if (!place.test(contents)) throw new Error(`${path} has no ${place} to replace`);
				return { contents: contents.replace(place, replacement), loader: path.endsWith(".ts") ? "ts" : "js" };
			});
		},
	};
}

/** The native part of libsql that this system uses. */
function addonPath() {
	const require = createRequire(createRequire(import.meta.url).resolve("libsql"));
	const { currentTarget } = require("@neon-rs/load");
	const { familySync, GLIBC } = require("detect-libc");
	const target = familySync() === GLIBC ? currentTarget().replace(/-musl$/, "-gnu") : currentTarget();
	return join(dirname(require.resolve(`@libsql/${target}/package.json`)), "index.node");
}

/**
 * Becomes part of the executable: native code can only be loaded from a file. The folder is new and private each time,
 * so that nobody can have put another file there.
 *
 * @param {string} name
 */
function loadAddon(name) {
	const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
	const { tmpdir } = require("node:os");
	const path = require("node:path");
	const folder = mkdtempSync(path.join(tmpdir(), "cursorwire-"));
	try {
		const file = path.join(folder, name);
		writeFileSync(file, new Uint8Array(require("node:sea").getRawAsset(name)), { mode: 0o700 });
		const addon = { exports: {} };
		process.dlopen(addon, file);
		return addon.exports;
	} finally {
		try {
			rmSync(folder, { recursive: true, force: true });
		} catch {
			// Windows keeps a file that is in use; it is left to whoever cleans up temporary files.
		}
	}
}
