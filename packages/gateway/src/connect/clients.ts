import type { Client } from "./client.ts";
import { aider } from "./clients/aider.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { cline } from "./clients/cline.ts";
import { codex } from "./clients/codex.ts";
import { continueDev } from "./clients/continue.ts";
import { crush } from "./clients/crush.ts";
import { goose } from "./clients/goose.ts";
import { kilo } from "./clients/kilo.ts";
import { opencode } from "./clients/opencode.ts";
import { pi } from "./clients/pi.ts";
import { qwenCode } from "./clients/qwen-code.ts";
import { raycast } from "./clients/raycast.ts";
import { vscode, vscodeInsiders } from "./clients/vscode.ts";
import { zed } from "./clients/zed.ts";
import { VARIABLE_CLIENTS } from "./variable-clients.ts";

/** Every client whose settings `cursorwire connect` edits, by its name on the command line. */
export const CLIENTS: Readonly<Record<string, Client>> = {
	opencode,
	codex,
	"claude-code": claudeCode,
	cline,
	continue: continueDev,
	"qwen-code": qwenCode,
	aider,
	zed,
	crush,
	vscode,
	"vscode-insiders": vscodeInsiders,
	goose,
	pi,
	kilo,
	raycast,
};

/** Every name that `cursorwire connect` takes for a client, also for one that has no settings file. */
export const CLIENT_NAMES: readonly string[] = [...Object.keys(CLIENTS), ...Object.keys(VARIABLE_CLIENTS)];

/** What `launch` calls them, where that is another name. */
const ALSO: Readonly<Record<string, string>> = { claude: "claude-code", qwen: "qwen-code" };

/** The name that `connect` has for a client, also where `launch` calls it by another one. */
export const connectName = (name: string): string => (Object.hasOwn(ALSO, name) ? ALSO[name]! : name);
