import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "./plan.ts";

/** A file that was edited; a copy of the original is kept next to the record. */
export interface StoredFile extends Connection {
	/** The outermost folder that was created for the file. */
	madeFolder?: string;
}

/** A stored connection: the file of the client's providers, and where that is another one, that of its selection. */
export interface StoredConnection extends StoredFile {
	client: string;
	url: string;
	model: string;
	/** ISO 8601. */
	at: string;
	choice?: StoredFile;
	/** The client's own key, to be revoked when it is disconnected. */
	keyId?: string;
}

const PARTS = ["settings", "choice"] as const;
type Part = (typeof PARTS)[number];

/** Connections of clients: `<data folder>/connections/<client>.json`, with the original file as `<client>.backup`. */
export class ConnectionStore {
	readonly #folder: string;

	constructor(dataDir: string) {
		this.#folder = join(dataDir, "connections");
	}

	backupOf(client: string, part: Part = "settings"): string {
		return join(this.#folder, part === "settings" ? `${client}.backup` : `${client}.${part}.backup`);
	}

	list(): string[] {
		if (!existsSync(this.#folder)) return [];
		return readdirSync(this.#folder)
			.filter((name) => name.endsWith(".json"))
			.map((name) => name.slice(0, -".json".length))
			.sort();
	}

	find(client: string): StoredConnection | undefined {
		const file = this.#fileOf(client);
		if (!existsSync(file)) return undefined;
		const { choice, ...stored } = JSON.parse(readFileSync(file, "utf8"));
		return {
			...this.#withBackup(stored, client, "settings"),
			...(choice && { choice: this.#withBackup(choice, client, "choice") }),
		};
	}

	/** Only the owner can read these files, because settings contain keys. */
	save({ choice, ...connection }: StoredConnection): void {
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		const { client } = connection;
		if (!choice) rmSync(this.backupOf(client, "choice"), { force: true });
		const record = {
			...this.#keepBackup(connection, client, "settings"),
			...(choice && { choice: this.#keepBackup(choice, client, "choice") }),
		};
		writePrivate(this.#fileOf(client), `${JSON.stringify(record, undefined, 2)}\n`);
	}

	remove(client: string): void {
		rmSync(this.#fileOf(client), { force: true });
		for (const part of PARTS) rmSync(this.backupOf(client, part), { force: true });
	}

	#keepBackup({ before, ...file }: StoredFile, client: string, part: Part): object {
		const backup = this.backupOf(client, part);
		if (before === undefined) rmSync(backup, { force: true });
		else writePrivate(backup, before);
		return { ...file, hasBackup: before !== undefined };
	}

	#withBackup<F>({ hasBackup, ...file }: F & { hasBackup: boolean }, client: string, part: Part) {
		return { ...file, before: hasBackup ? readFileSync(this.backupOf(client, part), "utf8") : undefined };
	}

	#fileOf(client: string): string {
		return join(this.#folder, `${client}.json`);
	}
}

function writePrivate(file: string, text: string): void {
	writeFileSync(file, text, { mode: 0o600 });
	chmodSync(file, 0o600);
}
