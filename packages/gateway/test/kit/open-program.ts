// A copy of the program that every user can read. The clone may be in a folder that only its owner can enter, such as
// the home of root.
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
/** What the bundled program needs beside itself: SQLite, with its native part. */
const NATIVE = ["libsql", "@libsql", "@neon-rs", "detect-libc"];

/** Copies the bundled program. The copy is gone when the test is over. */
export function openProgram(program: string): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-open-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	chmodSync(folder, 0o755);
	cpSync(dirname(dirname(program)), folder, { recursive: true });
	for (const name of NATIVE) cpSync(join(MODULES, name), join(folder, "node_modules", name), { recursive: true });
	return join(folder, "bin", "cursorwire.mjs");
}
