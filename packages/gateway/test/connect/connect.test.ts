import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { runProgram, type Started, startProgram, temporaryFolder } from "../kit/program.ts";

// Every command is a program of its own, and each takes a while to start on a busy machine.
/** A person's machine with a gateway that runs. */
async function machine(mode: "serve" | "demo" = "demo") {
	const home = temporaryFolder();
	const env = { HOME: home };
	const gateway = startProgram([mode, "--port", "0", "--json", "--log-level", "silent"], env);
	const { url, key } = JSON.parse((await gateway.prints(/^\{.*\}$/m))[0]);
	const path = (name: string) => join(home, name);
	const put = (name: string, text: string) => {
		mkdirSync(dirname(path(name)), { recursive: true });
		writeFileSync(path(name), text);
	};
	const run = (args: string[], more: Record<string, string> = {}) => runProgram(args, { ...env, ...more });
	return { home, gateway, url, key, path, put, run, read: (name: string) => readFileSync(path(name), "utf8") };
}

const CODEX = ".codex/config.toml";
const SETTINGS = '# mine\nmodel = "gpt-5.4"\n\n[tui]\nnotifications = true\n';

describe("cursorwire connect", () => {
	it("shows the change without the key, keeps a backup, tries the gateway, and is taken back", async () => {
		const { url, key, put, read, run, path } = await machine();
		put(CODEX, SETTINGS);
		const { code, out, err } = await run(["connect", "codex", "--yes"]);
		expect([code, err]).toEqual([0, ""]);
		expect(out).toContain('-model = "gpt-5.4"\n+model = "auto"');
		expect(out).toContain(`Tried: auto replied through ${url}.`);
		expect(out).not.toContain(key);
		expect(read(CODEX)).toContain(key);
		const backup = path(".config/cursorwire/connections/codex.backup");
		expect(readFileSync(backup, "utf8")).toBe(SETTINGS);
		expect(statSync(backup).mode & 0o777).toBe(0o600);

		const again = await run(["connect", "codex", "--yes", "--model", "grok-code"]);
		expect(again.out).toContain('-model = "auto"\n+model = "grok-code"');
		expect(again.out).not.toContain(key);
		const back = await run(["disconnect", "codex", "--yes"]);
		expect(back.out).toMatch(/exactly as it was before/);
		expect(back.out).not.toContain(key);
		expect(read(CODEX)).toBe(SETTINGS);
		expect(existsSync(backup)).toBe(false);
	});

	it("changes nothing without a yes, or with --print", async () => {
		const { put, read, run } = await machine();
		put(CODEX, SETTINGS);
		const unasked = await run(["connect", "codex"]);
		expect(unasked).toMatchObject({ code: 2, out: expect.stringContaining("+model_provider") });
		expect(unasked.err).toMatch(/^there is no terminal to ask at: .* --yes\n$/);
		const printed = await run(["connect", "codex", "--print"]);
		expect(printed.out).toContain('model_provider = "cursorwire"');
		expect(read(CODEX)).toBe(SETTINGS);
		expect((await run(["disconnect", "codex", "--yes"])).err).toMatch(/^"codex" is not connected/);
	});

	it("takes out only its own settings where the user has changed others", async () => {
		const { put, read, run } = await machine();
		put(CODEX, SETTINGS);
		await run(["connect", "codex", "--yes"]);
		put(CODEX, `${read(CODEX)}\n[projects."/w"]\ntrust_level = "trusted" # new\n`);
		const { out } = await run(["disconnect", "codex", "--yes"]);
		expect(out).toMatch(/without our settings; what you changed since is kept/);
		expect(read(CODEX)).toBe(`${SETTINGS}\n[projects."/w"]\ntrust_level = "trusted" # new\n`);
	});

	it("writes through a link, keeps modes, and removes the folders that it made", async () => {
		const { home, put, run, path } = await machine();
		put("dotfiles/codex.toml", SETTINGS);
		chmodSync(path("dotfiles/codex.toml"), 0o640);
		mkdirSync(path(".codex"));
		symlinkSync(path("dotfiles/codex.toml"), path(CODEX));
		const { out } = await run(["connect", "codex", "--yes"]);
		expect(out).toMatch(/note: Other users of this machine can read .*chmod 600/);
		expect(readFileSync(path("dotfiles/codex.toml"), "utf8")).toContain("cursorwire");
		expect(statSync(path("dotfiles/codex.toml")).mode & 0o777).toBe(0o640);
		await run(["connect", "claude-code", "--yes"]);
		expect(statSync(path(".claude/settings.json")).mode & 0o777).toBe(0o600);
		await run(["disconnect", "--all", "--yes"]);
		expect(existsSync(join(home, ".claude"))).toBe(false);
		expect(readFileSync(path("dotfiles/codex.toml"), "utf8")).toBe(SETTINGS);
	});

	it("says what is wrong in one line, and writes nothing", async () => {
		const { put, read, run } = await machine();
		put(CODEX, "model = [\n");
		const cases: [args: string[], code: number, line: RegExp][] = [
			[["connect", "emacs"], 2, /^"emacs" is not known; choose one of opencode, codex/],
			[["connect", "codex", "--yes"], 1, /config\.toml is not valid TOML .*repair it first/],
			[["connect", "aider", "--yes", "--model", "gpt-99"], 1, /no such model .*Run `cursorwire models`/],
			[["connect", "aider", "--yes", "--key", "cw_wrong"], 1, /gateway key is missing or wrong/],
			[
				["connect", "aider", "--yes", "--url", "http://127.0.0.1:9", "--key", "k"],
				5,
				/127\.0\.0\.1:9 does not respond/,
			],
			[["connect", "aider", "--yes", "--url", "gopher"], 2, /^--url: "gopher" is not an http URL/],
			[["connect", "aider", "--yes", "--url", "http://127.0.0.1:9"], 2, /with --key as well/],
			[["disconnect"], 2, /^name a client, or use --all/],
		];
		const outcomes = await Promise.all(cases.map(([args]) => run(args)));
		for (const [i, ended] of outcomes.entries()) {
			const [args, code, line] = cases[i]!;
			expect([args, ended.code]).toEqual([args, code]);
			expect(ended.err).toMatch(line);
			expect(ended.err.trimEnd()).not.toContain("\n");
		}
		expect(read(CODEX)).toBe("model = [\n");
		expect(existsSync(join(dirname(CODEX), ".aider.conf.yml"))).toBe(false);
	});

	it("keeps no record of what could not be written", async () => {
		const { put, run, path } = await machine();
		// A file where the folder of the settings would have to be.
		put(".claude", "");
		const { code, err } = await run(["connect", "claude-code", "--yes"]);
		expect([code, err]).toEqual([
			1,
			expect.stringMatching(/^.*\.claude.* cannot be used \(\w+\)\. Check that it exists.*\n$/),
		]);
		expect(existsSync(path(".config/cursorwire/connections/claude-code.json"))).toBe(false);
	});

	it("without a gateway says how to start one", async () => {
		const { code, err } = await runProgram(["connect", "codex", "--yes"], { HOME: temporaryFolder() });
		expect([code, err]).toEqual([
			5,
			expect.stringMatching(/^No gateway is running\. Start one with `cursorwire serve`/),
		]);
	});

	it("lists clients, prints programs, and speaks JSON", async () => {
		const { run, key, url } = await machine();
		const [list, sdk, json] = [
			await run(["connect", "--json"]),
			await run(["connect", "sdk"]),
			await run(["connect", "crush", "--yes", "--json"]),
		];
		expect(JSON.parse(list.out)).toHaveLength(9);
		expect(sdk.out).toContain(`baseURL: "${url}/v1"`);
		expect(sdk.out).not.toContain(key);
		expect(JSON.parse(json.out)).toMatchObject({ client: "crush", url, model: "auto", verified: true });
	});
});

describe("a client of `serve`", () => {
	async function stop({ child, ended }: Started) {
		child.kill("SIGTERM");
		await ended;
	}

	it("has a key of its own, which ends with its connection", async () => {
		const emulator = startProgram(["emulate", "--port", "0", "--json"]);
		const upstream = JSON.parse((await emulator.prints(/^\{.*\}$/m))[0]).url;
		const env = { HOME: temporaryFolder(), CURSORWIRE_UPSTREAM: upstream, CURSOR_API_KEY: "key_test" };
		const gateway = startProgram(["serve", "--port", "0", "--json", "--log-level", "silent"], env);
		const { url, key } = JSON.parse((await gateway.prints(/^\{.*\}$/m))[0]);
		expect((await runProgram(["connect", "aider", "--yes"], env)).code).toBe(0);
		const own = /openai-api-key: (.*)/.exec(readFileSync(join(env.HOME, ".aider.conf.yml"), "utf8"))![1]!;
		expect(own).toMatch(/^cw_/);
		expect(own).not.toBe(key);
		const models = () => fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${own}` } });
		expect((await models()).status).toBe(200);
		await runProgram(["disconnect", "aider", "--yes"], env);
		await until(async () => (await models()).status === 401);
		await stop(gateway);
		await stop(emulator);
	});
});
