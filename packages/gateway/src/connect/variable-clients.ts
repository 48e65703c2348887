import type { Client, Target } from "./client.ts";
import { copilot } from "./clients/copilot.ts";

/** A client that takes its server from environment variables alone, so that there is no file to edit. */
export interface VariableClient {
	name: string;
	/** The API it speaks; the trial request uses it. */
	api: Client["api"];
	/** What to set, without the key. */
	variables(target: Omit<Target, "key">): Readonly<Record<string, string>>;
	/** The variable of the key. */
	keyVariable: string;
	/** What the user has to know. */
	notes: readonly string[];
}

/** Every client of this kind, by its name on the command line. */
export const VARIABLE_CLIENTS: Readonly<Record<string, VariableClient>> = { copilot };

const KEY_COMMAND = "cursorwire keys show";

/** Lines for a shell's start-up file. The key is not in them: they ask for it. Without `isLocal` it has to be filled in. */
export function variableLines(
	client: VariableClient,
	target: Omit<Target, "key">,
	{ isLocal, platform }: { isLocal: boolean; platform: NodeJS.Platform },
): string[] {
	const isWindows = platform === "win32";
	const write = (name: string, value: string) => (isWindows ? `$env:${name} = ${value}` : `export ${name}=${value}`);
	const ask = isWindows ? `$(${KEY_COMMAND})` : `"$(${KEY_COMMAND})"`;
	return [
		...Object.entries(client.variables(target)).map(([name, value]) => write(name, JSON.stringify(value))),
		write(client.keyVariable, isLocal ? ask : '"cw_YOUR_KEY"'),
	];
}
