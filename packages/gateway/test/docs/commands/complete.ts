// Documents name commands with placeholders, and sometimes only their beginning. This is what is typed for them.
import { join } from "node:path";
import { ROOT } from "./collect.ts";

const PLACEHOLDERS: readonly (readonly [string, string])[] = [
	[" [options]", ""],
	[" [command]", ""],
	[" [client]", ""],
	[" [words...]", ""],
	[" [shell]", ""],
	["<client>", "codex"],
	// biome-ignore lint/suspicious/noTemplateCurlyInString: as collect.ts shows what is put into a text
	["${name}", "codex"],
	// biome-ignore lint/suspicious/noTemplateCurlyInString: as above
	["${SDK}", "sdk"],
	["<shell>", "bash"],
	["<prompt...>", '"Say hello"'],
	["keys add <name>", "keys add laptop"],
	["keys revoke <id>", "keys revoke laptop"],
	["<limit...>", '"200 turns/day"'],
	["<id>", "limit-1"],
	["<amount>", "400"],
	["--replay <file>", "--replay recordings"],
	["--report <file>", "--report report.json"],
	["--record <folder>", "--record recordings"],
	["--like <file>", "--like calibration.json"],
];

/** Commands that are named without what has to follow. */
const UNFINISHED: Readonly<Record<string, string>> = {
	// It is installed already where this runs.
	"npm install && npm start": "npm start",
	"cursorwire <command>": "cursorwire status",
	"cursorwire [options]": "cursorwire --help",
	"cursorwire [options] [command]": "cursorwire --help",
	"node <path>": `node ${join(ROOT, "packages/gateway/bin/cursorwire.mjs")} --help`,
	"npx cursorwire": "npx cursorwire --help",
	"cursorwire ask": 'cursorwire ask "Say hello"',
	"cursorwire completion": "cursorwire completion bash",
	"cursorwire connect --print": "cursorwire connect codex --print",
	"cursorwire calibrate --report": "cursorwire calibrate --report report.json",
	"cursorwire doctor --report": "cursorwire doctor --report report.json",
	"cursorwire drift --report": "cursorwire drift --report drift.json",
	"cursorwire emulate --replay": "cursorwire emulate --replay recordings",
	"cursorwire keys add": "cursorwire keys add laptop",
	"cursorwire keys revoke": "cursorwire keys revoke laptop",
	"cursorwire limits add": 'cursorwire limits add "200 turns/day"',
	"cursorwire serve --record": "cursorwire serve --record recordings",
	"cursorwire usage --since … --by … --csv": "cursorwire usage --since 7d --by model --csv",
};

export function complete(command: string): string {
	const whole = UNFINISHED[command] ?? command;
	return PLACEHOLDERS.reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), whole);
}
