import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { configuredKey } from "../../../access/configured-key.ts";
import { keyFileIn, readKeyFile } from "../../../access/key-file.ts";
import { KeyRing } from "../../../access/key-ring.ts";
import { hashKey } from "../../../access/keys.ts";
import { SettingError, type Settings } from "../../../config/settings.ts";
import { openStore } from "../../../store/open-store.ts";
import type { StoredKey } from "../../../store/store.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import { EXIT_CODES } from "../../process/exit-codes.ts";
import { runCommand } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";

interface KeysFlags {
	json?: boolean;
	turns?: string;
	metricsOnly?: boolean;
}

/** `cursorwire keys`. The owner's key is shown in full; of the others only a hash is kept. */
export function listKeys(flags: KeysFlags, { args: [excess] }: Command): Promise<void> {
	return withRing(async (ring, settings) => {
		if (excess !== undefined)
			throw new SettingError(`unknown command 'keys ${excess}'; choose list, show, add or revoke`);
		const file = keyFileIn(settings.dataDir);
		const key = readKeyFile(file);
		const records = await ring.list();
		if (flags.json) {
			return console.log(JSON.stringify({ key, keys: records.map(({ hash: _, ...record }) => record) }));
		}
		console.log(ownersKey(key, file, configuredKey(settings) !== ""));
		if (records.length === 0) return;
		console.log();
		const rows = records.map((record) => toRow(record, key));
		printTable(process.stdout, painter(process.stdout), HEADINGS, rows);
	});
}

function ownersKey(key: string | undefined, file: string, isConfigured: boolean): string {
	const used = isConfigured
		? ["Note         the gateway uses the key of its settings instead; `cursorwire config` shows where it is set"]
		: [];
	if (key === undefined)
		return ["Owner's key  none yet: it is created when the gateway first starts", ...used].join("\n");
	return [
		`Owner's key  ${key}`,
		`Kept in      ${file}`,
		"For scripts  `cursorwire keys show` prints the key and nothing else",
		...used,
	].join("\n");
}

const HEADINGS = ["ID", "NAME", "KIND", "MADE", "LAST USED", "TURNS", "STATE"];

function toRow({ id, name, hash, kind, createdAt, lastUsedAt, revokedAt, limits }: StoredKey, key?: string): string[] {
	const isOwners = key !== undefined && hashKey(key) === hash;
	return [
		id,
		isOwners ? `${name} (the owner's)` : name,
		kind ?? "client",
		day(createdAt),
		lastUsedAt ? day(lastUsedAt) : "never",
		kind === "metrics" ? "none" : String(limits?.concurrentTurns ?? "any"),
		revokedAt ? `revoked ${day(revokedAt)}` : "valid",
	];
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function showKey(): Promise<void> {
	return runCommand(async () => {
		const { settings } = loadHomeSettings();
		const key = configuredKey(settings) || readKeyFile(keyFileIn(settings.dataDir));
		if (key) return console.log(key);
		console.error("No key yet: it is created when the gateway first starts. Run `cursorwire serve`.");
		process.exitCode = EXIT_CODES.failed.code;
	});
}

/** It is printed in lists, so it begins with something that can be seen and cannot move the cursor. */
const NAME = /^(?!\s)[^\p{C}]{1,100}$/u;

export function addKey(name: string, flags: KeysFlags): Promise<void> {
	return withRing(async (ring) => {
		if (!NAME.test(name)) throw new SettingError(`a key's name is visible text of up to 100 characters, not "${name}"`);
		const { key, record } = await ring.add(name, flags.metricsOnly ? metricsOnly(flags) : limited(flags));
		if (flags.json) console.log(JSON.stringify({ key, id: record.id }));
		else console.log(`${key}\nIts id is ${record.id}. It is not shown again.`);
	});
}

function metricsOnly({ turns }: KeysFlags): { kind: "metrics" } {
	if (turns === undefined) return { kind: "metrics" };
	throw new SettingError("--turns: a key that can only read metrics has no turns");
}

function limited({ turns }: KeysFlags): { limits?: { concurrentTurns: number } } {
	const concurrentTurns = turnsOf(turns);
	return concurrentTurns === undefined ? {} : { limits: { concurrentTurns } };
}

function turnsOf(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
	throw new SettingError(`--turns: takes a whole number of at least 1, not "${text}"`);
}

export function revokeKey(wanted: string, flags: KeysFlags): Promise<void> {
	return withRing(async (ring) => {
		const valid = (await ring.list()).filter(({ revokedAt }) => revokedAt === undefined);
		const byName = valid.filter(({ name }) => name === wanted);
		const record = valid.find(({ id }) => id === wanted) ?? (byName.length === 1 ? byName[0] : undefined);
		if (!record) {
			throw new SettingError(
				byName.length > 1
					? `${byName.length} keys have the name "${wanted}"; give the id of one, as \`cursorwire keys\` lists them`
					: `there is no valid key with the id or name "${wanted}"; \`cursorwire keys\` lists them`,
			);
		}
		await ring.revoke(record.id);
		if (flags.json) console.log(JSON.stringify({ revoked: record.id }));
		else console.log(`Revoked: ${record.name} (${record.id}). A running gateway notices within a second.`);
	});
}

function withRing(work: (ring: KeyRing, settings: Settings) => Promise<void>): Promise<void> {
	return runCommand(async () => {
		const { settings } = loadHomeSettings();
		const { dataDir, redis, caFile } = settings;
		const store = await openStore({ dataDir, redis, caFile, warn: () => {} });
		try {
			const { degraded } = store.status();
			if (degraded !== undefined) {
				throw new SettingError(
					redis
						? `${degraded}; start it, or correct CURSORWIRE_REDIS`
						: `${dataDir} cannot be used (${degraded}); repair it, or set CURSORWIRE_DATA_DIR`,
				);
			}
			await work(new KeyRing({ store, now: Date.now, random: randomBytes }), settings);
			for (const { reason } of store.status().problems ?? []) console.error(`Note: ${reason}`);
		} finally {
			await store.close();
		}
	});
}
