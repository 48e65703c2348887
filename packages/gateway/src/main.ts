import { endByMistake } from "./cli/fatal.ts";
import { run } from "./cli/program.ts";

// `cursorwire models | head`: a reader that has enough is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit();
	throw error;
});
// Nor is a log that nobody reads any more.
process.stderr.on("error", () => {});
process.on("uncaughtException", endByMistake);

await run(process.argv);
