// `cursorwire launch` with the real clients: a task with a tool, and nothing left of the launch but what it cost.
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Brain, type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { runProgram, type Started, startProgram, temporaryFolder } from "../kit/program.ts";
import { installAgent } from "./kit/install.ts";
import { type AgentPackage, PACKAGES } from "./kit/packages.ts";
import { baseEnvironment } from "./kit/process.ts";
import { expectNobodyLeft, MARK } from "./kit/process-groups.ts";
import { startRefusingProxy } from "./kit/refusing-proxy.ts";

interface Launched {
	/** As `cursorwire launch` calls it. */
	client: string;
	/** The name by which it is found on the PATH. */
	program: string;
	package: AgentPackage;
	/** Settings of the user's, below the home folder, which must stay as they are. */
	settings?: [file: string, text: string];
	words(prompt: string): string[];
	/** What the emulator's model is asked for, with the path of the note. */
	ask?(note: string): string;
	env?: Record<string, string>;
}

const CLIENTS: Launched[] = [
	{
		client: "claude",
		program: "claude",
		package: PACKAGES.claudeCode,
		// Without what launch says about its host, these would be stronger than the environment.
		settings: [
			".claude/settings.json",
			'{ "env": { "ANTHROPIC_BASE_URL": "http://127.0.0.1:9" }, "includeCoAuthoredBy": false }\n',
		],
		words: (prompt) => ["-p", prompt, "--allowedTools", "Bash"],
		env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
	},
	{
		client: "codex",
		program: "codex",
		package: PACKAGES.codex,
		settings: [
			".codex/config.toml",
			'approval_policy = "never"\nsandbox_mode = "danger-full-access"\nmodel = "mine"\n',
		],
		words: (prompt) => ["exec", "--skip-git-repo-check", prompt],
	},
	{
		client: "opencode",
		program: "opencode",
		package: PACKAGES.opencode,
		settings: [
			".config/opencode/opencode.jsonc",
			'{\n  "$schema": "https://opencode.ai/config.json",\n  "permission": "allow",\n  "autoupdate": false,\n  "share": "disabled",\n  "model": "mine/mine",\n}\n',
		],
		words: (prompt) => ["run", prompt],
		env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
	},
	{
		client: "qwen",
		program: "qwen",
		package: PACKAGES.qwen,
		settings: [".qwen/settings.json", '{\n  "$version": 4,\n  "model": { "name": "qwen3-coder-plus" }\n}\n'],
		words: (prompt) => ["--yolo", "-p", prompt],
		// Without a terminal it may miss what a command prints last.
		ask: (note) => `Read ${note}`,
	},
	{
		client: "cline",
		program: "cline",
		package: PACKAGES.cline,
		words: (prompt) => [prompt],
		env: { CLINE_NO_AUTO_UPDATE: "1" },
	},
	{
		client: "continue",
		program: "cn",
		package: PACKAGES.continue,
		settings: [".continue/config.yaml", "name: Mine\nversion: 0.0.1\nschema: v1\n\nrules:\n  - Be brief. # please\n"],
		words: (prompt) => ["-p", "--auto", prompt],
		env: { CONTINUE_TELEMETRY_ENABLED: "0" },
	},
	{
		client: "goose",
		program: "goose",
		package: PACKAGES.goose,
		settings: [".config/goose/config.yaml", "GOOSE_PROVIDER: ollama\nGOOSE_MODEL: mine\n"],
		words: (prompt) => ["run", "--no-session", "--with-builtin", "developer", "-t", prompt],
		env: { GOOSE_DISABLE_KEYRING: "1", GOOSE_MODE: "auto" },
	},
	{
		client: "copilot",
		program: "copilot",
		package: PACKAGES.copilot,
		words: (prompt) => ["-p", prompt, "--allow-all-tools", "--allow-all-paths"],
		env: { COPILOT_AUTO_UPDATE: "false" },
	},
	{
		client: "pi",
		program: "pi",
		package: PACKAGES.pi,
		words: (prompt) => ["-p", prompt],
		env: { PI_OFFLINE: "1" },
	},
	{
		client: "kilo",
		program: "kilo",
		package: PACKAGES.kilo,
		settings: [
			".config/kilo/kilo.json",
			'{\n  "$schema": "https://app.kilo.ai/config.json",\n  "permission": "allow",\n  "model": "mine/mine"\n}\n',
		],
		words: (prompt) => ["run", prompt],
		env: { KILO_DISABLE_MODELS_FETCH: "1", KILO_DISABLE_AUTOUPDATE: "1", KILO_DISABLE_CODEBASE_INDEXING: "1" },
	},
];

const IS_QUICK = process.env.CURSORWIRE_TEST_QUICK === "1";
const LIMIT_MS = 240_000;

describe.each(CLIENTS)("$client", (launched) => {
	let command: string[];
	beforeAll(async () => {
		command = await installAgent(launched.package);
	});

	test("launched it uses a tool, and nothing is left but what the launch cost", async () => {
		const stage = await open(launched, command, {});
		const word = `word-${randomBytes(6).toString("hex")}`;
		writeFileSync(join(stage.work, "note.txt"), `${word}\n`);
		const prompt = launched.ask?.(join(stage.work, "note.txt")) ?? "Run `cat note.txt`";
		const { code, out, err } = await stage.launch(prompt).finished();
		expect(`${out}${err}`).toContain(word);
		expect(code).toBe(0);
		// What Codex says of a model that its catalogue does not have.
		expect(`${out}${err}`).not.toMatch(/metadata for/i);
		await stage.expectNothingLeft();
		const bills = (await (await fetch(`${stage.emulator.url}/__emulator/usage`)).json()) as { runs: Bill[] };
		const sum = (field: keyof Bill["total"]) => bills.runs.reduce((tokens, { total }) => tokens + total[field], 0);
		const [, turns, input, output] = /This launch cost ([\d,]+) turns?.*?, ([\d,]+) tokens in.*?, ([\d,]+) out/.exec(
			err,
		)!;
		// One run of the emulator takes the results of tools as further turns.
		expect(numberOf(turns!)).toBe(bills.runs.reduce((count, { steps }) => count + steps.length, 0));
		expect(numberOf(output!)).toBe(sum("outputTokens"));
		// What a turn has read that ends in a call is estimated, because Cursor tells no more before the last one (ADR 21).
		expect(Math.abs(numberOf(input!) / sum("inputTokens") - 1)).toBeLessThan(0.05);
	});

	test.runIf(["claude", "codex"].includes(launched.client))(
		"launched with a limit it stops within a loop of tools, says why, and the limit is gone with the launch",
		async () => {
			const loops: Brain = async function* () {
				for (;;) yield { calls: [launched.client === "codex" ? READ_BY_CODEX : READ_BY_CLAUDE] };
			};
			const stage = await open(launched, command, { brain: loops });
			const { out, err } = await stage.launch("Go on", "--limit", "2 turns").finished();
			expect(`${out}${err}`).toContain("The limit of 2 turns for this key is reached");
			expect(`${out}${err}`).not.toMatch(/metadata for/i);
			expect(err).toMatch(/^This launch cost /m);
			await vi.waitFor(() => expect(stage.emulator.stats().streams.open).toBe(0), PATIENT);
			expect(stage.emulator.stats().runs.cancelled.length).toBeGreaterThan(0);
			expect(stage.emulator.stats().runs.started).toBeLessThanOrEqual(2);
			await stage.expectNothingLeft();
		},
	);

	// Quick: how a process ends does not depend on the client.
	test.skipIf(IS_QUICK && launched.client !== "claude").each(["SIGINT", "SIGKILL"] as const)(
		"ended by %s in the middle of a turn, nothing is left either",
		async (signal) => {
			const waits = async function* () {
				yield { hang: "heartbeats" as const };
			};
			const stage = await open(launched, command, { brain: waits });
			const run = stage.launch("Wait for me");
			await vi.waitFor(() => expect(stage.emulator.stats().runs.started).toBeGreaterThan(0), PATIENT);
			// Ctrl-C of a terminal reaches the client itself; here launch passes it on.
			if (signal === "SIGINT") run.program.child.kill(signal);
			else process.kill(clientOf(run.program.child.pid!), signal);
			const { code } = await run.finished();
			if (signal === "SIGKILL") expect(code).toBe(137);
			await stage.expectNothingLeft();
			await vi.waitFor(() => expect(stage.emulator.stats().streams.open).toBe(0), PATIENT);
		},
	);
});

const READ_BY_CODEX = { name: "exec_command", arguments: { cmd: "date" } };
const READ_BY_CLAUDE = { name: "Bash", arguments: { command: "date", description: "tells the time" } };
const PATIENT = { timeout: 120_000, interval: 50 };

interface Bill {
	steps: unknown[];
	total: { inputTokens: number; outputTokens: number };
}

const numberOf = (text: string): number => Number(text.replaceAll(",", ""));

interface Stage {
	emulator: Emulator;
	work: string;
	/** `flags` are those of the launch. */
	launch(prompt: string, ...flags: string[]): Launch;
	/** No process, no valid key, no file of the launch, no file with its key; and the user's settings as they were. */
	expectNothingLeft(): Promise<void>;
}

interface Launch {
	program: Started;
	finished(): Promise<{ code: number | null; out: string; err: string }>;
}

async function open(
	{ client, program, settings, words, env: own }: Launched,
	command: string[],
	options: EmulatorOptions,
): Promise<Stage> {
	const emulator = await startEmulator({ ...options });
	onTestFinished(() => emulator.close());
	const folder = realpathSync(temporaryFolder());
	const [home, work, bin, dataDir] = ["home", "work", "bin", "data"].map((name) => join(folder, name)) as [
		string,
		string,
		string,
		string,
	];
	for (const made of [home, join(home, "tmp"), work, bin]) mkdirSync(made, { recursive: true });
	writeFileSync(join(bin, program), `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`, {
		mode: 0o755,
	});
	const file = settings && join(home, settings[0]);
	if (file) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, settings[1]);
	}
	const base = baseEnvironment(home, await startRefusingProxy());
	const mark = randomUUID();
	const env = {
		...base,
		PATH: `${bin}:${base.PATH}`,
		CURSORWIRE_DATA_DIR: dataDir,
		CURSORWIRE_UPSTREAM: emulator.url,
		CURSOR_API_KEY: "key_test",
		...own,
	};
	return {
		emulator,
		work,
		launch(prompt, ...flags) {
			const args = ["launch", client, ...flags, "--", ...words(prompt)];
			const started = startProgram(args, { ...env, [MARK]: mark }, { cwd: work, detached: true });
			started.child.stdin!.end();
			return { program: started, finished: () => finished(started) };
		},
		async expectNothingLeft() {
			await expectNobodyLeft(mark);
			expect(existsSync(join(dataDir, "launch"))).toBe(false);
			if (file) expect(readFileSync(file, "utf8")).toBe(settings[1]);
			const { out } = await runProgram(["keys", "--json"], env);
			const keys: { name: string; revokedAt?: number }[] = JSON.parse(out).keys;
			const made = keys.filter(({ name }) => name.endsWith("(launch)"));
			expect(made).toEqual([expect.objectContaining({ revokedAt: expect.any(Number) })]);
			expect(filesWithKeys(home)).toEqual([]);
			expect(filesWithKeys(work)).toEqual([]);
		},
	};
}

/** Until the program has ended, whoever may still hold its output. */
async function finished({ child, ended }: Started): Promise<{ code: number | null; out: string; err: string }> {
	const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
	const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
	clearTimeout(limit);
	const late = new Promise<undefined>((resolve) => setTimeout(resolve, 10_000, undefined).unref());
	const whole = await Promise.race([ended, late]);
	if (!whole) throw new Error(`${child.spawnargs.join(" ")} has ended, and somebody still holds its output`);
	return { ...whole, code };
}

/** The process that `launch` has started. */
function clientOf(launch: number): number {
	const [child] = readFileSync(`/proc/${launch}/task/${launch}/children`, "utf8").trim().split(" ");
	if (!child) throw new Error("launch has no child");
	return Number(child);
}

function filesWithKeys(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return filesWithKeys(path);
		if (!entry.isFile() || statSync(path).size > 64 * 1024 * 1024) return [];
		return /cw_[\w-]{20,}/.test(readFileSync(path, "latin1")) ? [path] : [];
	});
}
