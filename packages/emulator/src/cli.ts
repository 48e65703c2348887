import { type Command, Option } from "commander";
import type { Emulator } from "./emulator.ts";
import { FAULT_SYNTAX, FAULTS } from "./faults/catalogue.ts";
import { gatewayVariables, pasteable } from "./gateway-variables.ts";
import type { EmulatorOptions } from "./options.ts";
import { outliveBrains } from "./outlive-brains.ts";
import { SWITCHES } from "./switches.ts";

export interface EmulateFlags {
	host: string;
	port: string;
	tls?: boolean;
	brain: string;
	replay?: string;
	accounts?: string;
	fault: string[];
	set: string[];
	like?: string;
	strict?: boolean;
	gzip?: boolean;
	autoApprove?: boolean;
	agentHosts?: boolean;
	heartbeat: string;
	log: string;
	showPrompts?: boolean;
	json?: boolean;
}

const collect = (value: string, earlier: string[]) => [...earlier, value];

/** The options of `cursorwire-emulator` and of `cursorwire emulate`, which are the same program. */
export function addEmulateOptions(command: Command): Command {
	return command
		.option("--host <address>", "address to listen on", "127.0.0.1")
		.option("--port <number>", "port to listen on, 0 for any free one", "4290")
		.option("--tls", "serve TLS with a certificate made at start (GET /__emulator/ca.pem returns it)")
		.option("--brain <name|file>", "demo, echo, busy, relay:<url>, or a module that exports a brain", "demo")
		.option("--replay <file|folder>", "play recordings of `cursorwire serve --record` in place of a model")
		.option("--accounts <file>", "JSON file with accounts and models")
		.addOption(new Option("--fault <spec>", `inject a fault: ${FAULT_SYNTAX}`).argParser(collect).default([], "none"))
		.addOption(new Option("--set <name=value>", "set a switch").argParser(collect).default([], "none"))
		.option("--like <file>", "set the switches as in a report of `cursorwire calibrate --report`; --set overrides it")
		.option("--strict", "refuse what Cursor's own backend would not accept")
		.option("--gzip", "compress messages if the client accepts it")
		.option("--auto-approve", "browser logins need no click")
		.option("--agent-hosts", "open two more ports for runs, as for accounts with a region")
		.option("--heartbeat <ms>", "time between the server's heartbeats", "5000")
		.option("--log <count>", "how many requests /__emulator/requests keeps, and how many prompts, up to 50", "200")
		.option("--show-prompts", "print every prompt as the model would read it, on stderr")
		.option("--json", "print one JSON line when ready and nothing else")
		.addHelpText("after", () => `\n${table("Faults", FAULTS)}\n\n${table("Switches", SWITCHES)}\n`)
		.showHelpAfterError("(--help lists the options)")
		.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
}

function table(title: string, entries: Record<string, { about: string; values?: readonly string[] }>): string {
	const rows = Object.entries(entries).map(([name, entry]) => {
		const values = entry.values ? ` (${entry.values.join(", ")})` : "";
		return `  ${name.padEnd(26)}${entry.about}${values}`;
	});
	return `${title}:\n${rows.join("\n")}`;
}

/** Runs the emulator until a signal stops it. A bad setting is one line on stderr and exit code 2. */
export async function emulate(flags: EmulateFlags): Promise<void> {
	let emulator: Emulator;
	try {
		// Loaded only here, because `cursorwire` loads this file at every start to describe the command.
		const { startEmulator } = await import("./emulator.ts");
		const like = flags.like === undefined ? undefined : (await import("./like.ts")).readLikeness(flags.like);
		for (const setting of like?.leftOut ?? []) {
			console.error(`cursorwire-emulator: there is no such value as ${setting}; that switch keeps its default`);
		}
		emulator = await startEmulator(toOptions({ ...flags, set: [...(like?.settings ?? []), ...flags.set] }));
	} catch (error) {
		console.error(`cursorwire-emulator: ${explain(error as NodeJS.ErrnoException, flags)}`);
		process.exitCode = 2;
		return;
	}
	outliveBrains((line) => console.error(line));
	const { url, agentUrls } = emulator;
	const ready = { url, ...(flags.agentHosts && { agentUrls }), gateway: gatewayVariables({ url, ...flags }) };
	if (flags.json) console.log(JSON.stringify({ ...ready, pid: process.pid }));
	else console.log(welcome(url, flags));
	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		process.once(signal, () => void emulator.close().then(() => process.exit(0)));
	}
}

function toOptions(flags: EmulateFlags): EmulatorOptions {
	return {
		host: flags.host,
		port: wholeNumber("--port", flags.port, 65_535),
		tls: flags.tls,
		brain: flags.brain,
		replay: flags.replay,
		accounts: flags.accounts,
		faults: flags.fault,
		switches: flags.set,
		strict: flags.strict,
		gzipFrom: flags.gzip ? 0 : undefined,
		autoApprove: flags.autoApprove,
		agentHosts: flags.agentHosts,
		heartbeatMs: wholeNumber("--heartbeat", flags.heartbeat, 3_600_000),
		requestLog: wholeNumber("--log", flags.log, 100_000),
		...(flags.showPrompts && { onPrompt: (text) => console.error(text) }),
		relayKey: process.env.CURSORWIRE_RELAY_KEY,
		report: (line) => console.error(line),
	};
}

function wholeNumber(name: string, text: string, most: number): number {
	const value = Number(text);
	if (!/^\d+$/.test(text) || value > most)
		throw new Error(`${name} takes a whole number from 0 to ${most}, not "${text}"`);
	return value;
}

function explain(error: NodeJS.ErrnoException, flags: EmulateFlags): string {
	if (error.code === "EADDRINUSE")
		return `port ${flags.port} is in use; choose another with --port, or --port 0 for any free one`;
	if (error.code === "EADDRNOTAVAIL") return `${flags.host} is not an address of this machine`;
	if (error.code === "EACCES") return `port ${flags.port} needs rights this user does not have; choose one above 1023`;
	return error.message;
}

function welcome(url: string, flags: EmulateFlags): string {
	return [
		`Cursor's backend, emulated, at ${url}`,
		`  model      ${flags.replay ? `played from ${flags.replay}` : flags.brain}`,
		`  insight    ${url}/__emulator/stats, …/requests and …/prompts`,
		`  SDK        point the official SDK here with CURSOR_BACKEND_URL=${url}`,
		"  gateway    to point `cursorwire serve` here, paste these lines into the shell that you start it in:",
		"",
		...pasteable({ url, ...flags }),
		"",
		...(flags.accounts === undefined
			? []
			: ["  Set CURSOR_API_KEY to a key of your accounts as well, or run `cursorwire login` in that shell.", ""]),
		"  Ctrl-C stops it",
	].join("\n");
}
