import { join } from "node:path";
import { expect, it } from "vitest";
import { crush } from "./crush.ts";
import { zed } from "./zed.ts";

const HOME = join("/", "home", "ada");
const at = (platform: NodeJS.Platform, variables: Record<string, string> = {}) => ({
	home: HOME,
	platform,
	variable: (name: string) => variables[name] ?? "",
});
const XDG = { XDG_CONFIG_HOME: join("/", "xdg") };

it.each([
	["Linux", at("linux"), join(HOME, ".config", "zed")],
	["Linux with XDG_CONFIG_HOME", at("linux", XDG), join("/", "xdg", "zed")],
	["macOS", at("darwin"), join(HOME, ".config", "zed")],
	["macOS with XDG_CONFIG_HOME, which Zed ignores there", at("darwin", XDG), join(HOME, ".config", "zed")],
	["Windows", at("win32"), join(HOME, "AppData", "Roaming", "Zed")],
	["Windows with APPDATA", at("win32", { APPDATA: join("/", "roaming") }), join("/", "roaming", "Zed")],
])("Zed's settings on %s", (_, places, folder) => {
	expect(zed.files(places)).toEqual([join(folder, "settings.json")]);
});

it.each([
	["Linux", at("linux"), join(HOME, ".config", "crush")],
	["macOS with XDG_CONFIG_HOME", at("darwin", XDG), join("/", "xdg", "crush")],
	["Windows", at("win32"), join(HOME, "AppData", "Local", "crush")],
	["Windows with LOCALAPPDATA", at("win32", { LOCALAPPDATA: join("/", "local") }), join("/", "local", "crush")],
])("Crush's settings on %s", (_, places, folder) => {
	for (const file of crush.files(places)) expect(file.startsWith(folder)).toBe(true);
});
