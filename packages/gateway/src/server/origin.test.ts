import { describe, expect, it } from "vitest";
import { clientName } from "./origin.ts";

describe("the name of a client", () => {
	it.each([
		["claude-cli/2.0.1 (external, cli)", "claude-cli"],
		["codex_cli_rs/0.50.0 (Debian 12; x86_64) xterm", "codex_cli_rs"],
		["OpenAI/JS 6.49.0", "OpenAI"],
		["curl/8.5.0", "curl"],
		["node", "node"],
		["", undefined],
		[undefined, undefined],
		["\u00a0\u001b[31mred", undefined],
		["(none)", undefined],
		["x".repeat(40), undefined],
	])("in %j is %j", (userAgent, name) => {
		expect(clientName(userAgent)).toBe(name);
	});
});
