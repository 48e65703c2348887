import { endByMistake } from "./cli/process/fatal.ts";
import { speakAsStarted } from "./cli/process/started-as.ts";
import { run } from "./cli/program.ts";

// In `cursorwire models | head` the reader stops early, which is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit();
	throw error;
});
// A log whose reader has gone is not a failure either.
process.stderr.on("error", () => {});
process.on("uncaughtException", endByMistake);

speakAsStarted();
await run(process.argv);
