// Changes a file of the program for as long as a test runs. The original is kept beside until it is back in its place,
// so that not even a crash in between leaves the mistake in the program.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const KEPT = ".cache/mutants";
const nameOf = (file) => encodeURIComponent(file);

/** Puts back what a run that was ended in the middle has left changed. */
export function restoreLeftovers() {
	if (!existsSync(KEPT)) return;
	for (const name of readdirSync(KEPT)) {
		const file = decodeURIComponent(name);
		writeFileSync(file, readFileSync(join(KEPT, name)));
		rmSync(join(KEPT, name));
		console.log(`restored ${file}, which an earlier run had left changed`);
	}
}

export function withMutant({ file, find, replace }, run) {
	const original = readFileSync(file, "utf8");
	mkdirSync(KEPT, { recursive: true });
	const kept = join(KEPT, nameOf(file));
	writeFileSync(kept, original);
	const restore = () => {
		writeFileSync(file, original);
		rmSync(kept, { force: true });
	};
	process.once("exit", restore);
	try {
		// A function, so that $& and the like in the replacement are no patterns.
		writeFileSync(
			file,
			original.replace(find, () => replace),
		);
		return run();
	} finally {
		restore();
		process.off("exit", restore);
	}
}

// The test run in between gets the same signal and ends; then this process goes on to its own end, and restores.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
