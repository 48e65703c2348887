import type { Client } from "./client.ts";
import { aider } from "./clients/aider.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { cline } from "./clients/cline.ts";
import { codex } from "./clients/codex.ts";
import { continueDev } from "./clients/continue.ts";
import { crush } from "./clients/crush.ts";
import { opencode } from "./clients/opencode.ts";
import { qwenCode } from "./clients/qwen-code.ts";
import { zed } from "./clients/zed.ts";

/** Every client that `cursorwire connect` can set up, by its name on the command line. */
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
};
