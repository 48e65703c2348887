// A machine on which commands are typed: an emulated Cursor, a gateway that runs, and a PATH on which `cursorwire` and
// `npx` lead to this checkout.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { BUNDLED_PROGRAM } from "../../kit/bundled-program.ts";
import { ROOT } from "./collect.ts";

/** A stand-in for npx, which takes a second to find what is in this checkout anyway. */
const NPX = `#!/bin/sh
if [ "$1" = cursorwire ]; then shift; exec cursorwire "$@"; fi
exec "${join(ROOT, "node_modules/.bin")}/$@"
`;

export interface Typed {
	child: ChildProcess;
	/** Both outputs so far. */
	output(): string;
	/** Resolves with the exit code. */
	ended: Promise<number | null>;
	/** Resolves when the output so far matches; rejects when it ends without. */
	prints(pattern: RegExp): Promise<RegExpExecArray>;
	stop(): void;
}

export interface Place {
	/** In the clone, or in an empty folder of the user. */
	inClone?: boolean;
	/** The data folder of the gateway that runs, or one in which nothing is yet. */
	withGateway?: boolean;
	env?: Record<string, string>;
	input?: string;
}

export class Stage {
	readonly emulator: Emulator;
	readonly folder = mkdtempSync(join(tmpdir(), "cursorwire-typed-"));
	readonly #running: Typed[] = [];
	/** Where the gateway runs, and its key. */
	gateway = { url: "", key: "" };
	/** What all commands said. */
	said = "";

	private constructor(emulator: Emulator) {
		this.emulator = emulator;
	}

	static async open(): Promise<Stage> {
		const stage = new Stage(await startEmulator({ brain: "echo" }));
		mkdirSync(join(stage.folder, "bin"));
		writeFileSync(join(stage.folder, "bin", "npx"), NPX, { mode: 0o755 });
		symlinkSync(join(ROOT, "node_modules/.bin/cursorwire-emulator"), join(stage.folder, "bin", "cursorwire-emulator"));
		const gateway = stage.type("cursorwire serve --json", { withGateway: true });
		const [line] = await gateway.prints(/^\{.*\}$/m);
		stage.gateway = JSON.parse(line);
		return stage;
	}

	/** A home of its own for each command, with what the documents' examples take for granted in the current folder. */
	type(command: string, { inClone = false, withGateway = false, env = {}, input = "" }: Place = {}): Typed {
		const home = mkdtempSync(join(this.folder, "home-"));
		const work = join(home, "work");
		cpSync(join(ROOT, "packages/gateway/test/fixtures/recordings"), join(work, "recordings"), { recursive: true });
		const report = { format: "cursorwire-calibration", version: 1, answers: {} };
		writeFileSync(join(work, "calibration.json"), JSON.stringify(report));
		writeFileSync(join(work, "notes.txt"), "Buy milk.\n");
		const child = spawn("/bin/sh", ["-c", command], {
			cwd: inClone ? ROOT : work,
			env: {
				PATH: [join(this.folder, "bin"), dirname(process.env[BUNDLED_PROGRAM]!), process.env.PATH].join(":"),
				HOME: home,
				NO_COLOR: "1",
				CURSORWIRE_DATA_DIR: withGateway ? join(this.folder, "data") : join(home, "data"),
				CURSORWIRE_UPSTREAM: this.emulator.url,
				CURSOR_WEBSITE_URL: this.emulator.url,
				CURSORWIRE_VAULT: "file",
				CURSORWIRE_PORT: "0",
				CURSORWIRE_OPEN_BROWSER: "0",
				CURSOR_API_KEY: "key_test",
				...env,
			},
			// A process group, so that what npm and npx start ends with it.
			detached: true,
		});
		child.stdin.on("error", () => {});
		child.stdin.end(input);
		return this.#watch(child, command);
	}

	#watch(child: ChildProcess, command: string): Typed {
		let output = "";
		const watchers = new Set<() => void>();
		for (const stream of [child.stdout!, child.stderr!]) {
			stream.setEncoding("utf8").on("data", (chunk: string) => {
				output += chunk;
				this.said += chunk;
				for (const watch of watchers) watch();
			});
		}
		const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
		const typed: Typed = {
			child,
			output: () => output,
			ended,
			prints: (pattern) =>
				new Promise((resolve, reject) => {
					const watch = () => {
						const match = pattern.exec(output);
						if (match) resolve(match);
					};
					watchers.add(watch);
					watch();
					ended.then(() => reject(new Error(`${command} ended without ${pattern}: ${output}`)));
				}),
			stop: () => {
				try {
					process.kill(-child.pid!, "SIGTERM");
				} catch {
					// It has ended by itself.
				}
			},
		};
		this.#running.push(typed);
		return typed;
	}

	async close(): Promise<void> {
		for (const typed of this.#running) typed.stop();
		await Promise.all(this.#running.map(({ ended }) => ended));
		await this.emulator.close();
		rmSync(this.folder, { recursive: true, force: true });
	}
}
