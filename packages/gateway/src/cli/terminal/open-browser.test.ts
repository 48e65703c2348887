import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { until } from "../../../test/kit/cleanup.ts";
import { openBrowser } from "./open-browser.ts";

const URL = "https://cursor.example/login?a=1&b=$(touch x)";
let folder: string;
let log: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "cursorwire-browser-"));
	log = join(folder, "log");
	vi.stubEnv("PATH", [folder, "/usr/bin", "/bin"].join(delimiter));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, { recursive: true, force: true });
});

/** A program of this name that writes down its arguments. The rename shows that all of them are there. */
function standIn(name: string): void {
	const script = `#!/bin/sh\nprintf '%s\\n' "$@" > "${log}.part"\nmv "${log}.part" "${log}"\n`;
	writeFileSync(join(folder, name), script, { mode: 0o755 });
}

it.skipIf(process.platform === "win32").each<[NodeJS.Platform, string, string[]]>([
	["linux", "xdg-open", []],
	["freebsd", "xdg-open", []],
	["darwin", "open", []],
	["win32", "rundll32", ["url.dll,FileProtocolHandler"]],
])("opens a page on %s with %s, and no shell reads the address", async (platform, program, args) => {
	standIn(program);
	expect(await openBrowser(URL, platform)).toBe(true);
	await until(() => existsSync(log));
	expect(readFileSync(log, "utf8").trim().split("\n")).toEqual([...args, URL]);
});

it("says that no program could be started", async () => {
	vi.stubEnv("PATH", folder);
	expect(await openBrowser(URL)).toBe(false);
});
