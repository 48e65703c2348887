// Commands about what is kept on this machine: config, keys, service.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram, temporaryFolder } from "../kit/program.ts";

describe("cursorwire config", () => {
	it("shows each setting with its source, and no secret", async () => {
		const home = temporaryFolder();
		const file = join(home, ".config", "cursorwire", "config.json");
		mkdirSync(join(home, ".config", "cursorwire"), { recursive: true });
		writeFileSync(file, '{ "logLevel": "warn" }');
		const env = {
			HOME: home,
			CURSORWIRE_PORT: "4999",
			CURSOR_API_KEY: "key_canary",
			HTTPS_PROXY: "http://me:canary@proxy:1",
		};
		const [text, json] = await Promise.all([runProgram(["config"], env), runProgram(["config", "--json"], env)]);
		expect(text.out).toMatch(/^port +CURSORWIRE_PORT +4999$/m);
		expect(text.out).toMatch(/^host +default +127\.0\.0\.1$/m);
		expect(text.out).toMatch(/^apiKey +CURSOR_API_KEY +\(set\)$/m);
		expect(text.out).toContain(file);
		expect(text.out + json.out).not.toContain("canary");
		const { settings } = JSON.parse(json.out);
		expect(settings.find(({ name }: { name: string }) => name === "logLevel")).toMatchObject({
			value: "warn",
			from: file,
		});
	});

	it("prints the schema that the package has, and nothing else", async () => {
		const shipped = readFileSync(new URL("../../config.schema.json", import.meta.url), "utf8");
		const file = join(temporaryFolder(), "config.json");
		writeFileSync(file, "{ broken");
		const printed = await runProgram(["config", "--schema"], { CURSORWIRE_CONFIG: file });
		expect(printed).toEqual({ code: 0, out: shipped, err: "" });
	});

	it("shows where the client version comes from", async () => {
		const HOME = temporaryFolder();
		const version = async () => /^clientVersion .*$/m.exec((await runProgram(["config"], { HOME })).out)?.[0];
		expect(await version()).toMatch(/^clientVersion +table of client versions +cli-\d{4}/);
		mkdirSync(join(HOME, ".local/share/cursor-agent/versions/2026.09.18-0bbb28e"), { recursive: true });
		expect(await version()).toMatch(/^clientVersion +installed Cursor CLI +cli-2026\.09\.18-0bbb28e$/);
	});
});

describe("cursorwire keys", () => {
	it("adds with a limit, lists, and revokes by name", async () => {
		const env = { HOME: temporaryFolder() };
		expect((await runProgram(["keys", "show"], env)).code).toBe(1);
		const added = await runProgram(["keys", "add", "laptop", "--turns", "2", "--json"], env);
		const { key, id } = JSON.parse(added.out);
		expect(key).toMatch(/^cw_/);
		const list = await runProgram(["keys"], env);
		expect(list.out).toMatch(new RegExp(`^${id} +laptop +client +\\d{4}-\\d\\d-\\d\\d +never +2 +any +valid$`, "m"));
		expect(list.out).not.toContain(key);
		expect(list.out).toMatch(/^Owner's key {2}none yet: it is created when the gateway first starts$/m);
		expect((await runProgram(["keys", "revoke", "laptop"], env)).out).toMatch(/^Revoked: laptop/);
		expect((await runProgram(["keys", "list"], env)).out).toMatch(/laptop .* revoked \d{4}/);
	});
});

describe("cursorwire keys, once a gateway has run", () => {
	it("labels the owner's key and names its file; show prints it bare", async () => {
		const dataDir = temporaryFolder();
		const file = join(dataDir, "gateway-key");
		const key = `cw_${"a".repeat(43)}`;
		writeFileSync(file, key, { mode: 0o600 });
		const env = { HOME: dataDir, CURSORWIRE_DATA_DIR: dataDir };
		const configured = { ...env, CURSORWIRE_KEY: "a-key-of-the-settings-0123456789" };
		const [list, show, other] = await Promise.all([
			runProgram(["keys"], env),
			runProgram(["keys", "show"], env),
			runProgram(["keys"], configured),
		]);
		expect(list.out).toMatch(
			new RegExp(`^Owner's key +${key}\nKept in +${file}\nFor scripts +\`cursorwire keys show\` `),
		);
		expect(list.out).not.toContain("Note");
		expect(show).toEqual({ code: 0, out: `${key}\n`, err: "" });
		expect(other.out).toMatch(/^Note +the gateway uses the key of its settings instead/m);
	});
});

describe("cursorwire service", () => {
	it("prints what it would install, with the settings of the shell but no secret", async () => {
		const env = {
			HOME: temporaryFolder(),
			CURSORWIRE_LOG_LEVEL: "warn",
			CURSORWIRE_PORT: "4999",
			CURSOR_API_KEY: "canary",
		};
		const prints = (...flags: string[]) => runProgram(["service", "install", "--print", ...flags], env);
		const [own, linux, mac, windows] = await Promise.all([
			prints(),
			prints("--system", "linux"),
			prints("--system", "darwin"),
			prints("--system", "win32"),
		]);
		expect(linux.out).toContain('"serve" "--port" "4999"\n');
		expect(linux.out).toContain('Environment="CURSORWIRE_LOG_LEVEL=warn"');
		if (process.platform === "linux") expect(own.out).toBe(linux.out);
		expect(mac.out).toContain("<key>CURSORWIRE_LOG_LEVEL</key>");
		expect(windows.out).toContain("LogonTrigger");
		for (const { out } of [linux, mac, windows]) expect(out).not.toContain("canary");
	});

	it.runIf(process.platform === "linux")(
		"installs, tells its state, and uninstalls, by the tools of the system",
		async () => {
			const home = temporaryFolder();
			const tools = join(home, "bin");
			const log = join(home, "log");
			mkdirSync(tools);
			// A session's service manager is not to be had in a test: what it is asked for is.
			writeFileSync(join(tools, "systemctl"), `#!/bin/sh\necho "$@" >> "${log}"\n`, { mode: 0o755 });
			const env = { HOME: home, PATH: `${tools}:/usr/bin:/bin` };
			const unit = join(home, ".config/systemd/user/cursorwire.service");
			expect(await runProgram(["service", "status"], env)).toMatchObject({
				code: 5,
				out: "No service is installed.\n",
			});
			expect((await runProgram(["service", "install"], env)).out).toContain(`Written: ${unit}`);
			expect(existsSync(unit)).toBe(true);
			expect((await runProgram(["service", "status"], env)).out).toMatch(/It runs/);
			expect((await runProgram(["service", "uninstall"], env)).code).toBe(0);
			expect(existsSync(unit)).toBe(false);
			expect(readFileSync(log, "utf8").trim().split("\n")).toEqual([
				"--user daemon-reload",
				"--user enable --now cursorwire.service",
				"--user is-active cursorwire.service",
				"--user disable --now cursorwire.service",
				"--user daemon-reload",
			]);
		},
	);

	it.runIf(process.platform === "linux")("says in one line where the system's tools cannot do it", async () => {
		const home = temporaryFolder();
		writeFileSync(join(home, "systemctl"), "#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n", { mode: 0o755 });
		const { code, err } = await runProgram(["service", "install"], { HOME: home, PATH: `${home}:/usr/bin:/bin` });
		expect(code).toBe(2);
		expect(err).toMatch(
			/^`systemctl --user daemon-reload` failed \(Failed to connect to bus\)\. .* is written; run that command .*\n$/,
		);
	});
});
