// The real OpenCode with a home of its own, in which the plugin is one line of its settings.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { installAgent } from "../../../../gateway/test/agents/kit/install.ts";
import { PACKAGES } from "../../../../gateway/test/agents/kit/packages.ts";
import { baseEnvironment } from "../../../../gateway/test/agents/kit/process.ts";

interface Run {
	child: ChildProcess;
	/** Resolves when both outputs together match. */
	prints(pattern: RegExp): Promise<RegExpExecArray>;
	ended: Promise<{ code: number | null; output: string }>;
}

export interface Opencode {
	home: string;
	work: string;
	/** Where the gateway that the plugin starts keeps its data. */
	dataDir: string;
	start(words: string[], env?: Record<string, string>): Run;
	run(words: string[], env?: Record<string, string>): Promise<{ code: number | null; output: string }>;
	close(): void;
}

export interface OpencodeOptions {
	/** Also the proxy that refuses what is not on this machine. */
	registry: string;
	env: Record<string, string>;
}

export async function openOpencode({ registry, env }: OpencodeOptions): Promise<Opencode> {
	const [program] = await installAgent(PACKAGES.opencode);
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "cursorwire-opencode-")));
	const home = join(folder, "home");
	const work = join(folder, "work");
	for (const made of [join(home, "tmp"), work]) mkdirSync(made, { recursive: true });
	const settings = { plugin: ["opencode-cursorwire"], permission: "allow", autoupdate: false, share: "disabled" };
	writeFileSync(join(work, "opencode.json"), JSON.stringify(settings));
	const environment = {
		...baseEnvironment(home, registry),
		npm_config_registry: registry,
		npm_config_userconfig: join(home, "no-npmrc"),
		OPENCODE_DISABLE_MODELS_FETCH: "1",
		OPENCODE_DISABLE_AUTOUPDATE: "1",
		OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
		...env,
	};
	const start = (words: string[], more: Record<string, string> = {}): Run => {
		const child = spawn(program!, words, {
			cwd: work,
			env: { ...environment, ...more },
			stdio: ["ignore", "pipe", "pipe"],
		});
		onTestFinished(() => void child.kill("SIGKILL"));
		let output = "";
		const watchers = new Set<() => void>();
		for (const stream of [child.stdout, child.stderr]) {
			stream.on("data", (chunk: Buffer) => {
				output += chunk;
				for (const watch of watchers) watch();
			});
		}
		const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
			// A gateway that is still ending may hold the pipes.
			child.once("exit", (code) => setTimeout(() => resolve({ code, output: plain(output) }), 100)),
		);
		return {
			child,
			ended,
			prints: (pattern) =>
				new Promise((resolve, reject) => {
					const watch = () => {
						const match = pattern.exec(plain(output));
						if (match) resolve(match);
					};
					watchers.add(watch);
					watch();
					ended.then(() => reject(new Error(`ended without ${pattern}: ${plain(output)}`)));
				}),
		};
	};
	return {
		home,
		work,
		dataDir: join(home, ".config", "cursorwire"),
		start,
		run: (words, more) => start(words, more).ended,
		close: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** What it says about a running gateway; undefined where there is none. */
export function announced({ dataDir }: Opencode): { url: string; pid: number } | undefined {
	try {
		return JSON.parse(readFileSync(join(dataDir, "gateway.json"), "utf8"));
	} catch {
		return undefined;
	}
}

function plain(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: colours and cursor movements begin with one
	return text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
}
