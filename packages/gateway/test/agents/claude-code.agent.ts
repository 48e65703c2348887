import type { CallResult } from "cursorwire-emulator";
import { expect, test } from "vitest";
import { BUILT_INS, type Setup } from "./kit/agent.ts";
import { testGivingUp } from "./kit/giving-up.ts";
import { installAgent } from "./kit/install.ts";
import { PACKAGES } from "./kit/packages.ts";
import { openRig } from "./kit/rig.ts";
import { testAgent } from "./kit/tasks.ts";

// It takes every word behind --allowedTools for a tool, so the prompt stands before it.
const words = (prompt: string) => ["-p", prompt, "--allowedTools", "Read,Write,Bash,NotebookEdit"];

const setup = (note: string, env: (key: string) => Record<string, string>): Setup => ({
	api: "messages",
	note,
	model: "claude-4.6-sonnet",
	configure: ({ url, key }) => ({
		env: { ANTHROPIC_BASE_URL: url, ...env(key), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
	}),
	start: (prompt) => words(prompt),
	resume: (prompt) => ["--continue", ...words(prompt)],
	tools: {
		read: (path) => ({ name: "Read", arguments: { file_path: path } }),
		write: (path, content) => ({ name: "Write", arguments: { file_path: path, content } }),
		run: (command) => ({ name: "Bash", arguments: { command, description: "Runs it" } }),
	},
	serves: BUILT_INS,
	refused: { code: 1, tries: 1 },
});

const cursorName = setup("Cursor's name for the model", (key) => ({
	ANTHROPIC_API_KEY: key,
	ANTHROPIC_MODEL: "claude-4.6-sonnet",
}));

/** Nothing but an address and a key: it asks for the newest models it knows. */
const ownName = setup("its own name for the model", (key) => ({ ANTHROPIC_AUTH_TOKEN: key }));

testAgent({ name: "Claude Code", startsFast: true, package: PACKAGES.claudeCode, setups: [cursorName, ownName] });

testGivingUp({ name: "Claude Code", package: PACKAGES.claudeCode, setups: [cursorName] });

test("Claude Code looks for a tool and gets to use it", async () => {
	const program = await installAgent(PACKAGES.claudeCode);
	const rig = await openRig({
		program,
		setup: cursorName,
		settings: { http1: false },
		scripts: {
			"Change the notebook": ({ path }) =>
				async function* ({ tools }) {
					if (!tools.some(({ name }) => name === "NotebookEdit")) {
						yield { calls: [{ name: "ToolSearch", arguments: { query: "select:NotebookEdit", max_results: 1 } }] };
						return;
					}
					yield { calls: [{ name: "Read", arguments: { file_path: path("book.ipynb") } }] };
					const change = { notebook_path: path("book.ipynb"), cell_id: "first", new_source: "print('new')" };
					const [result]: CallResult[] = yield { calls: [{ name: "NotebookEdit", arguments: change }] };
					yield { text: result!.isError ? `It failed: ${result!.text}` : "The notebook is changed." };
				},
		},
	});
	rig.put("book.ipynb", JSON.stringify(NOTEBOOK));
	const { code, output } = await rig.start("Change the notebook.");
	expect(output).toContain("The notebook is changed.");
	expect(JSON.parse(rig.content("book.ipynb")).cells[0].source).toBe("print('new')");
	expect(code).toBe(0);
	// A changed list of tools cannot reach a run that has begun, so there is a second one, and no more than that.
	expect(rig.model.main).toHaveLength(2);
});

test("Claude Code with [1m] behind its model gets the long context", async () => {
	const rig = await openRig({
		program: await installAgent(PACKAGES.claudeCode),
		setup: setup("", (key) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_MODEL: "claude-opus-4-6[1m]" })),
		settings: { http1: false },
		scripts: {
			"Say something": () =>
				async function* ({ model }) {
					yield { text: `With ${model.parameters.context}.` };
				},
		},
	});
	const { output } = await rig.start("Say something.");
	expect(output).toContain("With 1m.");
	expect(rig.model.main[0]?.model).toMatchObject({ id: "claude-4.6-opus", maxMode: true });
});

const NOTEBOOK = {
	cells: [{ cell_type: "code", id: "first", execution_count: null, metadata: {}, outputs: [], source: "print('old')" }],
	metadata: { language_info: { name: "python" } },
	nbformat: 4,
	nbformat_minor: 5,
};
