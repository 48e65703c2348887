import type { Target } from "../../../connect/client.ts";
import { type VariableClient, variableLines } from "../../../connect/variable-clients.ts";
import type { ConnectFlags } from "../../options/clients/connect.ts";

interface Shown {
	name: string;
	client: VariableClient;
	target: Target;
	/** What the gateway replied when it was tried. */
	reply: string | undefined;
	/** The gateway is not on this machine, so that its key cannot be asked for. */
	isElsewhere: boolean;
}

/** `cursorwire connect` for a client that has no file: the lines for the shell, and nothing else is changed. */
export function showVariables({ name, client, target, reply, isElsewhere }: Shown, flags: ConnectFlags): void {
	const lines = variableLines(client, target, { isLocal: !isElsewhere, platform: process.platform });
	const { url, model } = target;
	if (flags.json) {
		const verified = reply !== undefined;
		return console.log(JSON.stringify({ client: name, url, model, verified, lines, notes: client.notes }));
	}
	console.log(lines.join("\n"));
	if (flags.print) return;
	if (reply !== undefined) console.log(`\nTried: ${model} replied through ${url}.`);
	for (const note of client.notes) console.log(`  note: ${note}`);
}
