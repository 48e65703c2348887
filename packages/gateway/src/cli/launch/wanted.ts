import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { readPlaces } from "../../config/places.ts";
import { SettingError } from "../../config/settings.ts";
import { LAUNCH_CLIENTS, launchClient } from "../../launch/clients.ts";
import { type Disk, findProgram, type Program, type Unstartable } from "../../launch/find-program.ts";
import type { LaunchClient } from "../../launch/launch-client.ts";

/** What is to be started. */
export interface Wanted {
	/** Undefined: any command, which gets the usual variables. */
	client: LaunchClient | undefined;
	/** For people, and for the name of the key. */
	name: string;
	program: Program;
	args: readonly string[];
}

/**
 * Reads `<client> -- words` and `-- command words`. The parser of options takes the two dashes away, so `argv` has to say
 * which of the words stood behind them.
 */
export function wantedOf(words: readonly string[], argv: readonly string[]): Wanted {
	const dashes = argv.indexOf("--");
	const behind = dashes === -1 ? [] : argv.slice(dashes + 1);
	const [name, ...excess] = words.slice(0, words.length - behind.length);
	if (excess.length > 0) {
		const command = `cursorwire launch ${name} -- ${excess.map(quoted).join(" ")}`;
		throw new SettingError(`put what is meant for ${name} behind two dashes: \`${command}\``);
	}
	if (name === undefined) {
		const [command = "", ...args] = behind;
		const program = startable(lookFor(command), `there is no program "${command}" on the PATH`);
		return { client: undefined, name: command, program, args };
	}
	const client = clientOf(name);
	const missing = `${client.name} is not installed: there is no program "${client.program}" on the PATH. Install it: ${client.install}`;
	return { client, name: client.name, program: startable(lookFor(client.program), missing), args: behind };
}

const quoted = (word: string): string => (/^[\w./:=@+-]+$/.test(word) ? word : `"${word}"`);

function clientOf(name: string): LaunchClient {
	const client = launchClient(name);
	if (client) return client;
	throw new SettingError(
		`"${name}" is not known; choose one of ${Object.keys(LAUNCH_CLIENTS).join(", ")}, or start any command behind two dashes: \`cursorwire launch -- <command>\``,
	);
}

/** The program on this machine. */
export function lookFor(name: string): Program | Unstartable | undefined {
	const { home, platform } = readPlaces();
	return findProgram(name, { platform, env: process.env, home: home || homedir(), execPath: process.execPath }, DISK);
}

function startable(found: Program | Unstartable | undefined, missing: string): Program {
	if (!found) throw new SettingError(missing);
	if ("file" in found) return found;
	throw new SettingError(
		`${found.batchFile} is a batch file, which would have a shell read its arguments; start the program behind it: \`cursorwire launch -- <program>\``,
	);
}

const DISK: Disk = {
	isProgram(file) {
		try {
			accessSync(file, constants.X_OK);
			return statSync(file).isFile();
		} catch {
			return false;
		}
	},
	text(file) {
		try {
			return readFileSync(file, "utf8");
		} catch {
			return undefined;
		}
	},
};
