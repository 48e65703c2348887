import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadSettings, SettingError } from "./settings.ts";

const NOWHERE = { HOME: "/nonexistent" };

function configFile(content: unknown): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-config-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, "config.json");
	writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
	return file;
}

describe("a setting comes from", () => {
	it.each<[string, flags: object, env: NodeJS.ProcessEnv, file: object | undefined, port: number]>([
		["a flag first", { port: "1" }, { CURSORWIRE_PORT: "2" }, { port: 3 }, 1],
		["then the environment", {}, { CURSORWIRE_PORT: "2" }, { port: 3 }, 2],
		["then the file", {}, {}, { port: 3 }, 3],
		["then its default", {}, {}, undefined, 4280],
		["not from an empty variable", {}, { CURSORWIRE_PORT: "" }, undefined, 4280],
	])("%s", (_, flags, env, file, port) => {
		const CURSORWIRE_CONFIG = file && configFile(file);
		expect(loadSettings(flags, { ...NOWHERE, ...env, CURSORWIRE_CONFIG }).settings.port).toBe(port);
	});

	it("our own variable before the vendor's", () => {
		const vendor = { CURSOR_BACKEND_URL: "http://127.0.0.1:1/" };
		expect(loadSettings({}, { ...NOWHERE, ...vendor })).toMatchObject({
			settings: { upstream: "http://127.0.0.1:1" },
			sources: { upstream: "environment" },
		});
		const both = { ...NOWHERE, ...vendor, CURSORWIRE_UPSTREAM: "https://example.test" };
		expect(loadSettings({}, both).settings.upstream).toBe("https://example.test");
	});
});

it("the file may name its schema, for editors", () => {
	const CURSORWIRE_CONFIG = configFile({ $schema: "./config.schema.json", port: 3 });
	const { settings, notices } = loadSettings({}, { ...NOWHERE, CURSORWIRE_CONFIG });
	expect([settings.port, notices]).toEqual([3, []]);
});

describe("variables of OpenCursor", () => {
	const theirs = {
		PORT: "3000",
		CURSOR_URL: "http://127.0.0.1:1/aiserver.v1.AiService/StreamChat",
		CURSOR_CHECKSUM: "x/y",
	};

	it("are supported, with a notice that names ours", () => {
		const { settings, notices } = loadSettings({}, { ...NOWHERE, ...theirs });
		expect(settings).toMatchObject({ port: 3000, upstream: "http://127.0.0.1:1", checksum: "x/y" });
		expect(notices).toEqual([
			"CURSOR_URL is supported, but the name of this setting is CURSORWIRE_UPSTREAM.",
			"PORT is supported, but the name of this setting is CURSORWIRE_PORT.",
			"CURSOR_CHECKSUM is supported, but the name of this setting is CURSORWIRE_CHECKSUM.",
		]);
	});

	it("have the lowest precedence, and cause no notice if another value is used", () => {
		const file = configFile({ port: 3 });
		const { settings, notices } = loadSettings({}, { ...NOWHERE, PORT: "3000", CURSORWIRE_CONFIG: file });
		expect([settings.port, notices]).toEqual([3, []]);
		expect(() => loadSettings({}, { ...NOWHERE, PORT: "many" })).toThrow(/^PORT: takes a whole number/);
	});
});

describe("protocols", () => {
	it("can be set for individual models in the file", () => {
		const CURSORWIRE_CONFIG = configFile({ protocol: "agent", modelProtocols: { "gpt-4o": "legacy" } });
		const { settings } = loadSettings({}, { ...NOWHERE, CURSORWIRE_CONFIG });
		expect(settings).toMatchObject({ protocol: "agent", modelProtocols: { "gpt-4o": "legacy" } });
	});

	it("are refused if they do not exist, with the name of the setting", () => {
		const CURSORWIRE_CONFIG = configFile({ modelProtocols: { "gpt-4o": "newest" } });
		expect(() => loadSettings({}, { ...NOWHERE, CURSORWIRE_CONFIG })).toThrow(
			/"modelProtocols" in .*: takes auto, agent, unified, legacy, not "newest"/,
		);
		expect(() => loadSettings({ protocol: "x" }, NOWHERE)).toThrow(/^--protocol: takes auto/);
	});
});

describe("redis", () => {
	it.each([
		["redis://127.0.0.1", "redis://127.0.0.1"],
		["rediss://user:p@ss@redis.test:6380/3", "rediss://user:p%40ss@redis.test:6380/3"],
		["", ""],
	])("%s is accepted", (CURSORWIRE_REDIS, redis) => {
		expect(loadSettings({}, { ...NOWHERE, CURSORWIRE_REDIS }).settings.redis).toBe(redis);
	});

	it.each([
		"127.0.0.1:6379",
		"http://:canary@127.0.0.1",
		"redis://",
		"redis://:canary@127.0.0.1/name",
		"redis://127.0.0.1?password=canary",
		"redis://:canary#1@127.0.0.1",
	])("%s is refused, and not repeated", (CURSORWIRE_REDIS) => {
		const load = () => loadSettings({}, { ...NOWHERE, CURSORWIRE_REDIS });
		expect(load).toThrow(/^CURSORWIRE_REDIS: takes redis:\/\/[^"]*$/);
		expect(load).not.toThrow(/canary/);
	});
});

describe("allowOrigins", () => {
	it("is a list of origins as browsers write them", () => {
		const CURSORWIRE_ALLOW_ORIGINS = " http://localhost:3000, https://chat.example ,";
		const { settings } = loadSettings({}, { ...NOWHERE, CURSORWIRE_ALLOW_ORIGINS });
		expect(settings.allowOrigins).toBe("http://localhost:3000,https://chat.example");
	});

	it.each([
		"*",
		"null",
		"chat.example",
		"https://chat.example/",
		"https://CHAT.example",
		"https://chat.example:443",
		"file://",
	])("refuses %s", (allowOrigins) => {
		expect(() => loadSettings({ allowOrigins }, NOWHERE)).toThrow(/^--allow-origins: takes origins such as/);
	});
});

describe("openBrowser", () => {
	it.each<[flags: object, env: NodeJS.ProcessEnv, value: boolean, source: string]>([
		[{}, {}, true, "default"],
		[{}, { NO_OPEN_BROWSER: "" }, false, "environment"],
		[{}, { NO_OPEN_BROWSER: "0" }, false, "environment"],
		[{}, { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, false, "environment"],
		[{}, { SSH_TTY: "/dev/pts/0", CURSORWIRE_OPEN_BROWSER: "true" }, true, "environment"],
		[{ openBrowser: false }, { CURSORWIRE_OPEN_BROWSER: "true" }, false, "flag"],
	])("with %j and %j is %j (%s)", (flags, env, openBrowser, source) => {
		const loaded = loadSettings(flags, { ...NOWHERE, ...env });
		expect([loaded.settings.openBrowser, loaded.sources.openBrowser]).toEqual([openBrowser, source]);
	});
});

it("config.json is in the data folder that the environment names", () => {
	const file = configFile({ port: 4711 });
	const { settings, file: read } = loadSettings({}, { ...NOWHERE, CURSORWIRE_DATA_DIR: dirname(file) });
	expect([settings.port, settings.dataDir, read]).toEqual([4711, dirname(file), file]);
});

describe("a setting that cannot be used names itself", () => {
	it.each<[flags: object, env: NodeJS.ProcessEnv, message: string]>([
		[{ port: "x" }, {}, '--port: takes a whole number from 0 to 65535, not "x"'],
		[{}, { CURSORWIRE_PORT: "70000" }, "CURSORWIRE_PORT: takes a whole number"],
		[{}, { CURSOR_BACKEND_URL: "ftp://x" }, 'CURSOR_BACKEND_URL: "ftp://x" is not an http or https URL'],
		[{}, { CURSORWIRE_VAULT: "safe" }, 'CURSORWIRE_VAULT: takes auto, keychain, file, not "safe"'],
		[{}, { CURSORWIRE_OPEN_BROWSER: "perhaps" }, 'CURSORWIRE_OPEN_BROWSER: takes true or false, not "perhaps"'],
		[{ noAuth: "maybe" }, {}, '--no-auth: takes true or false, not "maybe"'],
		[{}, { CURSORWIRE_CONFIG: "/nonexistent/config.json" }, "/nonexistent/config.json cannot be read: ENOENT"],
	])("%j %j: %s", (flags, env, message) => {
		const load = () => loadSettings(flags, { ...NOWHERE, ...env });
		expect(load).toThrow(SettingError);
		expect(load).toThrow(message);
	});

	it.each([
		["{", "not valid JSON"],
		['{"port": 1 "host": 2}', "not valid JSON: look at line 1, column 12"],
		["", "the file is empty"],
		["[]", "not an object"],
		[{ prot: 1 }, 'unknown setting "prot"'],
		[{ port: "many" }, '"port" in '],
		[{ modelAliases: { fast: 7 } }, "takes an object of strings"],
	])("in the file: %j", (content, message) => {
		const load = () => loadSettings({}, { ...NOWHERE, CURSORWIRE_CONFIG: configFile(content) });
		expect(load).toThrow(SettingError);
		expect(load).toThrow(message);
	});

	it("nothing of a broken file is told", () => {
		const load = () => loadSettings({}, { ...NOWHERE, CURSORWIRE_CONFIG: configFile('{"key": cw_secret}') });
		expect(load).toThrow("not valid JSON");
		expect(load).not.toThrow("cw_");
	});
});
