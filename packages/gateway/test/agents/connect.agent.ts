// A stranger's way in: the demo, `cursorwire connect`, the real client with a tool, `cursorwire disconnect`.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";
import { installAgent } from "./kit/install.ts";
import { type AgentPackage, PACKAGES } from "./kit/packages.ts";
import { baseEnvironment, runAgent } from "./kit/process.ts";
import { startRefusingProxy } from "./kit/refusing-proxy.ts";

interface Connected {
	/** As `cursorwire connect` calls it. */
	client: string;
	package: AgentPackage;
	/** Its settings, below the home folder. */
	file: string;
	/** What stands in them before, with what lets it run tools unasked. Undefined: the file is the gateway's alone. */
	settings?: string;
	/** The file of its selection, where that is another one, and what stands in it before. */
	chooser?: { file: string; settings: string };
	/** What follows the program's name; `path` is that of its settings. */
	words(prompt: string, path: string): string[];
	/** What the demo's model is asked for, with the path of the note. */
	ask?(note: string): string;
	env?: Record<string, string>;
}

const CLIENTS: Connected[] = [
	{
		client: "opencode",
		package: PACKAGES.opencode,
		file: ".config/opencode/opencode.jsonc",
		// OpenCode adds the schema to a file that lacks it.
		settings:
			'{\n  "$schema": "https://opencode.ai/config.json",\n  // my own\n  "permission": "allow",\n  "autoupdate": false,\n  "share": "disabled",\n}\n',
		words: (prompt) => ["run", prompt],
		env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
	},
	{
		client: "codex",
		package: PACKAGES.codex,
		file: ".codex/config.toml",
		settings:
			'# my own\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n\n[tui]\nnotifications = false # quiet\n',
		words: (prompt) => ["exec", "--skip-git-repo-check", prompt],
	},
	{
		client: "claude-code",
		package: PACKAGES.claudeCode,
		file: ".claude/settings.json",
		settings: '{\n\t"permissions": { "deny": ["WebFetch"] },\n\t"includeCoAuthoredBy": false\n}\n',
		words: (prompt) => ["-p", prompt, "--allowedTools", "Bash"],
		env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
	},
	{
		client: "cline",
		package: PACKAGES.cline,
		file: "cline-data/settings/providers.json",
		settings: '{\n  "version": 1,\n  "modes": {},\n  "providers": {}\n}\n',
		// Without the flag it leaves a daemon running.
		words: (prompt, path) => ["--data-dir", dirname(dirname(path)), prompt],
		// On its own it would leave a daemon running.
		env: { CLINE_NO_AUTO_UPDATE: "1", CLINE_SESSION_BACKEND_MODE: "local" },
	},
	{
		client: "continue",
		package: PACKAGES.continue,
		file: ".continue/config.yaml",
		settings: "# my own\nname: Mine\nversion: 0.0.1\nschema: v1\n\nrules:\n  - Be brief. # please\n",
		words: (prompt, path) => ["-p", "--auto", "--config", path, prompt],
		env: { CONTINUE_TELEMETRY_ENABLED: "0" },
	},
	{
		client: "qwen-code",
		package: PACKAGES.qwen,
		file: ".qwen/settings.json",
		settings:
			'{\n  // my own\n  "$version": 4,\n  "ui": { "theme": "GitHub" },\n  "model": { "name": "qwen3-coder-plus" }\n}\n',
		words: (prompt) => ["--yolo", "-p", prompt],
		// Without a terminal it may miss what a command prints last.
		ask: (note) => `Read ${note}`,
	},
	{
		client: "pi",
		package: PACKAGES.pi,
		file: ".pi/agent/models.json",
		settings: '{\n  "providers": {} // none of my own\n}\n',
		chooser: {
			file: ".pi/agent/settings.json",
			settings: '{\n\t"defaultThinkingLevel": "off",\n\t"quietStartup": true\n}\n',
		},
		words: (prompt) => ["-p", "--offline", prompt],
	},
	{
		client: "kilo",
		package: PACKAGES.kilo,
		file: ".config/kilo/kilo.jsonc",
		settings:
			'{\n  "$schema": "https://app.kilo.ai/config.json",\n  // my own\n  "permission": "allow",\n  "autoupdate": false,\n  "share": "disabled",\n}\n',
		words: (prompt) => ["run", prompt],
		env: {
			KILO_DISABLE_MODELS_FETCH: "1",
			KILO_DISABLE_AUTOUPDATE: "1",
			KILO_DISABLE_CODEBASE_INDEXING: "1",
			KILO_TELEMETRY_LEVEL: "off",
		},
	},
	{
		client: "goose",
		package: PACKAGES.goose,
		file: ".config/goose/custom_providers/cursorwire.json",
		chooser: {
			file: ".config/goose/config.yaml",
			settings: "# my own\nGOOSE_MODE: auto\nGOOSE_TELEMETRY_ENABLED: false\n",
		},
		words: (prompt) => ["run", "--with-builtin", "developer", "-t", prompt],
		env: { GOOSE_MODE: "auto", GOOSE_DISABLE_KEYRING: "1" },
	},
];

/** A home folder, what a client started there needs, and the demo with its data elsewhere. */
async function machine(client: string) {
	const folder = realpathSync(temporaryFolder());
	const [home, work] = [join(folder, "home"), join(folder, "work")];
	for (const made of [home, join(home, "tmp"), work]) mkdirSync(made, { recursive: true });
	const env = {
		...baseEnvironment(home, await startRefusingProxy()),
		...(client === "cline" && { CLINE_DATA_DIR: join(home, "cline-data") }),
	};
	// A home of its own tells it apart from what the agent leaves running; what both look for is in the settings' folder.
	const demo = startProgram(["demo", "--port", "0"], { ...env, HOME: folder });
	await demo.prints(/Ctrl-C/);
	const word = `word-${randomBytes(6).toString("hex")}`;
	writeFileSync(join(work, "note.txt"), `${word}\n`);
	return { home, work, env, word };
}

describe.each(CLIENTS)("$client", ({ client, package: wanted, file, settings, chooser, words, ask, env }) => {
	let program: string[];
	beforeAll(async () => {
		program = await installAgent(wanted);
	});

	// Quick: with settings, which is the harder one.
	const starts: [string, boolean][] = [["with settings of its own", true]];
	if (process.env.CURSORWIRE_TEST_QUICK !== "1") starts.push(["without any", false]);
	test.each(starts)(
		"%s: connected to the demo it answers and uses a tool, and is disconnected without a trace",
		async (_, hasSettings) => {
			const { home, work, env: own, word } = await machine(client);
			const path = join(home, file);
			const files: [path: string, before: string | undefined][] = [[path, hasSettings ? settings : undefined]];
			if (chooser) files.push([join(home, chooser.file), hasSettings ? chooser.settings : undefined]);
			for (const [name, before] of files) {
				if (before === undefined) continue;
				mkdirSync(dirname(name), { recursive: true });
				writeFileSync(name, before);
			}

			const connected = await runProgram(["connect", client, "--yes"], own);
			expect(connected).toMatchObject({ code: 0, err: "" });
			expect(connected.out).toContain("Tried: auto replied");

			const prompt = ask?.(join(work, "note.txt")) ?? "Run `cat note.txt`";
			const command = [...program, ...words(prompt, path)];
			const ran = await runAgent({ command, cwd: work, env: { ...own, ...env } });
			expect(ran.output).toContain(word);
			expect(ran.code).toBe(0);
			// What Codex says of a model that its catalogue does not have.
			expect(ran.output).not.toMatch(/metadata for/i);

			const disconnected = await runProgram(["disconnect", client, "--yes"], own);
			expect(disconnected).toMatchObject({ code: 0, err: "" });
			for (const [name, before] of files) {
				expect([name, existsSync(name) && readFileSync(name, "utf8")]).toEqual([name, before ?? false]);
			}
		},
	);
});

describe("copilot", () => {
	test("answers and uses a tool with the lines that `connect` prints, and nothing else is written", async () => {
		const program = await installAgent(PACKAGES.copilot);
		const { home, work, env, word } = await machine("copilot");
		const connected = await runProgram(["connect", "copilot"], env);
		expect(connected).toMatchObject({ code: 0, err: "" });
		expect(connected.out).toContain("Tried: auto replied");
		const lines = connected.out.split("\n").filter((line) => line.startsWith("export "));
		// They name the program as it was started, which is right in the folder where that was.
		const script = [`cd '${process.cwd()}'`, ...lines, `cd '${work}'`, 'exec "$@"'].join("\n");
		const words = ["-p", "Run `cat note.txt`", "--allow-all-tools", "--allow-all-paths"];
		const command = ["/bin/bash", "-ec", script, "bash", ...program, ...words];
		const ran = await runAgent({ command, cwd: work, env: { ...env, COPILOT_OFFLINE: "true" } });
		expect(ran.output).toContain(word);
		expect(ran.code).toBe(0);
		expect(existsSync(join(home, ".config", "cursorwire", "connections"))).toBe(false);
	});
});
