import type { Command } from "commander";
import * as emulator from "cursorwire-emulator/cli";
import { QUESTIONS } from "../src/calibrate/questions.ts";
import { TURNS } from "../src/calibrate/turns.ts";
import { EXIT_CODES } from "../src/cli/process/exit-codes.ts";
import { buildProgram } from "../src/cli/program.ts";
import { exampleLines } from "../src/cli/terminal/examples.ts";
import { readPlaces } from "../src/config/places.ts";
import { CLIENTS } from "../src/connect/clients.ts";
import { VARIABLE_CLIENTS } from "../src/connect/variable-clients.ts";
import { CHECKS } from "../src/doctor/checks.ts";

/** docs/cli.md, from the program itself and from the tables that it uses. */
export function renderCliDoc(): string {
	const program = buildProgram(emulator);
	return `${[...head(program), ...program.commands.flatMap((command) => commandSection(command)), ...tail()].join("\n\n")}\n`;
}

function head(program: Command): string[] {
	return [
		"# The command line",
		"Generated from the program by `npm run docs`; a test compares both. Each command prints the same with `--help`. In a clone, write `npx cursorwire` for `cursorwire` ([quick start](quick-start.md)).",
		"Colours and spinners appear only in terminals, and `NO_COLOR` turns colours off. With `--json`, standard output is JSON and nothing else. An error is one line on standard error, which includes the next step, and one of these exit codes:",
		table(
			["code", "meaning"],
			Object.values(EXIT_CODES).map(({ code, about }) => [String(code), about]),
		),
		table(
			["command", "what it does"],
			program.commands.map((command) => [`[\`${command.name()}\`](#${command.name()})`, command.description()]),
		),
	];
}

/** What the document says about a command beyond its help. */
const MORE: Readonly<Record<string, () => string[]>> = {
	connect: () => [
		"Shows what would change, asks, sends one short question through the gateway as the client would, and only then writes. Only the lines that are added or changed differ afterwards; comments and unknown settings stay as they are. The previous file is kept in the data folder (`connections/<client>.backup`). If the gateway runs with `serve`, the client gets its own key, which `disconnect` revokes.",
		table(
			["client", "settings", "API"],
			[
				...Object.entries(CLIENTS).map(([id, { name, files, chooser, api }]) => [
					`\`${id}\` (${name})`,
					[files, ...(chooser ? [chooser.files] : [])]
						.map((of) =>
							of({ ...readPlaces({}), home: "~", platform: "linux" })
								.map((file) => `\`${file}\``)
								.join(", "),
						)
						.join(" and "),
					api,
				]),
				...Object.entries(VARIABLE_CLIENTS).map(([id, { name, api }]) => [
					`\`${id}\` (${name})`,
					"none: prints environment variables",
					api,
				]),
			],
		),
	],
	disconnect: () => [
		"A file that has not been changed since is restored byte for byte, and one that `connect` created is removed. In a file that was changed, only the gateway's settings are removed and the former values restored; a setting of the gateway's that you have changed is left alone and named.",
	],
	ask: () => [
		'Text from a pipe or a file follows the question, after an empty line: `git diff | cursorwire ask "Review this"`. Without a question, or with `-`, that text is all. The text has to be UTF-8 and at most `maxBodyMiB` long. In a loop that reads its lines from standard input, give it `< /dev/null`, or it takes the rest of them ([ADR 30](adr/0030-ask-reads-pipes-and-files.md)).',
	],
	calibrate: () => [
		"Some of what Cursor's backend does is not known from outside, and accounts differ. This command finds out once: it says what it will do and what it costs, asks for confirmation, and prints a table of questions, answers, how certain they are, and what changes now. One turn answers many questions: a different made-up word is put into each place where a system prompt can travel, and a different harmless tool into each place for tools, and the model is asked to list the words and to call the tools. Nothing of yours is sent. A turn that falls silent is given up after `--wait`. A browser login is also renewed, by each of the known calls, and the new tokens are kept.",
		"The answers are kept in `calibration.json` in the data folder, per account, and a running gateway applies them at once. They are valid for 30 days and for one `clientVersion`; `systemPrompt`, `toolChannel` and `cacheTokens` override them unless they are `auto`. A gateway also learns from ordinary traffic, which costs nothing. An answer that a later turn contradicts is dropped, and `doctor` says so; `doctor` and `config` show what applies and where it comes from. A new login discards the answers.",
		table(
			["question", "in words", "how it is found out", "what changes"],
			Object.entries(QUESTIONS).map(([id, { title, way, changes }]) => [
				`\`${id}\``,
				title,
				typeof way === "string" ? way : way.map((turn) => `\`${turn}\``).join(", "),
				changes,
			]),
		),
		table(
			["turn", "what is asked"],
			Object.entries(TURNS).map(([id, { title }]) => [`\`${id}\``, title]),
		),
		"`--report` writes one JSON file: `format` (`cursorwire-calibration`), `version`, `gateway`, `clientVersion`, `date`, `answers` (by question; null if there is none), and `runs`, each with its `turn`, `protocol`, `channel`, `end` and `frames`: who sent the frame, the names of what it holds, the numbers of its fields, its size, and how many similar ones came in a row. It contains no text, no token and no id. `cursorwire emulate --like <file>` makes the emulator behave like that server. Exit code 1 means that something failed on the way, or that the gateway cannot work with this server.",
	],
	doctor: () => [
		`Checks ${CHECKS.map(({ title }) => title).join(", ")}. Each line is \`ok\`, \`warning\` or \`failure\`, the last two with the next step; a failure makes the exit code 1. The last line is the conclusion (\`conclusion\` with \`--json\`): it works; it works, but Cursor sends something new, which is named (\`works-with-news\`); or it is broken, because this version is too old (\`old\`), Cursor is down (\`vendor\`), or because of the account (\`account\`) or this machine and its network (\`machine\`). The report is one JSON file without keys, tokens, addresses, names and folders; read it before you send it.`,
	],
	drift: () => [
		"Lists fields, kinds of messages, enum values and models that Cursor sent and this version does not know, by path and client version, with how often they came and when they were first and last seen. All commands that talk to Cursor count them; a running gateway saves the counts every ten seconds. The list starts over with every version of cursorwire. It contains nothing of what was said, so the file of `--report` can be attached to an issue as it is.",
	],
	logs: () => [
		"Reads from the gateway itself, so it works for `serve` in another terminal, as a service and in a container. The gateway keeps the last 1,000 lines in memory, those of level `info` and above even where it prints fewer. One line per turn: time, client (the name of its key, or for the owner's key what it calls itself), model, rung, tokens in and out, milliseconds, and for an error its kind and the next step. Requests that are refused are logged as well; of many with the same cause, the first five, then their number once a minute. No line contains a text of a prompt or a reply, or a key. In a terminal the lines are readable, elsewhere they are JSON, as `serve` writes them. Only the owner's key may read the log. With `--follow` it ends when the gateway does; a reader that is too slow is told how many lines it missed.",
	],
	top: () => [
		"Shows every turn under way (state, age, client, model, rung, tokens so far as an estimate, tokens per second), the runs that wait for tool results, and today's totals with the health of Cursor's hosts. The states are `connecting`, `thinking`, `streaming` and `tool`. In a terminal it is drawn again every second until you press q or Ctrl-C; elsewhere it is printed once. Only the owner's key may see it.",
	],
	completion: () => [
		"The script goes to `~/.local/share/bash-completion/completions` for bash and to `~/.config/fish/completions` for fish, where new shells find it by themselves. zsh looks in no folder of the user, and bash only with the package bash-completion; `install` then prints the one line to add to `~/.zshrc` or `~/.bashrc`. No dotfile is changed, and a file of the same name that cursorwire did not write is left alone.",
	],
	service: () => [
		"Writes a systemd user unit, a launchd agent or a task of the Windows Task Scheduler, and starts it. Settings from the current shell are included, except secrets. `--print` shows what would be written.",
	],
};

function commandSection(command: Command, before = ""): string[] {
	const name = `${before}${command.name()}`;
	const examples = before === "" ? exampleLines(command.name(), "# ") : [];
	return [
		`${before === "" ? "##" : "###"} ${name}`,
		`\`cursorwire ${name} ${command.usage()}\`: ${command.description()}.`,
		...(before === "" ? (MORE[command.name()]?.() ?? []) : []),
		...optionTable(command),
		...(examples.length > 0 ? [`\`\`\`text\n${examples.join("\n")}\n\`\`\``] : []),
		...command.commands.flatMap((each) => commandSection(each, `${name} `)),
	];
}

function optionTable({ options, registeredArguments }: Command): string[] {
	const rows = [
		...registeredArguments.map((argument) => [`\`${argument.name()}\``, argument.description]),
		...options
			.filter(({ hidden }) => !hidden)
			.map(({ flags, description, defaultValue, defaultValueDescription }) => {
				const shown = defaultValueDescription ?? (typeof defaultValue === "string" ? defaultValue : undefined);
				return [`\`${flags}\``, shown === undefined ? description : `${description} (${shown})`];
			}),
	];
	return rows.length === 0 ? [] : [table(["", ""], rows)];
}

function tail(): string[] {
	return [
		"## Where things are",
		"The data folder is `~/.config/cursorwire` (`%APPDATA%\\cursorwire` on Windows; `CURSORWIRE_DATA_DIR` names another): `config.json` (which you write), `gateway-key`, `gateway-keys.jsonl` (a second copy of the keys' hashes), `sealing-key` (for the summaries that clients keep), `gateway.json` (where a running gateway is), `cursorwire.db`, `calibration.json` (what `calibrate` found), `drift.json` (what Cursor sent that this version does not know), `credentials/`, `connections/`.",
	];
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
