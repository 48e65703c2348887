// Bundles the program once a run: hundreds of tests start it, and through a TypeScript loader each start takes a second.
import { chmod, cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
// @ts-expect-error: a script without types
import { BUNDLE, entryPoints, PACKAGES, REQUIRE, writePage } from "../../../../scripts/build/package.mjs";

/** The variable that tells tests where it is. */
export const BUNDLED_PROGRAM = "CURSORWIRE_TEST_PROGRAM";

const GATEWAY = fileURLToPath(new URL("../../", import.meta.url));
/** Below the installed packages, of which it needs the native one. */
const CACHE = fileURLToPath(new URL("../../../../.cache/", import.meta.url));

export default async function bundleProgram(): Promise<() => Promise<void>> {
	await mkdir(CACHE, { recursive: true });
	const folder = await mkdtemp(join(CACHE, "test-program-"));
	// Some tests run it as another user.
	await chmod(folder, 0o755);
	await build({
		...BUNDLE,
		absWorkingDir: GATEWAY,
		entryPoints: entryPoints(["main", ...PACKAGES.cursorwire.threads]),
		outdir: join(folder, "dist"),
		splitting: true,
		format: "esm",
		external: ["libsql"],
		banner: { js: REQUIRE },
	});
	await writePage(join(folder, "dist/page"));
	await cp(join(GATEWAY, "package.json"), join(folder, "package.json"));
	await cp(join(GATEWAY, "bin"), join(folder, "bin"), { recursive: true });
	// On the PATH of a test the program finds itself by its usual name, and says so in its hints.
	await symlink("cursorwire.mjs", join(folder, "bin/cursorwire"));
	process.env[BUNDLED_PROGRAM] = join(folder, "bin/cursorwire.mjs");
	return () => rm(folder, { recursive: true, force: true });
}
