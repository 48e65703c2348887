import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { COMPLETIONS, completionTree, SHELLS } from "../../src/cli/commands/completion.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { temporaryFolder } from "../kit/program.ts";

const tree = completionTree(buildProgram());
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
			["codex", "claude-code", "cline", "continue", "crush"],
		],
		[
			["connect", "codex", "--no-"],
			["--no-default", "--no-verify"],
		],
		[["service", "u"], ["uninstall"]],
		[["service", "install", "--p"], ["--print"]],
		[["keys", "re"], ["revoke"]],
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
