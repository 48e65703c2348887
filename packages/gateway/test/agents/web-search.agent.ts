import { join } from "node:path";
import type { SearchOutcome } from "cursorwire-emulator";
import { expect, test } from "vitest";
import { BUILT_INS, type Setup } from "./kit/agent.ts";
import { installAgent } from "./kit/install.ts";
import { PACKAGES } from "./kit/packages.ts";
import { openRig } from "./kit/rig.ts";

const words = (prompt: string) => ["-p", prompt, "--allowedTools", "WebSearch"];

const setup: Setup = {
	api: "messages",
	model: "claude-4.6-sonnet",
	configure: ({ url, key }) => ({
		env: {
			ANTHROPIC_BASE_URL: url,
			ANTHROPIC_AUTH_TOKEN: key,
			ANTHROPIC_MODEL: "claude-4.6-sonnet",
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		},
	}),
	start: (prompt) => words(prompt),
	resume: (prompt) => ["--continue", ...words(prompt)],
	tools: {
		read: (path) => ({ name: "Read", arguments: { file_path: path } }),
		write: (path, content) => ({ name: "Write", arguments: { file_path: path, content } }),
		run: (command) => ({ name: "Bash", arguments: { command } }),
	},
	serves: BUILT_INS,
	refused: { code: 1, tries: 1 },
};

/** Claude Code's own tool searches by a request beside the conversation, and hands the model what came of it. */
async function search(webSearch: boolean) {
	let searched: SearchOutcome | undefined;
	const rig = await openRig({
		program: await installAgent(PACKAGES.claudeCode),
		setup,
		settings: { http1: false, webSearch },
		aside: async function* ({ builtins }) {
			if (builtins.includes("web_search_tool_call")) searched = yield { search: "cats" };
			yield { text: searched ? `See ${searched.pages?.[0]?.url}.` : "There is no search here." };
		},
		scripts: {
			"Search the web": () =>
				async function* ({ tools }) {
					if (!tools.some(({ name }) => name === "WebSearch" || name === "client_WebSearch")) {
						yield { calls: [{ name: "ToolSearch", arguments: { query: "select:WebSearch", max_results: 1 } }] };
						return;
					}
					const [result] = yield { calls: [{ name: "client_WebSearch", arguments: { query: "cats" } }] };
					yield { text: `The tool says: ${result.text}` };
				},
		},
	});
	const finished = await rig.start("Search the web for cats.");
	return { finished, rig, searched };
}

test("Claude Code's WebSearch gets what Cursor has found, where the search is on", async () => {
	const { finished, searched } = await search(true);
	expect(finished.code).toBe(0);
	expect(searched?.pages).toHaveLength(3);
	for (const { title, url } of searched!.pages!) {
		expect(finished.output).toContain(title);
		expect(finished.output).toContain(url);
	}
});

test("Claude Code's WebSearch is told that there is none, where it is off", async () => {
	const { finished, searched } = await search(false);
	expect(finished.code).toBe(0);
	expect(searched).toBeUndefined();
	expect(finished.output).toContain("Web search error: unavailable");
});

const codex: Setup = {
	...setup,
	api: "responses",
	configure: ({ url, key, home }) => ({
		files: {
			[join(home, ".codex", "config.toml")]: `
				model = "claude-4.6-sonnet"
				model_provider = "cursorwire"
				web_search = "live"

				[model_providers.cursorwire]
				name = "Cursorwire"
				base_url = "${url}/v1"
				experimental_bearer_token = "${key}"
				wire_api = "responses"

				[analytics]
				enabled = false
			`,
		},
	}),
	start: (prompt) => ["exec", "--skip-git-repo-check", prompt],
};

test.each([true, false])(
	"Codex shows a search that took place, and no failed one (webSearch: %s)",
	async (webSearch) => {
		const rig = await openRig({
			program: await installAgent(PACKAGES.codex),
			setup: codex,
			settings: { http1: false, webSearch },
			scripts: {
				"Search the web": () =>
					async function* ({ builtins }) {
						const isOffered = builtins.includes("web_search_tool_call");
						const { pages }: SearchOutcome = isOffered ? yield { search: "cats" } : {};
						yield { text: pages ? `See ${pages[0]!.url}.` : "There is no search here." };
					},
			},
		});
		const { code, output } = await rig.start("Search the web for cats.");
		expect(code).toBe(0);
		// It offers a search with every request, so one that is off is no failure to be shown.
		expect(/^web search: cats$/m.test(output)).toBe(webSearch);
		expect(output).toContain(webSearch ? "See https://example.com/" : "There is no search here.");
	},
);
