import type { Command } from "commander";
import * as emulator from "cursorwire-emulator/cli";
import { describe, expect, it } from "vitest";
import { renderCliDoc } from "../../scripts/cli-doc.ts";
import { EXIT_CODES } from "../../src/cli/process/exit-codes.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { EXAMPLES } from "../../src/cli/terminal/examples.ts";
import { runProgram } from "../kit/program.ts";

const program = buildProgram(emulator);
const COMMANDS = program.commands.map((command) => command.name());

it("has a row in docs/cli.md for every exit code", () => {
	const document = renderCliDoc();
	for (const { code, about } of Object.values(EXIT_CODES)) expect(document).toContain(`| ${code} | ${about} |`);
});

it("has examples in the help of every command, and of nothing else", () => {
	expect(Object.keys(EXAMPLES).sort()).toEqual([...COMMANDS, "cursorwire"].sort());
	for (const command of program.commands) {
		const help: string[] = [];
		command.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
		for (const [line] of EXAMPLES[command.name()]!) expect(help.join("")).toContain(line);
	}
});

/** Subcommands that need not be named, with their commands. */
const DEFAULTS: Record<string, readonly string[]> = { list: ["keys", "limits"], print: ["completion"] };

describe("every example", () => {
	const lines = Object.values(EXAMPLES).flatMap((examples) => examples.map(([line]) => line));

	it.each(lines)("%s is understood", async (line) => {
		// What the shell takes for itself is left out.
		const typed = /^eval "\$\((.*)\)"$/.exec(line)?.[1] ?? line.replace(/ > \S+$/, "");
		const words = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
		let ran = "";
		const each = buildProgram(emulator).exitOverride((error) => {
			throw error;
		});
		stub(each, (name) => {
			ran = name;
		});
		await each.parseAsync(words.slice(1), { from: "user" });
		expect([ran, ...(DEFAULTS[ran] ?? [])].filter((name) => words.includes(name))).not.toEqual([]);
	});
});

/** Nothing is done: only whether the words lead to a command. */
function stub(command: Command, ran: (name: string) => void): void {
	for (const each of command.commands) {
		each.exitOverride((error) => {
			throw error;
		});
		if (each.commands.length > 0) stub(each, ran);
		else each.action(() => ran(each.name()));
	}
}

it("prints the version and the help, with exit code 0", async () => {
	const [version, help, nested] = await Promise.all([
		runProgram(["--version"]),
		runProgram(["--help"]),
		runProgram(["service", "install", "--help"]),
	]);
	expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: "" });
	expect(help).toMatchObject({ code: 0, out: expect.stringContaining("Examples:"), err: "" });
	expect(nested).toMatchObject({ code: 0, out: expect.stringContaining("--print"), err: "" });
});
