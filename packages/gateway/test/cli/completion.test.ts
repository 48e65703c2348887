import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as emulator from "cursorwire-emulator/cli";
import { beforeAll, describe, expect, it } from "vitest";
import { COMPLETIONS, completionTree, SHELLS } from "../../src/cli/completion/completion-scripts.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";

const tree = completionTree(buildProgram(emulator));
const COMMANDS = tree.commands.map(({ name }) => name);

it("knows every command, and the subcommands of those that have some", () => {
	expect(COMMANDS).toEqual(expect.arrayContaining(["demo", "serve", "connect", "doctor", "service", "completion"]));
	expect(tree.commands.find(({ name }) => name === "service")?.commands.map(({ name }) => name)).toEqual([
		"install",
		"uninstall",
		"status",
	]);
});

describe("bash", () => {
	let script: string;
	beforeAll(() => {
		script = COMPLETIONS.bash(tree);
	});

	/** What bash offers behind the words. */
	function complete(...words: string[]): string[] {
		const file = join(temporaryFolder(), "completion");
		writeFileSync(file, script);
		const typed = words.map((word) => `'${word}'`).join(" ");
		const program = `. '${file}'; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _cursorwire; printf '%s\\n' "\${COMPREPLY[@]}"`;
		const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", program], { encoding: "utf8", cwd: "/" });
		expect(stderr).toBe("");
		return stdout.split("\n").filter((line) => line !== "");
	}

	it.each<[words: string[], offered: string[]]>([
		[["con"], ["connect", "config"]],
		[
			["connect", "c"],
			["codex", "claude-code", "cline", "continue", "copilot", "crush"],
		],
		[
			["connect", "codex", "--no-"],
			["--no-default", "--no-verify"],
		],
		[["service", "u"], ["uninstall"]],
		[["service", "install", "--p"], ["--print"]],
		[["keys", "re"], ["revoke"]],
		[
			["completion", "install", ""],
			["bash", "zsh", "fish", "--help"],
		],
		[
			["serve", "--port", "1", "--al"],
			["--allow-remote", "--allow-hosts", "--allow-origins"],
		],
	])("%j offers %j", (words, offered) => {
		expect(complete("cursorwire", ...words).sort()).toEqual([...offered].sort());
	});
});

describe.each(SHELLS)("%s", (shell) => {
	it.skipIf(spawnSync(shell, ["--version"]).error)("reads its script", () => {
		const file = join(temporaryFolder(), "completion");
		writeFileSync(file, COMPLETIONS[shell](tree));
		expect(spawnSync(shell, ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
	});

	it("has every command", () => {
		for (const command of COMMANDS) expect(COMPLETIONS[shell](tree)).toContain(command);
	});
});

const isMissing = (shell: string) => spawnSync(shell, ["--version"]).error !== undefined;
/** Where the manuals of bash-completion and fish say that they look; the place for zsh is ours. */
const PLACES = {
	bash: ".local/share/bash-completion/completions/cursorwire",
	zsh: ".local/share/zsh/site-functions/_cursorwire",
	fish: ".config/fish/completions/cursorwire.fish",
};

describe("completion install", () => {
	it.each(SHELLS)("writes what is printed, says what is left to do, and takes it back: %s", async (shell) => {
		const HOME = temporaryFolder();
		const env = { HOME, SHELL: `/usr/bin/${shell}` };
		const installed = await runProgram(["completion", "install"], env);
		const file = /^Written: (.*)$/m.exec(installed.out)![1]!;
		expect([installed.code, installed.err]).toEqual([0, ""]);
		expect(readFileSync(file, "utf8")).toBe(COMPLETIONS[shell](tree));
		expect(file).toBe(join(HOME, PLACES[shell]));
		expect(installed.out).toContain("works in every new shell");
		expect((await runProgram(["completion", "uninstall", shell], env)).out).toContain(`Removed: ${file}`);
		expect(existsSync(file)).toBe(false);
	});

	it("leaves a file alone that somebody else wrote, and asks for a shell that it cannot guess", async () => {
		const HOME = temporaryFolder();
		const file = join(HOME, ".config/fish/completions/cursorwire.fish");
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, "# mine\n");
		const ended = await Promise.all([
			runProgram(["completion", "install", "fish"], { HOME }),
			runProgram(["completion", "uninstall", "fish"], { HOME }),
			runProgram(["completion", "install"], { HOME, SHELL: "/bin/tcsh" }),
			runProgram(["completion", "install"], { HOME }),
		]);
		expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
		expect(readFileSync(file, "utf8")).toBe("# mine\n");
		expect(ended[0]!.err).toContain(`${file} was not written by cursorwire`);
		expect(ended[3]!.err).toBe("$SHELL names no shell that is known; say which one: bash, zsh, fish\n");
	});

	/** Installs for the shell, and lets it do what its user would see after `cursorwire conn`. */
	async function inShell(shell: (typeof SHELLS)[number], program: (printed: string) => string): Promise<string> {
		const HOME = temporaryFolder();
		const { out } = await runProgram(["completion", "install", shell], { HOME });
		const args = shell === "bash" ? ["--norc"] : shell === "zsh" ? ["-f"] : ["--no-config"];
		const env = { HOME, PATH: process.env.PATH ?? "", TERM: "dumb" };
		const { stdout, stderr } = spawnSync(shell, [...args, "-c", program(out)], { encoding: "utf8", env, cwd: HOME });
		expect(stderr).toBe("");
		return stdout;
	}

	it("bash takes the file", async () => {
		const words = `COMP_WORDS=(cursorwire conn); COMP_CWORD=1; _cursorwire; echo "\${COMPREPLY[@]}"`;
		expect(await inShell("bash", () => `source "$HOME/${PLACES.bash}"; ${words}`)).toBe("connect\n");
	});

	it.skipIf(isMissing("zsh"))("zsh takes the line that is printed", async () => {
		const line = (printed: string) => /^source .*$/m.exec(printed)![0];
		expect(await inShell("zsh", (printed) => `${line(printed)}; print $_comps[cursorwire]`)).toBe("_cursorwire\n");
	});

	it.skipIf(isMissing("fish"))("fish finds it by itself", async () => {
		expect(await inShell("fish", () => 'complete -C "cursorwire conn"')).toMatch(/^connect\t/);
	});
});
