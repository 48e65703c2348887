// What the made-up figures consist of, the same at every start.

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** Between 0 and 1, by the number alone. */
export const chance = (seed: number): number => {
	const value = Math.sin(seed * 12.9898) * 43758.5453;
	return value - Math.floor(value);
};
export const pick = <T>(list: readonly T[], seed: number): T => list[Math.floor(chance(seed) * list.length)]!;

export const NASTY = "<img src=x onerror=\"document.title='broken'\"> \u202egnp.exe\u0007";

export const MODELS = ["claude-4.5-sonnet", "gpt-5.1-codex", "composer-1", "gemini-3-pro", "claude-4.5-opus-thinking"];
export const KEYS = [
	["claude-code", "Claude Code 2.1"],
	["codex", "codex_cli 0.58"],
	["opencode", "opencode 1.0"],
	["zed", "Zed 0.214"],
	["scripts", "python-requests 2.32"],
] as const;
export const DIALECTS = ["messages", "responses", "chat"];
export const RUNGS = [
	["parked", "the run waits for these results"],
	["checkpoint", "the history matches a checkpoint"],
	["new", "nothing is known of this conversation"],
	["rebuild", "an earlier message was edited"],
] as const;
export const TOOLS = ["Read", "Bash", "Edit", "Grep", "mcp__github__search", "WebFetch"];
export const ERRORS = [
	{ status: 429, errorKind: "rate-limited", nextStep: "Wait a minute, or use another model." },
	{ status: 502, errorKind: "upstream-cut", nextStep: "Send the request again; nothing was charged twice." },
	{ status: 404, errorKind: "unknown-model", nextStep: "Choose one of the names in: cursorwire models" },
];
