// `cursorwire launch` with a child that says what it was given: environment, signals, exit codes, and what is left.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { idOfKey } from "../../src/access/key-ring.ts";
import { until } from "../kit/cleanup.ts";
import { steps, tool } from "../kit/dialects/handmade-chat.ts";
import { expectNothingLeft, type Home, launchHome } from "../kit/launch-home.ts";
import { runProgram, type Started, startProgram } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(() => emulator.close());

const home = (): Home => launchHome(emulator.url);

const ASKS = `
	const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
		method: "POST",
		headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY, "content-type": "application/json" },
		body: JSON.stringify({ model: process.env.OPENAI_MODEL, messages: [{ role: "user", content: "Say hello" }] }),
	});
	console.log(response.status, JSON.stringify((await response.json()).choices?.[0].message.content));
`;
const SAYS = `console.log(JSON.stringify({ env: process.env, args: process.argv.slice(2) }));`;

describe("any command", () => {
	it("gets the usual variables and its own words, asks, and what it cost is printed", async () => {
		const place = home();
		const before = emulator.stats().runs.started;
		const [dashes, ...command] = place.script(`${SAYS}${ASKS} process.exit(7);`);
		const { code, out, err } = await runProgram(
			["launch", dashes!, ...command, "--", "a b", '"$HOME"', "%PATH%"],
			place.env,
		);
		expect(code).toBe(7);
		const [said, asked] = out.split("\n");
		const { env, args } = JSON.parse(said!);
		expect(args).toEqual(["--", "a b", '"$HOME"', "%PATH%"]);
		expect(env.OPENAI_BASE_URL).toBe(`${env.ANTHROPIC_BASE_URL}/v1`);
		expect(env.OPENAI_API_KEY).toMatch(/^cw_/);
		expect(env.ANTHROPIC_AUTH_TOKEN).toBe(env.OPENAI_API_KEY);
		expect(env.CURSORWIRE_LAUNCH).toBe(idOfKey(env.OPENAI_API_KEY));
		expect(asked).toMatch(/^200 ".*Say hello/);
		expect(err).toMatch(
			/^This launch cost 1 turn, [\d,]+ tokens in.*, [\d,]+ out.*; the longest wait was \d+\.\d s\.$/m,
		);
		expect(emulator.stats().runs.started).toBe(before + 1);
		await expectNothingLeft(place);
		// The gateway went with the launch.
		await expect(fetch(env.ANTHROPIC_BASE_URL)).rejects.toThrow("fetch failed");
	});

	it("has a key that keys lists only while it is valid", async () => {
		const place = home();
		const lists = `import { spawnSync } from "node:child_process";
			process.stdout.write(spawnSync("cursorwire", ["keys"]).stdout);`;
		const during = await runProgram(["launch", ...place.script(lists)], place.env);
		expect(during.out).toMatch(/node \(launch\) .* valid for a launch\n/);
		const after = await runProgram(["keys"], place.env);
		expect(after.out).not.toContain("(launch)");
		expect(after.out).toContain("and 1 of launches that are over, which --json lists too\n");
	});

	it("uses the gateway that runs, which then knows the key no longer", async () => {
		const place = home();
		const { url, key } = await serve({ upstream: emulator.url, dataDir: place.dataDir });
		const { code, out, err } = await runProgram(["launch", ...place.script(`${SAYS}${ASKS}`)], place.env);
		expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("This launch cost 1 turn, ") });
		const { env } = JSON.parse(out.split("\n")[0]!);
		expect(env.ANTHROPIC_BASE_URL).toBe(url);
		expect(env.OPENAI_API_KEY).not.toBe(key);
		const headers = { authorization: `Bearer ${env.OPENAI_API_KEY}` };
		await until(async () => (await fetch(`${url}/v1/models`, { headers })).status === 401);
		await expectNothingLeft(place);
	});

	it("works with a gateway that is named, and its key", async () => {
		const [place, elsewhere] = [home(), home()];
		const { url, key } = await serve({ upstream: emulator.url, dataDir: elsewhere.dataDir });
		const words = ["launch", "--url", url, "--key", key];
		const asked = await runProgram([...words, ...place.script(ASKS)], place.env);
		expect(asked).toMatchObject({ code: 0, err: expect.stringContaining("This launch cost 1 turn, ") });
		expect(await place.keys()).toEqual([]);
		expect(place.left()).toEqual([]);
		const limited = await runProgram([...words, "--limit", "3 turns", ...place.script(ASKS)], place.env);
		expect(limited).toMatchObject({ code: 2, err: expect.stringMatching(/^--limit needs a key of the launch's own/) });
	});

	it("hands over its input, and says so where nothing was asked", async () => {
		const place = home();
		const program = startProgram(["launch", ...place.script("process.stdin.pipe(process.stdout);")], place.env);
		program.child.stdin!.end("from outside\n");
		expect(await program.ended).toEqual({
			code: 0,
			out: "from outside\n",
			err: "This launch used nothing: no turn was made.\n",
		});
		await expectNothingLeft(place);
	});

	it("has a key with the limit that was wanted", async () => {
		const place = home();
		const lists = `import { spawnSync } from "node:child_process";
			const { stdout } = spawnSync("cursorwire", ["keys", "--json"]);
			console.log(JSON.stringify(JSON.parse(stdout).keys.find(({ name }) => name.endsWith("(launch)"))));`;
		const { out } = await runProgram(
			["launch", "--limit", "20 turns", "--limit", "1M tokens", ...place.script(lists)],
			place.env,
		);
		const { spend, expiresAt, revokedAt } = JSON.parse(out);
		expect(spend).toEqual(["20 turns", "1M tokens"]);
		expect(expiresAt).toBeGreaterThan(Date.now());
		expect(revokedAt).toBeUndefined();
		await expectNothingLeft(place);
	});
});

it("a limit of the launch stops a loop of tools, says how it is raised, and ends with the launch", async () => {
	const own = await startEmulator({ brain: steps(9) });
	onTestFinished(() => own.close());
	const place = home();
	const loop = `
		const messages = [{ role: "user", content: "go" }];
		for (let turn = 1; turn <= 9; turn++) {
			const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
				method: "POST",
				headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY, "content-type": "application/json" },
				body: JSON.stringify({ model: process.env.OPENAI_MODEL, messages, tools: ${JSON.stringify([tool("step")])} }),
			});
			const { choices, error } = await response.json();
			console.log(response.status, response.headers.get("x-should-retry"), error?.message ?? "");
			if (error) process.exit(4);
			const { message } = choices[0];
			messages.push(message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: "done" });
		}`;
	const env = { ...place.env, CURSORWIRE_UPSTREAM: own.url };
	const { code, out, err } = await runProgram(["launch", "--limit", "2 turns", ...place.script(loop)], env);
	const lines = out.trimEnd().split("\n");
	expect(lines.slice(0, 2)).toEqual(["200 null ", "200 null "]);
	expect(lines.slice(2)).toEqual([
		expect.stringMatching(
			/^402 false The limit of 2 turns for this key is reached: 2 of 2 turns used; .* Raise it with `[^`]*limits raise [0-9a-f]{8} 4`/,
		),
	]);
	expect(code).toBe(4);
	expect(err).toMatch(/^This launch cost 2 turns, .*\nA limit refused 1 request\.$/m);
	expect(own.stats().runs.started).toBe(1);
	expect(own.stats().runs.cancelled).toHaveLength(1);
	await expectNothingLeft(place);
	const limits = await runProgram(["limits", "--json"], place.env);
	expect(JSON.parse(limits.out)).toEqual({ limits: [] });
});

describe("signals", () => {
	const WAITS = `
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => { console.log(signal); process.exit(3); });
		setInterval(() => {}, 1000);
		console.log("ready", process.pid);`;

	async function started(text: string): Promise<{ place: Home; program: Started; pid: number }> {
		const place = home();
		const program = startProgram(["launch", ...place.script(text)], place.env);
		const [, pid] = await program.prints(/ready (\d+)/);
		return { place, program, pid: Number(pid) };
	}

	it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s goes to the client, whose end is the end", async (signal) => {
		const { place, program } = await started(WAITS);
		program.child.kill(signal);
		expect(await program.ended).toMatchObject({ code: 3, out: expect.stringContaining(`${signal}\n`) });
		await expectNothingLeft(place);
	});

	it("a client that is killed leaves nothing behind", async () => {
		const { place, program, pid } = await started(WAITS);
		process.kill(pid, "SIGKILL");
		expect(await program.ended).toMatchObject({ code: 137 });
		await expectNothingLeft(place);
	});

	it("a client that goes on after Ctrl-C is waited for", async () => {
		const goesOn = `let times = 0;
			process.on("SIGINT", () => { console.log("again", ++times); if (times === 3) process.exit(0); });
			setInterval(() => {}, 1000);
			console.log("ready", process.pid);`;
		const { place, program } = await started(goesOn);
		for (const times of [1, 2, 3]) {
			program.child.kill("SIGINT");
			await program.prints(new RegExp(`again ${times}`));
		}
		expect(await program.ended).toMatchObject({ code: 0 });
		await expectNothingLeft(place);
	});

	it("what a killed launch left is taken away by the next one", async () => {
		const { place, program, pid } = await started(WAITS);
		expect(place.left()).toHaveLength(1);
		program.child.kill("SIGKILL");
		process.kill(pid, "SIGKILL");
		await program.ended;
		expect(place.left()).toHaveLength(1);
		// It expires by itself, too.
		const [key] = await place.keys();
		expect(key!.revokedAt).toBeUndefined();
		expect(key!.expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
		expect((await runProgram(["launch", ...place.script("")], place.env)).code).toBe(0);
		expect(place.left()).toEqual([]);
		expect((await place.keys()).map(({ revokedAt }) => typeof revokedAt)).toEqual(["number", "number"]);
	});
});

describe("a client", () => {
	/** A program by this name that says what it was given. */
	function withProgram(place: Home, name: string): Record<string, string> {
		const folder = join(place.env.HOME!, "bin");
		mkdirSync(folder);
		const says = `import { readFileSync } from "node:fs";
			const file = process.argv[process.argv.indexOf("--config") + 1];
			const config = process.argv.includes("--config") ? readFileSync(file, "utf8") : undefined;
			console.log(JSON.stringify({ env: process.env, args: process.argv.slice(2), file, config }));`;
		writeFileSync(join(folder, "says.mjs"), says);
		writeFileSync(join(folder, name), `#!/bin/sh\nexec "${process.execPath}" "${folder}/says.mjs" "$@"\n`, {
			mode: 0o755,
		});
		return { ...place.env, PATH: `${folder}:/usr/bin:/bin` };
	}

	it("gets its variables in its environment alone, its words, and a proxy is passed by", async () => {
		const place = home();
		const env = {
			...withProgram(place, "claude"),
			HTTPS_PROXY: "http://127.0.0.1:9",
			ANTHROPIC_API_KEY: "sk-mine",
			CLAUDE_CODE_USE_BEDROCK: "1",
		};
		const { out } = await runProgram(["launch", "claude", "-m", "auto", "--", "-p", "Hi there"], env);
		const said = JSON.parse(out);
		expect(said.args).toEqual(["-p", "Hi there"]);
		expect(said.env).toMatchObject({ ANTHROPIC_MODEL: "auto", ANTHROPIC_API_KEY: "", NO_PROXY: "127.0.0.1,localhost" });
		expect(said.env).not.toHaveProperty("CLAUDE_CODE_USE_BEDROCK");
		expect(said.env.CURSORWIRE_LAUNCH).toMatch(/^[0-9a-f]{16}$/);
		expect(readdirSync(place.env.HOME!).sort()).toEqual(["bin", "data"]);
		await expectNothingLeft(place);
	});

	it("is told of WebSockets, where the gateway offers them", async () => {
		const place = home();
		const env = withProgram(place, "codex");
		const { out } = await runProgram(["launch", "codex"], env);
		const provider = JSON.parse(out).args.find((word: string) => word.startsWith("model_providers."));
		expect(provider).toMatch(/model_catalog_url *= *"http:/);
		expect(provider).toMatch(/supports_websockets *= *true/);
		const without = await runProgram(["launch", "codex"], { ...env, CURSORWIRE_WEB_SOCKETS: "false" });
		expect(without.out).not.toContain("supports_websockets");
	});

	it("gets a file of its own, which is gone afterwards", async () => {
		const place = home();
		const { out } = await runProgram(["launch", "continue", "--", "-p", "Hi"], withProgram(place, "cn"));
		const { file, config, args } = JSON.parse(out);
		expect(file.startsWith(join(place.dataDir, "launch"))).toBe(true);
		expect(config).toContain("apiKey: cw_");
		expect(args).toEqual(["--config", file, "-p", "Hi"]);
		await expectNothingLeft(place);
	});
});

describe("what goes wrong", () => {
	it.each<[string, string[], RegExp]>([
		[
			"a client that is not installed",
			["launch", "codex"],
			/^Codex CLI is not installed: .*npm install --global @openai\/codex$/,
		],
		["a client that is not known", ["launch", "emacs"], /^"emacs" is not known; choose one of claude, /],
		[
			"a command that is not there",
			["launch", "--", "no-such-command"],
			/^there is no program "no-such-command" on the PATH$/,
		],
		[
			"words before the dashes",
			["launch", "claude", "say hello"],
			/^put what is meant for claude behind two dashes: `.* launch claude -- "say hello"`$/,
		],
		[
			"an option of the client's before the dashes",
			["launch", "codex", "exec", "--skip-git-repo-check"],
			/^unknown option '--skip-git-repo-check' \(see --help; the client's own options go behind two dashes: `.* launch .*`\)$/,
		],
		["a limit that is none", ["launch", "--limit", "lots", "--", "node"], /^--limit: takes a limit such as/],
		[
			"a shell that is none",
			["env", "claude", "--shell", "csh"],
			/^--shell: takes sh, bash, zsh, fish, powershell, not "csh"$/,
		],
		[
			"a client that needs more than variables",
			["env", "codex"],
			/^Codex CLI needs more than variables: run `.* launch codex`/,
		],
	])("%s", async (_, args, line) => {
		const place = home();
		const { code, out, err } = await runProgram(args, { ...place.env, PATH: "/usr/bin:/bin" });
		expect(err.trim()).toMatch(line);
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expect(place.left()).toEqual([]);
	});

	it("no gateway to print the variables of", async () => {
		expect(await runProgram(["env"], home().env)).toMatchObject({ code: 5, out: "" });
	});
});

it("env prints lines that a shell takes, with which a request is answered", async () => {
	const place = home();
	const { url, key } = await serve({ upstream: emulator.url, dataDir: place.dataDir });
	const { code, out } = await runProgram(["env"], place.env);
	expect(code).toBe(0);
	expect(out).toContain(`export OPENAI_BASE_URL='${url}/v1'\n`);
	const typed = spawnSync("sh", ["-c", `${out}printf %s "$ANTHROPIC_AUTH_TOKEN"`], { encoding: "utf8" });
	expect(typed.stdout).toBe(key);
	const claude = await runProgram(["env", "claude", "--shell", "fish"], place.env);
	expect(claude.out).toContain(`set -gx ANTHROPIC_BASE_URL '${url}'\n`);
	expect(claude.out).toContain("set -e CLAUDE_CODE_USE_BEDROCK\n");
});

it("launch alone lists the clients, and which of them are installed", async () => {
	const { code, out } = await runProgram(["launch"], { ...home().env, PATH: "/usr/bin:/bin" });
	expect(code).toBe(0);
	expect(out).toMatch(/^claude +Claude Code +not installed: npm install/m);
});
