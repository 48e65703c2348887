/** What `cursorwire launch` calls the clients that it can start. Apart from what starts them, which is not light. */
export const LAUNCH_NAMES = [
	"claude",
	"codex",
	"opencode",
	"qwen",
	"cline",
	"continue",
	"aider",
	"goose",
	"crush",
	"copilot",
	"pi",
	"kilo",
] as const;
