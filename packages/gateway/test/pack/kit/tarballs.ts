// The public packages as `npm pack` makes them.
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));
const run = promisify(execFile);

/** Builds and packs all of them inside `folder`, and returns the paths of the tarballs by package name. */
export async function packAll(folder: string): Promise<Record<string, string>> {
	const built = join(folder, "built");
	const packed = join(folder, "packed");
	mkdirSync(packed, { recursive: true });
	await run(process.execPath, ["scripts/build.mjs", "--out", built], { cwd: ROOT });
	const names = ["cursorwire-emulator", "cursorwire", "opencode-cursorwire"];
	const folders = names.map((name) => join(built, name));
	const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", packed, ...folders], { cwd: folder });
	const rows = Object.values(JSON.parse(stdout)) as { name: string; filename: string }[];
	return Object.fromEntries(rows.map(({ name, filename }) => [name, join(packed, filename)]));
}
