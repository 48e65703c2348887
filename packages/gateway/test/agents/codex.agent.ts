import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Setup, Tools } from "./kit/agent.ts";
import { testGivingUp } from "./kit/giving-up.ts";
import { installAgent } from "./kit/install.ts";
import { PACKAGES } from "./kit/packages.ts";
import { addFilePatch } from "./kit/patch.ts";
import { openRig } from "./kit/rig.ts";
import { testAgent } from "./kit/tasks.ts";

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const exec = (cmd: string) => ({ name: "exec_command", arguments: { cmd } });
const SHELL: Tools = {
	read: (path) => exec(`cat ${quoted(path)}`),
	write: (path, content) => exec(`printf %s ${quoted(content)} > ${quoted(path)}`),
	run: exec,
};

const FREEFORM_PATCH: Tools = {
	...SHELL,
	write: (path, content) => ({ name: "apply_patch", arguments: { input: addFilePatch(path, content) } }),
};

/** The one tool of the newest models takes JavaScript, in which the others are functions. */
const script = (source: string) => ({ name: "exec", arguments: { input: source } });
const runScript = (cmd: string) => script(`text(await tools.exec_command(${JSON.stringify({ cmd })}));`);
const SCRIPT: Tools = {
	read: (path) => runScript(`cat ${quoted(path)}`),
	write: (path, content) => script(`text(await tools.apply_patch(${JSON.stringify(addFilePatch(path, content))}));`),
	run: runScript,
};

const setup = (note: string, model: string, tools: Tools, serves: Setup["serves"]): Setup => ({
	api: "responses",
	note,
	model,
	aliases: { "gpt-5.5-cursor": "composer-1", "gpt-5.6-sol-cursor": "composer-1" },
	configure: ({ url, key, home }) => ({
		files: {
			[join(home, ".codex", "config.toml")]: `
				model = "${model}"
				model_provider = "cursorwire"
				approval_policy = "never"
				sandbox_mode = "danger-full-access"

				[model_providers.cursorwire]
				name = "Cursorwire"
				base_url = "${url}/v1"
				env_key = "CURSORWIRE_KEY"
				wire_api = "responses"

				[analytics]
				enabled = false
			`,
		},
		env: { CURSORWIRE_KEY: key },
	}),
	start: (prompt) => ["exec", "--skip-git-repo-check", prompt],
	resume: (prompt) => ["exec", "resume", "--last", "--skip-git-repo-check", prompt],
	tools,
	serves,
	// It tries again whatever the status, 400 aside.
	refused: { code: 1, tries: 1 },
});

const functions = setup("tools as functions", "composer-1", SHELL, ["shell"]);

testGivingUp({ name: "Codex", package: PACKAGES.codex, setups: [functions] });

testAgent({
	name: "Codex",
	startsFast: true,
	package: PACKAGES.codex,
	// By the beginning of the model's name it decides which tools it offers and how it sends them.
	setups: [
		functions,
		setup("freeform tools", "gpt-5.5-cursor", FREEFORM_PATCH, ["shell"]),
		{ ...setup("the lite form", "gpt-5.6-sol-cursor", SCRIPT, []), oneAtATime: true },
	],
});

let program: string[];
beforeAll(async () => {
	program = await installAgent(PACKAGES.codex);
});

test("Codex, when the conversation is too long, says so at once, and compacts before it goes on", async () => {
	const rig = await openRig({
		...{ program, setup: functions, settings: { http1: false } },
		scripts: {
			// First: the other one is still in the history that it sends then.
			"Go on": () =>
				async function* () {
					yield { text: "Gladly." };
				},
			"Say something": () =>
				async function* () {
					yield { error: { code: "invalid_argument", details: { error: "ERROR_CONVERSATION_TOO_LONG" } } };
				},
		},
	});
	const { code, output } = await rig.start("Say something.");
	expect(output).toContain("ran out of room in the model's context window");
	expect(code).toBe(1);
	expect(rig.answers).toHaveLength(1);
	expect(rig.model.aside).toHaveLength(0);
	const next = await rig.resume("Go on.");
	expect(next.output).toContain("Gladly.");
	expect(next.output).toContain("context compacted");
	expect(rig.model.aside).toHaveLength(1);
});
