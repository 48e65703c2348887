import { join } from "node:path";
import type { Setup, Tools } from "./kit/agent.ts";
import { testGivingUp } from "./kit/giving-up.ts";
import { PACKAGES } from "./kit/packages.ts";
import { addFilePatch } from "./kit/patch.ts";
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
	refused: { code: 1, tries: 6 },
});

const functions = setup("tools as functions", "composer-1", SHELL, ["shell"]);

testGivingUp({ name: "Codex", package: PACKAGES.codex, setups: [functions] });

testAgent({
	name: "Codex",
	package: PACKAGES.codex,
	// By the beginning of the model's name it decides which tools it offers and how it sends them.
	setups: [
		functions,
		setup("freeform tools", "gpt-5.5-cursor", FREEFORM_PATCH, ["shell"]),
		{ ...setup("the lite form", "gpt-5.6-sol-cursor", SCRIPT, []), oneAtATime: true },
	],
});
