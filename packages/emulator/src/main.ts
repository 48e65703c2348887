import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addEmulateOptions, emulate } from "./cli.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const program = addEmulateOptions(
	new Command("cursorwire-emulator")
		.description("A faithful emulator of Cursor's backend, on loopback")
		.version(version),
);
program.action(emulate);
await program.parseAsync();
