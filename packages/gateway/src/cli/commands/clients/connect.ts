import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readPlaces } from "../../../config/places.ts";
import { SettingError, type Settings } from "../../../config/settings.ts";
import type { Client, Target, VariableClient } from "../../../connect/client.ts";
import { CLIENT_NAMES, CLIENTS, connectName } from "../../../connect/clients.ts";
import { ConnectionStore, type StoredConnection } from "../../../connect/connection-store.ts";
import { offersWebSockets, tryGateway } from "../../../connect/gateway-client.ts";
import { SDK_SNIPPETS } from "../../../connect/sdk-snippet.ts";
import { settingsPath } from "../../../connect/settings-file.ts";
import { VARIABLE_CLIENTS } from "../../../connect/variable-clients.ts";
import { demoNote, demoWarning, reportConnection } from "../../connect-report.ts";
import { ClientKey, chooseGateway, revokeKey } from "../../gateway/find-gateway.ts";
import { offeredModels } from "../../gateway/offered-models.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import { type ConnectFlags, SDK } from "../../options/clients/connect.ts";
import { runCommand } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";
import { askConsent } from "../../terminal/prompt.ts";
import { printTable } from "../../terminal/table.ts";
import { withSpinner } from "../../terminal/terminal.ts";
import {
	type ClientChanges,
	changedFiles,
	changesOf,
	checkFiles,
	checkUnchanged,
	planFiles,
	showChanges,
	writeFiles,
} from "./connect-files.ts";
import { showVariables } from "./show-variables.ts";

/** `cursorwire connect`. Nothing is written before the gateway has replied to a request like the client's. */
export function connect(given: string | undefined, flags: ConnectFlags): Promise<void> {
	return runCommand(async (signal) => {
		const { settings } = loadHomeSettings();
		if (given === undefined) return listClients(settings, flags);
		const name = connectName(given);
		const client = clientOf(name);
		const gateway = chooseGateway(settings, flags);
		const models = await offeredModels(gateway, flags.model, signal);
		const webSockets = client?.api === "responses" && (await offersWebSockets(gateway, signal));
		const target: Target = { url: gateway.url, key: gateway.key, model: flags.model, models, webSockets };
		if (client === undefined) return printSnippets(target, flags);
		if ("variables" in client) {
			const reply = flags.verify === false || flags.print ? undefined : await verify(target, client, signal);
			return showVariables({ name, client, target, reply, isElsewhere: flags.url !== undefined }, flags);
		}
		const store = new ConnectionStore(settings.dataDir);
		const former = store.find(name);
		// What is printed has to work as it is.
		const ownKey =
			gateway.canMakeKeys && !flags.print
				? await ClientKey.choose(settings, former?.keyId && keysIn(former)[0])
				: undefined;
		if (ownKey) target.key = ownKey.key;
		const file = flags.file && resolve(flags.file);
		if (former && file !== undefined && former.file !== file) {
			throw new SettingError(`${name} is connected in ${former.file}; run \`cursorwire disconnect ${name}\` first`);
		}
		const changes = planFiles({ client, target, file, select: flags.default !== false, former });
		if (flags.print) return void process.stdout.write(printed(changes));
		checkFiles(changes);
		if (!flags.json) {
			console.log(showChanges(changes, [target.key, gateway.key, ...keysIn(former)]));
			if (gateway.isDemo) console.log(`\n${demoWarning(gateway.url)}`);
		}
		const changed = changedFiles(changes);
		if (!flags.yes && changed.length > 0) await askConsent(`Change ${changed.join(" and ")}?`, signal);

		// Zed keeps no key in its settings, so the owner's key is used for the trial.
		const isOwnKey = ownKey !== undefined && changes.settings.plan.after.includes(ownKey.key);
		const keyId = isOwnKey ? await ownKey.add(name) : undefined;
		if (isOwnKey && keyId === undefined) throw new SettingError(`${settings.dataDir} cannot be written`);
		let reply: string | undefined;
		try {
			if (flags.verify !== false) {
				reply = await verify(isOwnKey ? target : { ...target, key: gateway.key }, client, signal);
			}
			checkUnchanged(changes);
			writeFiles(store, changes, factsOf(name, target, keyId), former);
		} catch (error) {
			if (keyId !== undefined && ownKey?.isNew) await revokeKey(settings, keyId);
			throw error;
		}
		if (former?.keyId && former.keyId !== keyId) await revokeKey(settings, former.keyId);
		const notes = gateway.isDemo ? [demoNote(name, gateway.url, settings.port)] : [];
		reportConnection({
			client,
			name,
			target,
			plan: changes.settings.plan,
			reply,
			backup: store.backupOf(name),
			notes,
			flags,
		});
	});
}

/** Undefined for the SDKs. */
function clientOf(name: string): Client | VariableClient | undefined {
	if (name === SDK) return undefined;
	const client = [CLIENTS, VARIABLE_CLIENTS].find((table) => Object.hasOwn(table, name))?.[name];
	if (client) return client;
	throw new SettingError(`"${name}" is not known; choose one of ${[...CLIENT_NAMES, SDK].join(", ")}`);
}

function verify(target: Target, client: Pick<Client, "name" | "api">, signal: AbortSignal): Promise<string> {
	return withSpinner(`Asking ${target.model} through ${target.url}, as ${client.name} would`, () =>
		tryGateway(target, client.api, target.model, signal),
	);
}

const factsOf = (client: string, { url, model }: Target, keyId: string | undefined) => ({
	client,
	url,
	model,
	at: new Date().toISOString(),
	...(keyId && { keyId }),
});

/** The settings alone, to be redirected into a file. Where there are two files, each begins with its name. */
function printed(changes: ClientChanges): string {
	const files = changesOf(changes).map(({ plan }) => plan);
	if (files.length === 1) return files[0]!.after;
	return files.map(({ connection, after }) => `# ${connection.file}\n${after}`).join("\n");
}

/** Keys that were written earlier, so that a diff does not show them. */
export function keysIn(former: StoredConnection | undefined): string[] {
	return [...new Set(JSON.stringify(former?.edits ?? []).match(/cw_[\w-]{20,}/g) ?? [])];
}

function printSnippets(target: Target, { json }: ConnectFlags): void {
	const snippets = Object.entries(SDK_SNIPPETS).map(([name, write]) => [name, write(target)] as const);
	if (json) return console.log(JSON.stringify({ url: target.url, snippets: Object.fromEntries(snippets) }));
	const paint = painter(process.stdout);
	console.log(snippets.map(([name, text]) => `${paint("bold", `# ${name}`)}\n${text}\n`).join("\n"));
}

function listClients(settings: Settings, { json }: ConnectFlags): void {
	const store = new ConnectionStore(settings.dataDir);
	const places = readPlaces();
	const rows = Object.entries(CLIENTS).map(([id, client]) => {
		const connection = store.find(id);
		const file = connection?.file ?? settingsPath(client, places);
		const state = connection ? `connected to ${connection.url}` : existsSync(file) ? "has settings" : "no settings yet";
		return { id, name: client.name, file, state };
	});
	const byVariables = Object.entries(VARIABLE_CLIENTS).map(([id, { name }]) => ({
		id,
		name,
		state: "by variables",
		file: "",
	}));
	rows.push(...byVariables);
	if (json) return console.log(JSON.stringify(rows));
	printTable(
		process.stdout,
		painter(process.stdout),
		["CLIENT", "NAME", "STATE", "SETTINGS"],
		rows.map(({ id, name, state, file }) => [id, name, state, file]),
	);
	console.log(`\n\`cursorwire connect <client>\` sets one up; \`cursorwire connect ${SDK}\` prints example programs.`);
}
