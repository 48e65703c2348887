import type { Command } from "commander";

export interface LoginFlags {
	/** The key, or true to ask for it. */
	apiKey?: string | true;
	sessionToken?: string | true;
	import?: boolean;
	/** False with `--no-browser`. */
	browser?: boolean;
	json?: boolean;
}

export function addLoginOptions(command: Command): Command {
	return command
		.description("sign in to Cursor")
		.option("--api-key [key]", "with an API key; without a value, asks for it or reads it from standard input")
		.option("--session-token [token]", "with a WorkosCursorSessionToken cookie or its JWT; asks for it like the key")
		.option("--import", "with a copy of the login of Cursor's CLI or editor on this machine")
		.option("--no-browser", "only print the address of the login page")
		.option("--json", "one JSON object per line");
}
