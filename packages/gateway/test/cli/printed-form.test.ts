// Commands are printed in the form in which the program was started, and can be typed like that.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { BUNDLED_PROGRAM } from "../kit/bundled-program.ts";
import { temporaryFolder } from "../kit/program.ts";

const run = promisify(execFile);
const PROGRAM = process.env[BUNDLED_PROGRAM]!;
const SYSTEM_PATH = [dirname(process.execPath), "/usr/bin", "/bin"].join(":");

/** A machine on which the program is a script in a folder with a space in its name. */
function machine() {
	const folder = temporaryFolder();
	mkdirSync(join(folder, "my apps"));
	const script = join(folder, "my apps", "cursorwire.mjs");
	symlinkSync(PROGRAM, script);
	const env = { PATH: SYSTEM_PATH, HOME: folder, CURSORWIRE_PORT: "0", CURSORWIRE_VAULT: "file" };
	return { folder, script, form: `node '${script}'`, options: { cwd: folder, env } };
}

/** What it says when it fails. */
const complaint = (command: string, options: object): Promise<string> =>
	run("/bin/sh", ["-c", command], options).then(
		() => expect.fail(`${command} should have failed`),
		({ stderr }) => stderr,
	);

const commandsIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, command]) => command!);

function firstLine(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		child.stdout!.once("data", (chunk) => resolve(String(chunk)));
		child.once("close", (code) => reject(new Error(`ended with ${code}`)));
	});
}

describe("a hint", () => {
	it("is the plain name on the PATH, and the script's path elsewhere", async () => {
		const { form, options } = machine();
		const onPath = { ...options, env: { ...options.env, PATH: `${dirname(PROGRAM)}:${SYSTEM_PATH}` } };
		expect(commandsIn(await complaint("cursorwire connect codex", onPath))[0]).toBe("cursorwire serve");
		const [hint] = commandsIn(await complaint(`${form} connect codex`, options));
		expect(hint).toBe(`${form} serve`);
		expect((await run("/bin/sh", ["-c", `${hint} --help`], options)).stdout).toContain(
			`Usage: ${form} serve [options]`,
		);
	});

	it("is in the help that a command without its subcommand prints as an error", async () => {
		const { form, options } = machine();
		expect(await complaint(form, options)).toContain(`Usage: ${form} [options] [command]`);
	});

	it("is in JSON too, which remains JSON", async () => {
		const { form, options } = machine();
		const { stdout } = await run("/bin/sh", ["-c", `${form} config --json`], options);
		expect(commandsIn(JSON.stringify(JSON.parse(stdout)))).toContain(`${form} calibrate`);
	});

	it("comes over HTTP in the form in which the gateway was started", async () => {
		const { script, form, options } = machine();
		const env = { ...options.env, CURSOR_API_KEY: "key_test", CURSORWIRE_UPSTREAM: "http://127.0.0.1:9" };
		const child = spawn(process.execPath, [script, "serve", "--json"], { ...options, env });
		onTestFinished(() => void child.kill("SIGKILL"));
		const { url, key } = JSON.parse(await firstLine(child));
		const refusal = await fetch(`${url}/v1/models`);
		const { error } = (await refusal.json()) as { error: { message: string } };
		const [hint] = commandsIn(error.message);
		expect(hint).toBe(`${form} keys`);
		expect((await run("/bin/sh", ["-c", hint!], { ...options, env })).stdout).toContain(key);
	});

	it("of somebody else is left as it is: a model's words", async () => {
		const { form, options } = machine();
		const emulator = await startEmulator({ brain: "echo" });
		onTestFinished(() => emulator.close());
		const env = { ...options.env, CURSOR_API_KEY: "key_test", CURSORWIRE_UPSTREAM: emulator.url };
		for (const flag of ["", " --json"]) {
			const { stdout } = await run("/bin/sh", ["-c", `${form} ask${flag} 'Run \`cursorwire login\`'`], {
				...options,
				env,
			});
			expect(stdout).toContain("`cursorwire login`");
		}
	});
});

describe("the log", () => {
	it("names commands in that form", async () => {
		const source = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href);
		const script = `
			import { setStartedAs } from ${source("text/as-started.ts")};
			import { createLog, openLogSink } from ${source("observe/log.ts")};
			setStartedAs("npx cursorwire");
			createLog("info", openLogSink()).warn("Run \`cursorwire login\`.");`;
		const { stderr } = await run(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
		expect(JSON.parse(stderr).msg).toBe("Run `npx cursorwire login`.");
	});
});
