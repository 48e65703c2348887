import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellLines } from "./shell-lines.ts";

const VALUE = `it's "$HOME" \\ \`x\`;\n%PATH% ünï`;

it("any POSIX shell reads back every value, and removes what is to go", () => {
	const lines = shellLines({ ONE: VALUE, GONE: undefined, EMPTY: "" }, "sh");
	const script = `${lines}printf '%s|%s|%s' "$ONE" "\${GONE-none}" "\${EMPTY-none}"`;
	expect(execFileSync("sh", ["-c", script], { env: { GONE: "here", EMPTY: "x" } }).toString()).toBe(`${VALUE}|none|`);
	for (const shell of ["bash", "zsh"] as const)
		expect(shellLines({ ONE: VALUE }, shell)).toBe(shellLines({ ONE: VALUE }, "sh"));
});

it("fish and PowerShell have quotes of their own", () => {
	const variables = { ONE: `it's \\`, GONE: undefined };
	expect(shellLines(variables, "fish")).toBe("set -gx ONE 'it\\'s \\\\'\nset -e GONE\n");
	expect(shellLines(variables, "powershell")).toBe(
		"$env:ONE = 'it''s \\'\nRemove-Item Env:GONE -ErrorAction SilentlyContinue\n",
	);
});
