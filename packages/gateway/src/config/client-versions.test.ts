import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
	acceptedVersions,
	CLIENT_VERSIONS,
	type ClientVersion,
	chooseClientVersion,
	PINNED_CLIENT_VERSION,
} from "./client-versions.ts";
import { installedCliVersion } from "./installed-cursor.ts";
import { loadSettings } from "./settings.ts";

const entry = (version: string, refusedSince?: string): ClientVersion => ({
	version,
	since: "2026-01-01",
	facts: "",
	...(refusedSince && { refusedSince }),
});
const TABLE = [entry("cli-c", "2026-03-01"), entry("cli-b"), entry("cli-a")];

describe("the client version", () => {
	it.each([
		["that of the installed CLI", "cli-x", TABLE, { value: "cli-x", from: "installed" }],
		["not one that Cursor refuses", "cli-c", TABLE, { value: "cli-b", from: "table" }],
		["the newest of the table that is not refused", undefined, TABLE, { value: "cli-b", from: "table" }],
		["the pin", undefined, [entry("cli-c", "2026-03-01")], { value: PINNED_CLIENT_VERSION, from: "pin" }],
	])("is %s", (_name, installed, table, expected) => {
		expect(chooseClientVersion(installed, table)).toEqual(expected);
	});

	it("has a table in order, the newest first, each once", () => {
		const days = CLIENT_VERSIONS.map(({ since }) => since);
		expect(days).toEqual([...days].sort().reverse());
		for (const { version, since } of CLIENT_VERSIONS) expect(version).toContain(since.replaceAll("-", "."));
		expect(new Set(acceptedVersions()).size).toBe(acceptedVersions().length);
	});
});

function home(): string {
	const path = mkdtempSync(join(tmpdir(), "cursorwire-home-"));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

function install(base: string, ...builds: string[]): void {
	for (const build of builds) mkdirSync(join(base, "cursor-agent", "versions", build), { recursive: true });
}

describe("an installed Cursor CLI", () => {
	const placed = (platform: NodeJS.Platform, env: Record<string, string>) =>
		installedCliVersion({ platform, variable: (name) => env[name] ?? "" });

	it("is identified by its newest build, and by nothing else in the folder", () => {
		const HOME = home();
		expect(placed("linux", { HOME })).toBeUndefined();
		install(join(HOME, ".local", "share"), "2026.07.23-e383d2b", "2026.09.18-0bbb28e", "2026.08.04-aaa8809", "9999-x");
		writeFileSync(join(HOME, ".local", "share", "cursor-agent", "versions", "zzz"), "");
		expect(placed("linux", { HOME })).toBe("cli-2026.09.18-0bbb28e");
		expect(placed("darwin", { HOME })).toBe("cli-2026.09.18-0bbb28e");
		expect(placed("win32", { HOME })).toBeUndefined();
	});

	it("is found on Windows, and nowhere without a home", () => {
		const LOCALAPPDATA = home();
		install(LOCALAPPDATA, "2026.07.23-e383d2b");
		expect(placed("win32", { LOCALAPPDATA })).toBe("cli-2026.07.23-e383d2b");
		expect(placed("linux", { LOCALAPPDATA })).toBeUndefined();
	});

	it.skipIf(process.platform === "win32")("goes before the table, and a setting before it", () => {
		const HOME = home();
		const versionOf = (env: Record<string, string>) => {
			const { settings, sources } = loadSettings({}, { HOME, ...env });
			return [settings.clientVersion, sources.clientVersion];
		};
		expect(versionOf({})).toEqual([acceptedVersions()[0], "table"]);
		install(join(HOME, ".local", "share"), "2026.09.18-0bbb28e");
		expect(versionOf({})).toEqual(["cli-2026.09.18-0bbb28e", "installed"]);
		expect(versionOf({ CURSORWIRE_CLIENT_VERSION: "cli-mine" })).toEqual(["cli-mine", "environment"]);
	});
});
