// Tools that do real work in a folder of their own.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestTool } from "./client.ts";

const execute = promisify(execFile);

export function workTools(folder: string): TestTool[] {
	return [
		{
			name: "read_file",
			description: "Reads a file.",
			parameters: parameters("path"),
			run: ({ path }: { path: string }) => readFile(join(folder, path), "utf8"),
		},
		{
			name: "write_file",
			description: "Writes a file.",
			parameters: parameters("path", "content"),
			async run({ path, content }: { path: string; content: string }) {
				await writeFile(join(folder, path), content);
				return `Wrote ${path}.`;
			},
		},
		{
			name: "run_command",
			description: "Runs a command.",
			parameters: parameters("command"),
			async run({ command }: { command: string }) {
				const { stdout } = await execute("/bin/sh", ["-c", command], { cwd: folder });
				return stdout;
			},
		},
	];
}

function parameters(...names: string[]): TestTool["parameters"] {
	const properties = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
	return { type: "object", properties, required: names };
}
