import { join } from "node:path";
import { expect, it } from "vitest";
import { crush } from "./crush.ts";
import { goose } from "./goose.ts";
import { kilo } from "./kilo.ts";
import { pi } from "./pi.ts";
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

it.each([
	["Linux", at("linux"), join(HOME, ".config", "goose")],
	["Linux with XDG_CONFIG_HOME", at("linux", XDG), join("/", "xdg", "goose")],
	["macOS", at("darwin"), join(HOME, ".config", "goose")],
	["Windows", at("win32"), join(HOME, "AppData", "Roaming", "Block", "goose", "config")],
	["any system with GOOSE_PATH_ROOT", at("linux", { GOOSE_PATH_ROOT: "/g" }), join("/g", "config")],
])("goose's settings on %s", (_, places, folder) => {
	expect(goose.files(places)).toEqual([join(folder, "custom_providers", "cursorwire.json")]);
	expect(goose.chooser!.files(places)).toEqual([join(folder, "config.yaml")]);
});

it("pi's and Kilo's settings are where their variables say", () => {
	const named = at("linux", { PI_CODING_AGENT_DIR: "/pi", KILO_CONFIG: "/k/own.json" });
	expect([pi.files(named), pi.chooser!.files(named), kilo.files(named)]).toEqual([
		[join("/pi", "models.json")],
		[join("/pi", "settings.json")],
		["/k/own.json"],
	]);
	expect(kilo.files(at("linux", XDG))[0]).toBe(join("/", "xdg", "kilo", "kilo.json"));
});
