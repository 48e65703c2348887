import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { jsonPlace } from "../text/json-place.ts";
import type { ClientVersionSource } from "./client-versions.ts";
import { readPlaces } from "./places.ts";
import { SETTINGS, type SettingName, type Settings } from "./setting-table.ts";

export type { Settings } from "./setting-table.ts";

/** Where a value came from, for `cursorwire config`. */
export type SettingSource = "flag" | "environment" | "file" | "default" | ClientVersionSource;

const CHOSEN: ReadonlySet<SettingSource> = new Set(["flag", "environment", "file"]);

/** Whether the user set the value. */
export const isChosen = (source: SettingSource): boolean => CHOSEN.has(source);

export interface LoadedSettings {
	settings: Settings;
	sources: Record<SettingName, SettingSource>;
	/** The path of config.json, whether it exists or not. */
	file: string;
	/** Messages for the user about the origin of values. */
	notices: string[];
}

/** An invalid setting. The message is one line with the name, the source and what the setting takes. */
export class SettingError extends Error {}

/** The order of precedence is flags, environment, config.json, defaults. Only this function reads the environment. */
export function loadSettings(
	flags: Partial<Record<SettingName, unknown>> = {},
	env: NodeJS.ProcessEnv = process.env,
): LoadedSettings {
	const file = env.CURSORWIRE_CONFIG ?? join(env.CURSORWIRE_DATA_DIR || defaultDataDir(env), "config.json");
	const fromFile = readConfigFile(file, env.CURSORWIRE_CONFIG !== undefined);
	const settings: Record<string, unknown> = {};
	const sources: Record<string, SettingSource> = {};
	const notices: string[] = [];
	for (const [name, setting] of Object.entries(SETTINGS)) {
		const variable = setting.env.find((key) => env[key] !== undefined && env[key] !== "");
		const present = setting.presence?.env.find((key) => env[key] !== undefined);
		const candidates: [SettingSource, unknown, string][] = [
			["flag", flags[name as SettingName], `--${kebab(name)}`],
			["environment", variable && env[variable], variable ?? ""],
			["environment", present && setting.presence?.value, present ?? ""],
			["file", fromFile[name], `"${name}" in ${file}`],
		];
		const foreign = setting.foreign?.env ?? "";
		const written = foreign ? env[foreign] || undefined : undefined;
		if (written) candidates.push(["environment", setting.foreign?.read?.(written) ?? written, foreign]);
		const chosen = candidates.find(([, value]) => value !== undefined);
		if (written && chosen?.[2] === foreign) {
			notices.push(`${foreign} is supported, but the name of this setting is ${setting.env[0]}.`);
		}
		const found = chosen ? undefined : setting.found?.(readPlaces(env));
		const fallback = found?.value ?? (name === "dataDir" ? defaultDataDir(env) : setting.default);
		settings[name] = chosen ? parse(setting.parse, chosen[1], chosen[2]) : fallback;
		sources[name] = chosen?.[0] ?? found?.from ?? "default";
	}
	return { settings: settings as unknown as Settings, sources: sources as LoadedSettings["sources"], file, notices };
}

function parse(parser: (value: unknown) => unknown, value: unknown, origin: string): unknown {
	try {
		return parser(value);
	} catch (error) {
		throw new SettingError(`${origin}: ${(error as Error).message}`);
	}
}

/** Where editors look for the schema of the file. */
const SCHEMA = "$schema";

function readConfigFile(file: string, mustExist: boolean): Record<string, unknown> {
	let text: string;
	try {
		text = readFileSync(file, "utf8");
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		// A file in place of the data folder is the matter of whoever uses that folder.
		if (!mustExist && (code === "ENOENT" || code === "ENOTDIR")) return {};
		throw new SettingError(`${file} cannot be read: ${code}`);
	}
	const content = parseConfig(text, file);
	if (typeof content !== "object" || content === null || Array.isArray(content))
		throw new SettingError(`${file}: not an object`);
	const unknown = Object.keys(content).find((key) => key !== SCHEMA && !Object.hasOwn(SETTINGS, key));
	if (unknown)
		throw new SettingError(`${file}: unknown setting "${unknown}" (known: ${Object.keys(SETTINGS).join(", ")})`);
	return content as Record<string, unknown>;
}

/** What is wrong is told without a word of the file, because it may hold a key and `doctor` puts it in its report. */
function parseConfig(text: string, file: string): unknown {
	if (text.trim() === "") throw new SettingError(`${file}: the file is empty; delete it, or write {} into it`);
	try {
		return JSON.parse(text);
	} catch (error) {
		const place = jsonPlace(error, text);
		throw new SettingError(`${file}: not valid JSON${place && `: ${place}`}`);
	}
}

/** The home folder, if the data folder belongs in it and it does not exist. */
export function missingHome({ sources }: Pick<LoadedSettings, "sources">, env = process.env): string | undefined {
	if (sources.dataDir !== "default" || process.platform === "win32" || env.XDG_CONFIG_HOME) return undefined;
	const home = env.HOME || homedir();
	return existsSync(home) ? undefined : home;
}

function defaultDataDir(env: NodeJS.ProcessEnv): string {
	if (process.platform === "win32") return join(env.APPDATA ?? join(homedir(), "AppData", "Roaming"), "cursorwire");
	return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "cursorwire");
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
