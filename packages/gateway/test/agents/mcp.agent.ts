// `cursorwire mcp` in a real coding agent: it is added by the agent's own command, and the model asks for its tools.
import type { CallResult } from "cursorwire-emulator";
import { expect, test } from "vitest";
import { BIN } from "../kit/program.ts";
import { installAgent } from "./kit/install.ts";
import { PACKAGES } from "./kit/packages.ts";
import { runAgent } from "./kit/process.ts";
import { openRig } from "./kit/rig.ts";

const ALLOWED = "mcp__cursorwire__models,mcp__cursorwire__limits";

test("Claude Code asks `cursorwire mcp` for models and limits", async () => {
	const program = await installAgent(PACKAGES.claudeCode);
	const rig = await openRig({
		program,
		setup: {
			api: "messages",
			model: "claude-4.6-sonnet",
			configure: ({ url, key, model }) => ({
				env: {
					ANTHROPIC_BASE_URL: url,
					ANTHROPIC_API_KEY: key,
					ANTHROPIC_MODEL: model,
					CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
					// Otherwise tools of servers are looked for first.
					ENABLE_TOOL_SEARCH: "false",
				},
			}),
			start: (prompt) => ["-p", prompt, "--allowedTools", `WaitForMcpServers,${ALLOWED}`],
			resume: () => [],
			tools: {} as never,
			serves: [],
			refused: { code: 1, tries: 1 },
		},
		settings: { http1: false },
		scripts: {
			"Which models": () =>
				async function* ({ tools }) {
					// It does not wait for servers by itself, and offers a tool that does; the next request has their tools.
					const names = tools.map(({ name }) => name);
					if (!ALLOWED.split(",").every((name) => names.includes(name))) {
						yield { calls: [{ name: "WaitForMcpServers", arguments: {} }] };
						return;
					}
					const [models, limits]: CallResult[] = yield {
						calls: [
							{ name: "mcp__cursorwire__models", arguments: { search: "composer" } },
							{ name: "mcp__cursorwire__limits", arguments: {} },
						],
					};
					yield { text: `MODELS ${models!.text} LIMITS ${limits!.text}` };
				},
		},
	});
	const { place } = rig;
	const add = ["mcp", "add", "--scope", "user", "cursorwire", "--env", `CURSORWIRE_KEY=${place.key}`];
	const server = ["--", process.execPath, BIN, "mcp", "--url", place.url];
	const env = { PATH: `${process.env.PATH}`, HOME: place.home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
	expect(await runAgent({ command: [...program, ...add, ...server], cwd: place.work, env })).toMatchObject({ code: 0 });
	const { code, output } = await rig.start("Which models are there, and what is left?");
	// It gives the model the data of an answer rather than its text.
	expect(output).toMatch(/MODELS .*"id":"composer-1"/);
	expect(output).toMatch(/LIMITS .*"name":"auto","used_percent":/);
	expect(code).toBe(0);
});
