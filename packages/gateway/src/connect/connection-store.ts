import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "./plan.ts";

/** A stored connection; a copy of the original file is kept next to it. */
export interface StoredConnection extends Connection {
	client: string;
	url: string;
	model: string;
	/** ISO 8601. */
	at: string;
	/** The outermost folder that was created for the file. */
	madeFolder?: string;
	/** The client's own key, to be revoked when it is disconnected. */
	keyId?: string;
}

/** Connections of clients: `<data folder>/connections/<client>.json`, with the original file as `<client>.backup`. */
export class ConnectionStore {
	readonly #folder: string;

	constructor(dataDir: string) {
		this.#folder = join(dataDir, "connections");
	}

	backupOf(client: string): string {
		return join(this.#folder, `${client}.backup`);
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
		const { hasBackup, ...stored } = JSON.parse(readFileSync(file, "utf8"));
		return { ...stored, before: hasBackup ? readFileSync(this.backupOf(client), "utf8") : undefined };
	}

	/** Only the owner can read both files, because settings contain keys. */
	save({ before, ...connection }: StoredConnection): void {
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		if (before === undefined) rmSync(this.backupOf(connection.client), { force: true });
		else writePrivate(this.backupOf(connection.client), before);
		const record = { ...connection, hasBackup: before !== undefined };
		writePrivate(this.#fileOf(connection.client), `${JSON.stringify(record, undefined, 2)}\n`);
	}

	remove(client: string): void {
		rmSync(this.#fileOf(client), { force: true });
		rmSync(this.backupOf(client), { force: true });
	}

	#fileOf(client: string): string {
		return join(this.#folder, `${client}.json`);
	}
}

function writePrivate(file: string, text: string): void {
	writeFileSync(file, text, { mode: 0o600 });
	chmodSync(file, 0o600);
}
