import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { backTo } from "../../../test/store/earlier-schema.ts";
import { SqlDatabase } from "./database.ts";
import { SqliteKeys } from "./keys.ts";
import { migrate } from "./schema.ts";

function open(file: string): SqlDatabase {
	const database = new SqlDatabase(file, { busyTimeoutMs: 0, onDamage: () => expect.fail() });
	migrate(database, 0);
	return database;
}

it("finds the keys that an earlier version has kept, and adds one of a kind", () => {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-keys-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, "test.db");
	const database = open(file);
	const old = { id: "old", name: "laptop", hash: "a", createdAt: 1 };
	new SqliteKeys(database).add(old);
	database.exec(backTo(2));
	database.close();

	const later = open(file);
	onTestFinished(() => later.close());
	const keys = new SqliteKeys(later);
	expect(keys.list()).toEqual([old]);
	const scraper = { id: "new", name: "prometheus", hash: "b", createdAt: 2, kind: "metrics" as const };
	keys.add(scraper);
	expect(keys.list()).toEqual([old, scraper]);
});
