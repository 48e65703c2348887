import { SETTINGS } from "../src/config/setting-table.ts";
import { code, table } from "./markdown.ts";

/** docs/configuration.md, from the table that the program itself reads. */
export function renderConfigurationDoc(): string {
	return `${[
		"# Configuration",
		"Generated from `packages/gateway/src/config/setting-table.ts` by `npm run docs`; a test compares both.",
		"Nothing has to be configured. A value comes from the first of these that has one: a flag of the command (`cursorwire serve --help` lists them), the environment, `config.json`, the default. `cursorwire config` shows every value that is in force and where it comes from.",
		"`config.json` is one JSON object with the names below. It is looked for in the data folder: `~/.config/cursorwire` (`$XDG_CONFIG_HOME/cursorwire` where that is set, `%APPDATA%\\cursorwire` on Windows), or where `CURSORWIRE_CONFIG` says. A name that is not in the table is a mistake, and is told.",
		table(
			["name", "environment", "default", "what it is"],
			Object.entries(SETTINGS).map(([name, setting]) => [
				code(name),
				variablesOf(setting).join(", ") || "–",
				shown(setting.default),
				setting.about,
			]),
		),
		"Variables of other programs that are understood (`PORT`, `CURSOR_URL`, `CURSOR_CHECKSUM`) count last and are answered with a notice that names ours.",
		"## Names for models",
		'Clients made for one vendor ask for that vendor\'s names. Anthropic\'s (`claude-sonnet-4-5-20250929`) find Cursor\'s model of the same family and version however the list spells it, or else the newest of the family; a small model (`claude-haiku-…`) that the list does not have is answered by Cursor\'s automatic choice. Whenever another model answers, `x-cursorwire-warnings` says so. Names of your own go into `modelAliases`, with stars if you like: `{ "modelAliases": { "claude-haiku-*": "composer-1", "fast": "gpt-5.4-low" } }`, or in the environment `CURSORWIRE_MODEL_ALIASES="claude-haiku-*=composer-1,fast=gpt-5.4-low"`.',
		"A size behind a name chooses the context window: `claude-4.6-opus[1m]`, also `:1m` or `-1m`, and in Claude Code the same (it takes the suffix off and tells it in `anthropic-beta`). The run then asks for Cursor's Max Mode, which costs more. A model without such a window answers with its usual one and a warning. `GET /v1/models` lists every variant under the name that asks for it (`gpt-5.4-codex-high`, `claude-4.6-opus[1m]`); Cursor's automatic choice is `auto` there, and `default` means the same.",
		"The `model` of an answer is the model that answered. `x-cursorwire-model` has it with everything that was chosen: `claude-4.6-opus thinking=true effort=high context=1m max-mode`.",
	].join("\n\n")}\n`;
}

function variablesOf(setting: (typeof SETTINGS)[keyof typeof SETTINGS]): string[] {
	return [...setting.env, ...(setting.foreign ? [setting.foreign.env] : []), ...(setting.presence?.env ?? [])].map(
		code,
	);
}

function shown(value: unknown): string {
	if (value === "") return "–";
	return code(typeof value === "object" ? JSON.stringify(value) : String(value));
}
