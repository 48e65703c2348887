import { SettingError, type Settings } from "../../../config/settings.ts";
import { CLIENTS, connectName } from "../../../connect/clients.ts";
import { ConnectionStore, type StoredFile } from "../../../connect/connection-store.ts";
import { type DisconnectPlan, planDisconnect } from "../../../connect/plan.ts";
import {
	checkWritable,
	readSettingsFile,
	removeSettingsFile,
	writeSettingsFile,
} from "../../../connect/settings-file.ts";
import { revokeKey } from "../../gateway/find-gateway.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import type { DisconnectFlags } from "../../options/clients/connect.ts";
import { runCommand } from "../../process/run-command.ts";
import { diffText } from "../../terminal/diff.ts";
import { painter } from "../../terminal/output.ts";
import { askConsent } from "../../terminal/prompt.ts";
import { keysIn } from "./connect.ts";

/** `cursorwire disconnect`. An unchanged file is restored exactly; from a changed one only our settings are removed. */
export function disconnect(given: string | undefined, flags: DisconnectFlags): Promise<void> {
	return runCommand(async (signal) => {
		const name = given === undefined ? undefined : connectName(given);
		const { settings } = loadHomeSettings();
		const store = new ConnectionStore(settings.dataDir);
		const connected = store.list();
		if (name === undefined && !flags.all) throw new SettingError("name a client, or use --all");
		if (name !== undefined && !connected.includes(name)) {
			const others = connected.length === 0 ? "no client is" : `connected: ${connected.join(", ")}`;
			throw new SettingError(`"${name}" is not connected (${others})`);
		}
		for (const each of name === undefined ? connected : [name]) await takeBack(each, store, settings, flags, signal);
	});
}

async function takeBack(
	name: string,
	store: ConnectionStore,
	settings: Settings,
	flags: DisconnectFlags,
	signal: AbortSignal,
): Promise<void> {
	const connection = store.find(name)!;
	const { keyId, choice } = connection;
	const parts = [connection, ...(choice ? [choice] : [])].map(planPart);
	for (const { file, current } of parts) if (current !== undefined) checkWritable(file);
	const present = parts.filter(({ current }) => current !== undefined);
	if (!flags.json) {
		for (const { file, current, plan } of present) {
			console.log(diffText(file, current, plan.after, keysIn(connection), painter(process.stdout)));
		}
	}
	if (!flags.yes && present.length > 0) {
		await askConsent(`Change ${present.map(({ file }) => file).join(" and ")}?`, signal);
	}
	for (const { file, current, plan, madeFolder } of present) {
		if (plan.after === undefined) removeSettingsFile(file, madeFolder);
		else if (plan.after !== current) writeSettingsFile(file, plan.after);
	}
	if (keyId) await revokeKey(settings, keyId);
	store.remove(name);
	for (const { file, plan } of parts) report(name, file, plan, flags);
}

function planPart(stored: StoredFile) {
	const current = readSettingsFile(stored.file);
	return { file: stored.file, madeFolder: stored.madeFolder, current, plan: planDisconnect(stored, current) };
}

function report(name: string, file: string, { exact, kept, after }: DisconnectPlan, { json }: DisconnectFlags): void {
	const changed = kept.map((path) => path.join("."));
	if (json)
		return console.log(JSON.stringify({ client: name, file, exact, removed: after === undefined, kept: changed }));
	const how = exact ? "exactly as it was before" : "without our settings; what you changed since is kept";
	console.log(`${CLIENTS[name]?.name ?? name} is disconnected: ${file} is ${after === undefined ? "gone" : how}.`);
	for (const path of changed) console.log(`  note: ${path} was changed by you or the client, and is left alone.`);
}
