import { expect, it } from "vitest";
import { copilot } from "./clients/copilot.ts";
import { variableLines } from "./variable-clients.ts";

const TARGET = {
	url: "http://127.0.0.1:4280",
	model: "auto",
	models: [{ id: "auto", name: "Auto", contextWindow: 200_000, thinking: true, images: true }],
};

it("writes the variables for a shell, with the command that prints the key in place of the key", () => {
	expect(variableLines(copilot, TARGET, { isLocal: true, platform: "linux" })).toEqual([
		'export COPILOT_PROVIDER_BASE_URL="http://127.0.0.1:4280/v1"',
		'export COPILOT_PROVIDER_TYPE="openai"',
		'export COPILOT_PROVIDER_WIRE_API="completions"',
		'export COPILOT_MODEL="auto"',
		'export COPILOT_PROVIDER_MAX_PROMPT_TOKENS="168000"',
		'export COPILOT_PROVIDER_MAX_OUTPUT_TOKENS="32000"',
		'export COPILOT_PROVIDER_API_KEY="$(cursorwire keys show)"',
	]);
});

it("writes them for PowerShell on Windows, and leaves a gap for the key of a gateway elsewhere", () => {
	const lines = (isLocal: boolean) => variableLines(copilot, TARGET, { isLocal, platform: "win32" });
	expect(lines(true)[0]).toBe('$env:COPILOT_PROVIDER_BASE_URL = "http://127.0.0.1:4280/v1"');
	expect(lines(true).at(-1)).toBe("$env:COPILOT_PROVIDER_API_KEY = $(cursorwire keys show)");
	expect(lines(false).at(-1)).toBe('$env:COPILOT_PROVIDER_API_KEY = "cw_YOUR_KEY"');
});
