import type { LAUNCH_NAMES } from "./client-names.ts";
import { aider } from "./clients/aider.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { cline } from "./clients/cline.ts";
import { codex } from "./clients/codex.ts";
import { continueDev } from "./clients/continue.ts";
import { copilot } from "./clients/copilot.ts";
import { crush } from "./clients/crush.ts";
import { goose } from "./clients/goose.ts";
import { kilo } from "./clients/kilo.ts";
import { opencode } from "./clients/opencode.ts";
import { pi } from "./clients/pi.ts";
import { qwenCode } from "./clients/qwen-code.ts";
import type { LaunchClient } from "./launch-client.ts";

/** Every client that `cursorwire launch` can start, by its name on the command line. */
export const LAUNCH_CLIENTS: Readonly<Record<string, LaunchClient>> = {
	claude: claudeCode,
	codex,
	opencode,
	qwen: qwenCode,
	cline,
	continue: continueDev,
	aider,
	goose,
	crush,
	copilot,
	pi,
	kilo,
} satisfies Record<(typeof LAUNCH_NAMES)[number], LaunchClient>;

/** What `connect` calls them, where that is another name. */
const ALSO: Readonly<Record<string, string>> = { "claude-code": "claude", "qwen-code": "qwen" };

/** The name on the command line, also where `connect` calls the client by another one. */
export function launchName(name: string): string | undefined {
	const known = ALSO[name] ?? name;
	return Object.hasOwn(LAUNCH_CLIENTS, known) ? known : undefined;
}

export function launchClient(name: string): LaunchClient | undefined {
	const known = launchName(name);
	return known === undefined ? undefined : LAUNCH_CLIENTS[known];
}
