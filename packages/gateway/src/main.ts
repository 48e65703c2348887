import { describeFailure } from "./cli/failure.ts";
import { run } from "./cli/program.ts";

// `cursorwire models | head`: a reader that has enough is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit();
	throw error;
});
process.on("uncaughtException", (error) => {
	const { line, code } = describeFailure(error);
	console.error(line);
	process.exit(code);
});

await run(process.argv);
