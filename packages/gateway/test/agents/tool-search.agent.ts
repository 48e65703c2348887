import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { CallResult } from "cursorwire-emulator";
import { expect, test } from "vitest";
import { BUILT_INS, type Setup } from "./kit/agent.ts";
import { installAgent } from "./kit/install.ts";
import { PACKAGES } from "./kit/packages.ts";
import { openRig } from "./kit/rig.ts";

const SERVER = fileURLToPath(new URL("kit/hundred-tools.mjs", import.meta.url));
const TOOL = "mcp__warehouse__look_at_shelf_042";

function setup(word: string, toolSearch: string): Setup {
	const words = (prompt: string, home: string) => [
		...["-p", prompt, "--allowedTools", "mcp__warehouse", "--mcp-config", `${home}/mcp.json`, "--strict-mcp-config"],
	];
	return {
		api: "messages",
		model: "claude-4.6-sonnet",
		configure: ({ url, key, home }) => ({
			env: {
				ANTHROPIC_BASE_URL: url,
				ANTHROPIC_AUTH_TOKEN: key,
				ANTHROPIC_MODEL: "claude-4.6-sonnet",
				CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
				ENABLE_TOOL_SEARCH: toolSearch,
			},
			files: {
				[`${home}/mcp.json`]: JSON.stringify({
					mcpServers: { warehouse: { command: process.execPath, args: [SERVER, word] } },
				}),
			},
		}),
		start: (prompt, { home }) => words(prompt, home),
		resume: (prompt, { home }) => ["--continue", ...words(prompt, home)],
		tools: {
			read: (path) => ({ name: "Read", arguments: { file_path: path } }),
			write: (path, content) => ({ name: "Write", arguments: { file_path: path, content } }),
			run: (command) => ({ name: "Bash", arguments: { command } }),
		},
		serves: BUILT_INS,
		refused: { code: 1, tries: 1 },
	};
}

/** Claude Code looks at a shelf, and says what is there; with the tokens that the model had to read for it. */
async function fetchWord(toolSearch: string) {
	const word = `word-${randomBytes(6).toString("hex")}`;
	const rig = await openRig({
		program: await installAgent(PACKAGES.claudeCode),
		setup: setup(word, toolSearch),
		settings: { http1: false },
		scripts: {
			"What lies on shelf 42": () =>
				async function* ({ tools }) {
					if (!tools.some(({ name }) => name === TOOL)) {
						yield { calls: [{ name: "ToolSearch", arguments: { query: `select:${TOOL}`, max_results: 1 } }] };
						return;
					}
					const [result]: CallResult[] = yield { calls: [{ name: TOOL, arguments: {} }] };
					yield { text: `The tool says: ${result!.text}` };
				},
		},
	});
	const finished = await rig.start("What lies on shelf 42?");
	expect(finished.output).toContain(word);
	expect(finished.code).toBe(0);
	const usage = await fetch(`${rig.emulator.url}/__emulator/usage`);
	const { runs } = (await usage.json()) as { runs: { total: { inputTokens: number } }[] };
	return { rig, inputTokens: runs.reduce((sum, { total }) => sum + total.inputTokens, 0) };
}

test("Claude Code with a hundred tools of an MCP server: a search for tools saves at least half of what is read", async () => {
	const without = await fetchWord("false");
	const withSearch = await fetchWord("true");
	console.log(`tokens read by the model: ${without.inputTokens} without, ${withSearch.inputTokens} with tool search`);
	expect(without.rig.model.main.map(({ tools }) => tools.length > 100)).toEqual([true]);
	// The second run has the tool that was found, and neither has any other, nor the placeholder for all of them.
	const found = withSearch.rig.model.main.map(({ tools }) => tools.map(({ name }) => name));
	expect(found.map((names) => names.filter((name) => name.startsWith("mcp__")))).toEqual([[], [TOOL]]);
	expect(found.flat()).not.toContain("DeferredToolPlaceholder");
	expect(withSearch.rig.answers.map(({ path }) => path)).toEqual(["new", "rebuild", "parked"]);
	expect(withSearch.inputTokens).toBeLessThanOrEqual(without.inputTokens / 2);
});

test("tools that a search has found are there in the next process, from the checkpoint", async () => {
	const { rig } = await fetchWord("true");
	const finished = await rig.resume("What lies on shelf 42 now?");
	expect(finished.code).toBe(0);
	expect(rig.answers.map(({ path }) => path)).toEqual(["new", "rebuild", "parked", "checkpoint", "parked"]);
});
