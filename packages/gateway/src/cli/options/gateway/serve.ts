import { type Command, Option } from "commander";

export interface ServeFlags {
	port?: string;
	host?: string;
	upstream?: string;
	dataDir?: string;
	/** Refused: every user of the machine could read it. */
	key?: string;
	keyFile?: string;
	acceptCursorCredentials?: boolean;
	/** False with `--no-auth`. */
	auth?: boolean;
	allowRemote?: boolean;
	allowHosts?: string;
	allowOrigins?: string;
	/** False with `--no-page`. */
	page?: boolean;
	pageRemote?: boolean;
	http1?: boolean;
	protocol?: string;
	mode?: string;
	maxMode?: boolean;
	logLevel?: string;
	logFormat?: string;
	record?: string;
	recordContent?: boolean;
	json?: boolean;
}

export function addServeOptions(command: Command): Command {
	return command
		.description("run the gateway")
		.option("--port <number>", "port to listen on, 0 for any free one")
		.option("--host <address>", "address to listen on")
		.option("--upstream <url>", "base URL of Cursor's backend")
		.option("--data-dir <folder>", "folder for credentials, conversations and the model list")
		.option("--key-file <file>", "file with a gateway key to use instead of a generated one")
		.addOption(new Option("--key <key>").hideHelp())
		.option(
			"--accept-cursor-credentials",
			"accept Cursor's API keys and session tokens as keys, each for its own account",
		)
		.option("--no-auth", "accept requests without a key, from this machine only")
		.option("--allow-remote", "listen on an address that other machines can reach")
		.option("--allow-hosts <names>", "names by which other machines call it, separated by commas")
		.option("--allow-origins <origins>", "origins of web pages that may use it, separated by commas")
		.option("--no-page", "serve no page that shows what runs")
		.option("--page-remote", "with --allow-remote: serve that page to other machines as well")
		.option("--http1", "use HTTP/1.1 for runs without trying HTTP/2")
		.option("--protocol <name>", "auto, agent, unified or legacy: which of Cursor's protocols to speak")
		.option("--mode <name>", "agent, ask, plan, debug and others: how the model works if a request does not say")
		.option("--max-mode", "use Max Mode with every model that has it; Cursor charges more for it")
		.option("--record <folder>", "write a recording of each run to this folder, with texts masked")
		.option("--record-content", "keep the texts of prompts and replies in recordings")
		.option("--log-level <level>", "silent, error, warn, info, debug or trace")
		.option("--log-format <format>", "text, json or auto: readable lines in a terminal, JSON elsewhere")
		.option("--json", "print one JSON line when ready");
}
