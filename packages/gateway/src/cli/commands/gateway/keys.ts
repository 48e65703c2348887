import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { configuredKey } from "../../../access/configured-key.ts";
import { keyFileIn, readKeyFile } from "../../../access/key-file.ts";
import { hashKey } from "../../../access/keys.ts";
import { SettingError } from "../../../config/settings.ts";
import { addLimitedKey, revokeLimitedKey } from "../../../guard/limit-book.ts";
import { limitText } from "../../../guard/limit-text.ts";
import type { SpendLimit } from "../../../store/spend/spend-limit.ts";
import type { StoredKey } from "../../../store/store.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import { limitTerms } from "../../limit-terms.ts";
import { EXIT_CODES } from "../../process/exit-codes.ts";
import { runCommand } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";
import { withBooks } from "../../with-books.ts";

interface KeysFlags {
	json?: boolean;
	turns?: string;
	metricsOnly?: boolean;
	limit?: string[];
}

/** `cursorwire keys`. The owner's key is shown in full; of the others only a hash is kept. */
export function listKeys(flags: KeysFlags, { args: [excess] }: Command): Promise<void> {
	return withBooks(async ({ ring, book, settings }) => {
		if (excess !== undefined)
			throw new SettingError(`unknown command 'keys ${excess}'; choose list, show, add or revoke`);
		const file = keyFileIn(settings.dataDir);
		const key = readKeyFile(file);
		const records = await ring.list();
		const limits = await book.list();
		if (flags.json) {
			const keys = records.map(({ hash: _, ...record }) => ({ ...record, spend: limitsOf(record, limits) }));
			return console.log(JSON.stringify({ key, keys }));
		}
		console.log(ownersKey(key, file, configuredKey(settings) !== ""));
		if (records.length === 0) return;
		console.log();
		const rows = records.map((record) => toRow(record, limitsOf(record, limits), key));
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

const HEADINGS = ["ID", "NAME", "KIND", "MADE", "LAST USED", "TURNS", "SPENDS", "STATE"];

/** What may be spent with a key, as texts. */
const limitsOf = ({ id }: Pick<StoredKey, "id">, limits: readonly SpendLimit[]): string[] =>
	limits.filter(({ scope }) => scope.key === id).map(limitText);

function toRow(record: StoredKey, spend: readonly string[], key?: string): string[] {
	const { id, name, hash, kind, createdAt, lastUsedAt, revokedAt, limits } = record;
	const isOwners = key !== undefined && hashKey(key) === hash;
	return [
		id,
		isOwners ? `${name} (the owner's)` : name,
		kind ?? "client",
		day(createdAt),
		lastUsedAt ? day(lastUsedAt) : "never",
		kind === "metrics" ? "none" : String(limits?.concurrentTurns ?? "any"),
		spend.join(", ") || (kind === "metrics" ? "nothing" : "any"),
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
	return withBooks(async ({ ring, book }) => {
		if (!NAME.test(name)) throw new SettingError(`a key's name is visible text of up to 100 characters, not "${name}"`);
		const { key, record } = flags.metricsOnly
			? await ring.add(name, metricsOnly(flags))
			: await addLimitedKey(ring, book, { name, random: randomBytes, ...limited(flags) });
		if (flags.json) console.log(JSON.stringify({ key, id: record.id }));
		else console.log(`${key}\nIts id is ${record.id}. It is not shown again.`);
	});
}

function metricsOnly({ turns, limit }: KeysFlags): { kind: "metrics" } {
	if (turns === undefined && limit === undefined) return { kind: "metrics" };
	throw new SettingError(
		`${turns === undefined ? "--limit" : "--turns"}: a key that can only read metrics has no turns`,
	);
}

function limited({ turns, limit = [] }: KeysFlags): Pick<Parameters<typeof addLimitedKey>[2], "terms" | "limits"> {
	const concurrentTurns = turnsOf(turns);
	const terms = limit.map((text) => limitTerms(text, "--limit"));
	return { terms, ...(concurrentTurns !== undefined && { limits: { concurrentTurns } }) };
}

function turnsOf(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
	throw new SettingError(`--turns: takes a whole number of at least 1, not "${text}"`);
}

export function revokeKey(wanted: string, flags: KeysFlags): Promise<void> {
	return withBooks(async ({ ring, book }) => {
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
		await revokeLimitedKey(ring, book, record.id);
		if (flags.json) console.log(JSON.stringify({ revoked: record.id }));
		else console.log(`Revoked: ${record.name} (${record.id}). A running gateway notices within a second.`);
	});
}
