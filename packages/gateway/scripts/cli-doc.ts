import type { Command } from "commander";
import { QUESTIONS } from "../src/calibrate/questions.ts";
import { TURNS } from "../src/calibrate/turns.ts";
import { EXIT_CODES } from "../src/cli/exit-codes.ts";
import { buildProgram } from "../src/cli/program.ts";
import { EXAMPLES } from "../src/cli/terminal/examples.ts";
import { readPlaces } from "../src/config/places.ts";
import { CLIENTS } from "../src/connect/clients.ts";
import { CHECKS } from "../src/doctor/checks.ts";

/** docs/cli.md, from the program itself and from the tables that it uses. */
export function renderCliDoc(): string {
	const program = buildProgram();
	return `${[...head(program), ...program.commands.flatMap((command) => commandSection(command)), ...tail()].join("\n\n")}\n`;
}

function head(program: Command): string[] {
	return [
		"# The command line",
		"Generated from the program by `npm run docs`; a test compares both. Each command says the same with `--help`.",
		"Colours and spinners are for terminals only, and `NO_COLOR` switches colours off. With `--json` standard output holds JSON and nothing else. What goes wrong is one line on standard error, with the next step in it, and one of these exit codes:",
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

/** More about a command than its help says. */
const MORE: Readonly<Record<string, () => string[]>> = {
	connect: () => [
		"Shows what would change, asks, sends one short question through the gateway as the client would, and only then writes. Comments, layout and everything it does not know stay. The former file is kept in the data folder (`connections/<client>.backup`), and a gateway that runs with `serve` gets a key for this client alone, which `disconnect` revokes.",
		table(
			["client", "settings", "API"],
			Object.entries(CLIENTS).map(([id, { name, files, api }]) => [
				`\`${id}\` (${name})`,
				files({ ...readPlaces({}), home: "~", platform: "linux" })
					.map((file) => `\`${file}\``)
					.join(", "),
				api,
			]),
		),
	],
	disconnect: () => [
		"A file that nobody has touched since is put back to the byte, and one that `connect` made is removed. In a file that was changed, only our settings are taken out, and what stood there before comes back; a setting of ours that you have changed is left alone and named.",
	],
	calibrate: () => [
		"Nobody outside knows some of what Cursor's backend does, and accounts differ. This asks once: it says what it will do and what it costs, asks for a yes, and ends in a table of questions, answers, how sure they are, and what changes now. One turn answers many questions: a different made-up word stands in each place of a system prompt, a different harmless tool in each place of tools, and the model is asked to list the words and to call the tools. Nothing of yours is in it. A turn that falls silent is given up after `--wait`. A browser login is renewed on the way, by each of the known calls, and what they bring is kept.",
		"The answers are in `calibration.json` of the data folder, for each account, and a running gateway goes by them at once. They count for 30 days and for one `clientVersion`; `systemPrompt`, `toolChannel` and `cacheTokens` go before them where they are not `auto`. A gateway also learns from ordinary traffic, which costs nothing. An answer that a turn then contradicts is dropped, and `doctor` says so; `doctor` and `config` show what is in force and where it comes from. A new login forgets the answers.",
		table(
			["question", "asked", "how it is learnt", "what changes"],
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
		"`--report` writes one JSON file: `format` (`cursorwire-calibration`), `version`, `gateway`, `clientVersion`, `date`, `answers` (by question; null where there is none), and `runs`, each with its `turn`, `protocol`, `channel`, `end` and `frames`: who sent it, the names of what it holds, the numbers of its fields, its size, and how many like it came in a row. There is no text, no token and no id in it. `cursorwire emulate --like <file>` makes the emulator such a server. Exit code 1 means that something broke on the way, or that nothing can work with this server.",
	],
	doctor: () => [
		`Looks at ${CHECKS.map(({ title }) => title).join(", ")}. Each line is \`ok\`, \`warning\` or \`failure\`, the last two with the next step; a failure makes the exit code 1. At the end stands what it all comes to, with \`--json\` as \`conclusion\`: it works; it works, but Cursor sends something new, which is named (\`works-with-news\`); or it is broken, and whether this version is too old (\`old\`), Cursor is down (\`vendor\`), or it lies in the account (\`account\`) or in this machine and its network (\`machine\`). The report is one JSON file without keys, tokens, addresses, names and folders; look through it before you send it.`,
	],
	drift: () => [
		"Fields, kinds of messages, values of enums and models that Cursor sent and this version does not know: by path and by client version, how often, and when first and last. All commands that talk to Cursor count them, a running gateway writes them down every ten seconds. The list begins anew with every version of cursorwire. There is nothing in it of what was said, so the file of `--report` can be attached to a report as it is.",
	],
	service: () => [
		"Writes a systemd user unit, a launchd agent or a task of the Windows Task Scheduler, and starts it. Settings of the present shell go along, but for secrets. `--print` shows what would be written.",
	],
};

function commandSection(command: Command, before = ""): string[] {
	const name = `${before}${command.name()}`;
	const examples = before === "" ? (EXAMPLES[command.name()] ?? []) : [];
	return [
		`${before === "" ? "##" : "###"} ${name}`,
		`\`cursorwire ${name} ${command.usage()}\`: ${command.description()}.`,
		...(before === "" ? (MORE[command.name()]?.() ?? []) : []),
		...optionTable(command),
		...(examples.length > 0
			? [`\`\`\`text\n${examples.map(([line, about]) => `${line.padEnd(46)}# ${about}`).join("\n")}\n\`\`\``]
			: []),
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
		"The data folder is `~/.config/cursorwire` (`%APPDATA%\\cursorwire` on Windows; `CURSORWIRE_DATA_DIR` names another): `config.json` (yours to write), `gateway-key`, `gateway-keys.jsonl` (a second copy of the keys' hashes), `gateway.json` (where a running gateway is), `cursorwire.db`, `calibration.json` (what `calibrate` found), `drift.json` (what Cursor sent that is not known here), `credentials/`, `connections/`.",
	];
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
