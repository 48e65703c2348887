import {
	chmodSync,
	chownSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
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
		expect(unasked.err).toMatch(/^there is no terminal to ask at; .* --yes\n$/);
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

	it("writes through a link, keeps mode and owner, and removes the folders that it made", async () => {
		const { home, put, run, path } = await machine();
		put("dotfiles/codex.toml", SETTINGS);
		// Only root can give a file to somebody else; the group may write, which the default mask forbids.
		const owner = process.getuid?.() === 0 ? 4321 : statSync(path("dotfiles/codex.toml")).uid;
		chownSync(path("dotfiles/codex.toml"), owner, statSync(path("dotfiles/codex.toml")).gid);
		chmodSync(path("dotfiles/codex.toml"), 0o660);
		mkdirSync(path(".codex"));
		symlinkSync(path("dotfiles/codex.toml"), path(CODEX));
		const { out } = await run(["connect", "codex", "--yes"]);
		expect(out).toMatch(/note: Other users of this machine can read .*chmod 600/);
		expect(readFileSync(path("dotfiles/codex.toml"), "utf8")).toContain("cursorwire");
		const { mode, uid } = statSync(path("dotfiles/codex.toml"));
		expect([mode & 0o777, uid]).toEqual([0o660, owner]);
		// As `launch` calls it.
		await run(["connect", "claude", "--yes"]);
		expect(statSync(path(".claude/settings.json")).mode & 0o777).toBe(0o600);
		await run(["disconnect", "claude", "--yes"]);
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

	it("follows a link to a file that is still missing, and leaves the link", async () => {
		const { run, path } = await machine();
		mkdirSync(path(".codex"));
		symlinkSync(path("dotfiles/codex.toml"), path(CODEX));
		await run(["connect", "codex", "--yes"]);
		expect(readFileSync(path("dotfiles/codex.toml"), "utf8")).toContain("cursorwire");
		expect(lstatSync(path(CODEX)).isSymbolicLink()).toBe(true);
		await run(["disconnect", "codex", "--yes"]);
		expect(existsSync(path("dotfiles"))).toBe(false);
		expect(lstatSync(path(CODEX)).isSymbolicLink()).toBe(true);
	});

	it("edits a client's two files, and puts both back", async () => {
		const { put, read, run, path, url, key } = await machine();
		const [models, settings] = [".pi/agent/models.json", ".pi/agent/settings.json"];
		put(settings, '{ "theme": "dark" }\n');
		const connected = await run(["connect", "pi", "--yes"]);
		expect([connected.code, connected.err]).toEqual([0, ""]);
		expect(connected.out).not.toContain(key);
		expect(read(models)).toContain(`${url}/v1`);
		expect(read(settings)).toBe('{ "theme": "dark", "defaultProvider": "cursorwire", "defaultModel": "auto" }\n');
		const again = await run(["connect", "pi", "--yes"]);
		expect(again.out.match(/\(unchanged\)/g)).toHaveLength(2);
		// The model that was chosen stays as it was, and so does the key's connection.
		expect((await run(["connect", "pi", "--yes", "--no-default"])).code).toBe(0);
		expect(read(settings)).toBe('{ "theme": "dark" }\n');
		expect((await run(["connect", "pi", "--yes"])).code).toBe(0);
		expect((await run(["disconnect", "pi", "--yes"])).code).toBe(0);
		expect([existsSync(path(models)), read(settings)]).toEqual([false, '{ "theme": "dark" }\n']);
		expect(existsSync(path(".config/cursorwire/connections/pi.choice.backup"))).toBe(false);
	});

	it("leaves neither of a client's files changed when one of them cannot be read", async () => {
		const { put, read, run, path } = await machine();
		put(".config/goose/config.yaml", "GOOSE_MODE: [auto\n");
		const { code, err } = await run(["connect", "goose", "--yes"]);
		expect([code, err]).toEqual([1, expect.stringMatching(/config\.yaml is not valid YAML .*repair it first/)]);
		expect(read(".config/goose/config.yaml")).toBe("GOOSE_MODE: [auto\n");
		expect(existsSync(path(".config/goose/custom_providers"))).toBe(false);
	});

	it("prints the variables of a client that has no file, and writes nothing", async () => {
		const { run, path, url, key } = await machine();
		const { code, out } = await run(["connect", "copilot"]);
		expect(code).toBe(0);
		expect(out).toContain(`export COPILOT_PROVIDER_BASE_URL="${url}/v1"`);
		expect(out).toMatch(/^export COPILOT_PROVIDER_API_KEY="\$\(.*keys show\)"$/m);
		expect(out).toContain(`Tried: auto replied through ${url}.`);
		expect(out).not.toContain(key);
		expect(existsSync(path(".config/cursorwire/connections"))).toBe(false);
		expect((await run(["disconnect", "copilot", "--yes"])).err).toMatch(/^"copilot" is not connected/);
	});

	it("leaves a read-only file alone, and says so before it does anything", async () => {
		const { put, read, run, path } = await machine();
		put("store/codex.toml", SETTINGS);
		chmodSync(path("store/codex.toml"), 0o444);
		mkdirSync(path(".codex"));
		symlinkSync(path("store/codex.toml"), path(CODEX));
		const { code, out, err } = await run(["connect", "codex", "--yes"]);
		expect([code, out]).toEqual([1, ""]);
		expect(err).toBe(
			`${path("store/codex.toml")} is read-only (${path(CODEX)} is a link to it); make it writable, or add what --print shows by hand\n`,
		);
		expect(read(CODEX)).toBe(SETTINGS);
		expect(existsSync(path(".config/cursorwire/connections"))).toBe(false);
	});

	it("warns of an ANTHROPIC_API_KEY only where there is one", async () => {
		const { put, run } = await machine();
		const connect = (variables = {}) => run(["connect", "claude-code", "--yes", "--no-verify"], variables);
		expect((await connect()).out).not.toContain("ANTHROPIC_API_KEY");
		put(".claude/settings.json", '{ "env": { "ANTHROPIC_API_KEY": "sk-ant" } }');
		const { out } = await connect({ ANTHROPIC_API_KEY: "sk-ant" });
		expect(out).toContain("note: ANTHROPIC_API_KEY is set in your shell and overrides these settings: unset it.");
		expect(out).toMatch(/note: ANTHROPIC_API_KEY is set in "env" of the same file .*: remove it\./);
	});

	it("writes only its bytes into files of the corpus, once, and takes them out again", async () => {
		const { run, path } = await machine();
		const change = async (client: string, name: string) => {
			const file = path(name);
			const before = readFileSync(new URL(`./corpus/${client}/${name}`, import.meta.url));
			writeFileSync(file, before);
			const connected = await run(["connect", client, "--yes", "--no-verify", "--file", file]);
			expect([client, connected.code, connected.err]).toEqual([client, 0, ""]);
			const after = readFileSync(file);
			const again = await run(["connect", client, "--yes", "--no-verify"]);
			expect(again.out).toContain(`${file} (unchanged)`);
			expect([after.equals(before), readFileSync(file).equals(after)]).toEqual([false, true]);
			await run(["disconnect", client, "--yes"]);
			expect(readFileSync(file).equals(before)).toBe(true);
		};
		await Promise.all([
			change("claude-code", "bom-crlf.json"),
			change("codex", "mixed-endings.toml"),
			change("continue", "header-in-list.yaml"),
			change("zed", "agent.jsonc"),
		]);
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
		expect(JSON.parse(list.out)).toHaveLength(16);
		expect(sdk.out).toContain(`baseURL: "${url}/v1"`);
		expect(sdk.out).not.toContain(key);
		expect(JSON.parse(json.out)).toMatchObject({ client: "crush", url, model: "auto", verified: true });
	});
});

async function stop({ child, ended }: Started) {
	child.kill("SIGTERM");
	await ended;
}

/** An account with the emulator, for a machine with this home. */
async function account(home: string) {
	const emulator = startProgram(["emulate", "--port", "0", "--json"]);
	const upstream = JSON.parse((await emulator.prints(/^\{.*\}$/m))[0]).url;
	return { HOME: home, CURSORWIRE_UPSTREAM: upstream, CURSOR_API_KEY: "key_test" };
}

const keyIn = (home: string) => /openai-api-key: (.*)/.exec(readFileSync(join(home, ".aider.conf.yml"), "utf8"))![1]!;

describe("a client of the demo", () => {
	it("is told so, and works with `serve` on the same port afterwards", async () => {
		const { home, gateway, url, run } = await machine("demo");
		const { port } = new URL(url);
		const { out } = await run(["connect", "aider", "--yes"]);
		expect(out).toContain(`The gateway at ${url} is the demo: it has no account, and it ends with Ctrl-C.`);
		expect(out).toContain("note: These settings work until the demo ends.");
		expect(out).toContain(`\`cursorwire serve --port ${port}\` listens at the same address and accepts the same key`);
		expect(out).toContain("`cursorwire disconnect aider` undoes it.");
		const { notes } = JSON.parse((await run(["connect", "aider", "--yes", "--json"])).out);
		expect(notes).toEqual([expect.stringMatching(/^These settings work until the demo ends\./)]);
		await stop(gateway);

		const env = await account(home);
		const serve = startProgram(["serve", "--port", port, "--json", "--log-level", "silent"], env);
		await serve.prints(/^\{.*\}$/m);
		const models = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${keyIn(home)}` } });
		expect(models.status).toBe(200);
		expect((await runProgram(["connect", "aider", "--yes"], env)).out).not.toContain("demo");
	});
});

describe("a client of `serve`", () => {
	it("has a key of its own, which it keeps until it is disconnected", async () => {
		const env = await account(temporaryFolder());
		const gateway = startProgram(["serve", "--port", "0", "--json", "--log-level", "silent"], env);
		const { url, key } = JSON.parse((await gateway.prints(/^\{.*\}$/m))[0]);
		expect((await runProgram(["connect", "aider", "--yes"], env)).code).toBe(0);
		const own = keyIn(env.HOME);
		expect(own).toMatch(/^cw_/);
		expect(own).not.toBe(key);
		const models = () => fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${own}` } });
		expect((await models()).status).toBe(200);
		// Nothing changes, so there is no question either.
		const again = await runProgram(["connect", "aider"], env);
		expect([again.code, again.err]).toEqual([0, ""]);
		expect(again.out).toMatch(/\.aider\.conf\.yml \(unchanged\)\nTried: /);
		expect(keyIn(env.HOME)).toBe(own);
		expect((await models()).status).toBe(200);
		await runProgram(["disconnect", "aider", "--yes"], env);
		await until(async () => (await models()).status === 401);
		await stop(gateway);
	});
});
