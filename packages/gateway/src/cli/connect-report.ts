import { readPlaces } from "../config/places.ts";
import type { Client, Target } from "../connect/client.ts";
import { parseSettings } from "../connect/formats/format.ts";
import type { ConnectPlan } from "../connect/plan.ts";
import { isOpenToOthers } from "../connect/settings-file.ts";
import type { ConnectFlags } from "./options/clients/connect.ts";

interface Report {
	client: Client;
	name: string;
	target: Target;
	plan: ConnectPlan;
	reply: string | undefined;
	/** Where the former settings are kept, if there were any. */
	backup: string;
	/** What the user has to know about the gateway. */
	notes: string[];
	flags: ConnectFlags;
}

/** What `connect` has done, and what the user has to know. */
export function reportConnection({ client, name, target, plan, reply, flags, ...rest }: Report): void {
	const { file, before } = plan.connection;
	const backup = before === undefined ? undefined : rest.backup;
	const notes = [...rest.notes, ...notesOf(client, target, plan)];
	if (flags.json) {
		const { url, model } = target;
		return console.log(
			JSON.stringify({ client: name, file, url, model, verified: reply !== undefined, backup, notes }),
		);
	}
	if (reply !== undefined) console.log(`Tried: ${target.model} replied through ${target.url}.`);
	console.log(`${client.name} is connected.${backup ? ` Its previous settings are kept in ${backup}.` : ""}`);
	for (const note of notes) console.log(`  note: ${note}`);
	console.log(`  \`cursorwire disconnect ${name}\` undoes it.`);
}

function notesOf(client: Client, target: Target, { connection, after }: ConnectPlan): string[] {
	const { file, format } = connection;
	const settings = parseSettings(format, after, file);
	const isOpen = isOpenToOthers(file) && after.includes(target.key);
	return [
		...(client.notes?.(target, { variable: readPlaces().variable, settings }) ?? []),
		...(isOpen ? [`Other users of this machine can read ${file}: \`chmod 600\` keeps the key in it private.`] : []),
	];
}

/** Shown before the question. */
export const demoWarning = (url: string): string =>
	`The gateway at ${url} is the demo: it has no account, and it ends with Ctrl-C. With an account, run \`cursorwire serve\` and connect to that.`;

/** `serve` accepts the key of the demo, so on the same port only the models can differ. */
export function demoNote(name: string, url: string, servePort: number): string {
	const port = Number(new URL(url).port);
	const serve = `cursorwire serve${port === servePort ? "" : ` --port ${port}`}`;
	return `These settings work until the demo ends. After that, \`${serve}\` listens at the same address and accepts the same key; run \`cursorwire connect ${name}\` again then, because the models of your account may differ.`;
}
