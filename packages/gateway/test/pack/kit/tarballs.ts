// The public packages as `npm pack` makes them, built and packed once a run.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
	interface ProvidedContext {
		packages: Packages;
	}
}

export interface Packages {
	/** The folder that holds a folder for each of them, as it was built. */
	built: string;
	/** Paths by the name of the package. */
	tarballs: Record<string, string>;
}

const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));
const run = promisify(execFile);

/** Makes them before the first test file, and removes them after the last. */
export default async function packAll(project: TestProject): Promise<() => void> {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-packages-"));
	const built = join(folder, "built");
	const packed = join(folder, "packed");
	mkdirSync(packed);
	await run(process.execPath, ["scripts/build.mjs", "--out", built], { cwd: ROOT });
	const folders = readdirSync(built).map((name) => join(built, name));
	const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", packed, ...folders], { cwd: folder });
	const rows = Object.values(JSON.parse(stdout)) as { name: string; filename: string }[];
	const tarballs = Object.fromEntries(rows.map(({ name, filename }) => [name, join(packed, filename)]));
	project.provide("packages", { built, tarballs });
	return () => rmSync(folder, { recursive: true, force: true });
}
