import { CLIENT_VERSIONS } from "../src/config/client-versions.ts";
import { SETTINGS } from "../src/config/setting-table.ts";
import { TURN_MODES } from "../src/turn/request.ts";
import { code, table } from "./markdown.ts";

const EXAMPLE = `{
  "$schema": "./config.schema.json",
  "port": 4281,
  "logLevel": "warn",
  "modelAliases": { "fast": "gpt-5.4-low" }
}`;

/** docs/configuration.md, from the table that the program itself reads. */
export function renderConfigurationDoc(): string {
	return `${[
		"# Configuration",
		"Generated from `packages/gateway/src/config/setting-table.ts` by `npm run docs`; a test compares both.",
		"Nothing has to be configured. A value comes from the first of these that has one: a flag of the command (`cursorwire serve --help` lists them), the environment, `config.json`, the default. `cursorwire config` shows every current value and where it comes from.",
		"`config.json` is one JSON object with the names below. It is read from the data folder: `~/.config/cursorwire` (`$XDG_CONFIG_HOME/cursorwire` if that is set, `%APPDATA%\\cursorwire` on Windows), or the folder that `CURSORWIRE_DATA_DIR` names. `CURSORWIRE_CONFIG` names another path for it. Where only `--data-dir` or `dataDir` in the file names another folder for the data, `config.json` stays where it is. A name that is not in the table is reported as an error.",
		table(
			["name", "environment", "default", "what it is"],
			Object.entries(SETTINGS).map(([name, setting]) => [
				code(name),
				variablesOf(setting).join(", ") || "–",
				shown(setting.default),
				setting.about,
			]),
		),
		"`cursorwire config --schema` prints a JSON schema of `config.json`, made from the same table; the package has it as `config.schema.json`. Save it beside the file (`cursorwire config --schema > ~/.config/cursorwire/config.schema.json`) and name it in the file, and editors complete names, explain them and mark mistakes:",
		`\`\`\`jsonc\n${EXAMPLE}\n\`\`\``,
		"The program accepts a little more than the schema: a number, `true` or `false` may also be written as text, as in a variable. And it refuses URLs that only look right to the schema.",
		"The variables of other programs (`PORT`, `CURSOR_URL`, `CURSOR_CHECKSUM`) have the lowest priority, and a notice names ours.",
		"## The client version",
		'Cursor serves clients according to their version, and sometimes refuses one. On the agent protocol the gateway states the first of these: `clientVersion`, if it is set; the version of the newest Cursor CLI on this machine (`~/.local/share/cursor-agent/versions`, on Windows `%LOCALAPPDATA%\\cursor-agent\\versions`); the newest version in this table that is not refused; the default. `cursorwire config` shows which one it is. Newer is not always better: if Cursor refuses a version with "Update Required", the error names others to try.',
		table(
			["version", "since", "refused since", "what is known"],
			CLIENT_VERSIONS.map(({ version, since, refusedSince, facts }) => [
				code(version),
				since,
				refusedSince ?? "–",
				facts,
			]),
		),
		"## Names for models",
		'Clients made for one vendor ask for that vendor\'s names. Anthropic\'s (`claude-sonnet-4-5-20250929`) select Cursor\'s model of the same family and version, however the list spells it, or otherwise the newest of the family; for a small model (`claude-haiku-…`) that is not in the list, Cursor chooses automatically. OpenAI\'s (`gpt-4o`, `gpt-4.1`, `o3`, `gpt-5-codex`) select the same model without the date, or otherwise the newest of its kind, unless they ask for a newer one than the list has; small ones (`gpt-3.5-turbo`, `gpt-4o-mini`, `o3-mini`) select the newest small one or the automatic choice. Whenever another model replies, `x-cursorwire-warnings` says so. Put your own names into `modelAliases`; they may contain wildcards: `{ "modelAliases": { "claude-haiku-*": "composer-1", "fast": "gpt-5.4-low" } }`, or in the environment `CURSORWIRE_MODEL_ALIASES="claude-haiku-*=composer-1,fast=gpt-5.4-low"`.',
		"A size after a name chooses the context window: `claude-4.6-opus[1m]`, also `:1m` or `-1m`. The same works in Claude Code (which removes the suffix and sends it in `anthropic-beta`). The run then asks for Cursor's Max Mode, which costs more. A model without such a window uses its normal one, and there is a warning. `GET /v1/models` lists every variant under the name that selects it (`gpt-5.4-codex-high`, `claude-4.6-opus[1m]`); Cursor's automatic choice is `auto` there, and `default` means the same.",
		"The `model` of a response is the model that replied. `x-cursorwire-model` has it with everything that was chosen: `claude-4.6-opus thinking=true effort=high context=1m max-mode`.",
		"## Modes and Max Mode",
		"Cursor's models can work in a mode, and some of them in Max Mode, with their largest context window. There are five ways to ask for either; the first one in this table that is present counts:",
		table(
			["where", "mode", "Max Mode"],
			[
				["a field of the request, in each API", code('"cursor_mode": "plan"'), code('"cursor_max_mode": true')],
				["`metadata` of the request", code('"cursor_mode": "plan"'), code('"cursor_max_mode": "true"')],
				["a header", code("x-cursorwire-mode: plan"), code("x-cursorwire-max-mode: true")],
				["after the model's name, also in an alias", code("gpt-5.4:plan"), code("claude-4.6-opus:max")],
				["a setting", code("mode"), code("maxMode")],
			],
		),
		`Modes: ${TURN_MODES.map(code).join(", ")}. The agent protocol has all of them except \`edit\`, the unified one \`agent\`, \`ask\`, \`chat\`, \`plan\`, \`edit\`, \`debug\` and \`custom\`, the legacy one none; \`ask\` and \`chat\` mean the same. If a mode or Max Mode has no effect with a protocol or a model, \`x-cursorwire-warnings\` says so.`,
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
