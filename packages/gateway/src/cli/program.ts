import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addEmulateOptions, emulate } from "cursorwire-emulator";
import { demo } from "./demo.ts";

/** The `cursorwire` program. A wrong option ends in one line and exit code 2. */
export async function run(argv: string[]): Promise<void> {
	const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	const program = new Command("cursorwire")
		.description("Your own Cursor subscription, from any AI client")
		.version(version)
		.showHelpAfterError("(--help lists the options)")
		.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

	program
		.command("demo")
		.description("run the product against the emulator, without an account")
		.option("--port <number>", "port of the emulator, 0 for any free one", "4290")
		.action(demo);
	addEmulateOptions(program.command("emulate").description("run Cursor's backend in a box")).action(emulate);

	await program.parseAsync(argv);
}
