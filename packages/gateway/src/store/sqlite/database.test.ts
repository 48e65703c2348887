import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { StoreUnavailableError } from "../errors.ts";
import { SqlDatabase, type SqlValue } from "./database.ts";

function temporaryFile(): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-sql-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return join(folder, "test.db");
}

function open(file = temporaryFile()): SqlDatabase {
	const database = new SqlDatabase(file, { busyTimeoutMs: 50, onDamage: () => {} });
	onTestFinished(() => database.close());
	return database;
}

function filled(): SqlDatabase {
	const database = open();
	database.all("pragma journal_mode = wal");
	database.exec("create table t (id integer primary key, value blob) strict");
	database.transaction(() => {
		for (let id = 0; id < 250; id++) database.run("insert into t values (?, ?)", [id, new Uint8Array([id])]);
	});
	return database;
}

it("refuses values that would abort the process or turn into NULL", () => {
	const database = filled();
	for (const value of [true, Number.NaN, Number.POSITIVE_INFINITY, undefined, {}, [], new Date(), () => 0]) {
		expect(() => database.all("select ? as value", [value as SqlValue])).toThrow(TypeError);
	}
	expect(database.all("select 1 as one")).toEqual([{ one: 1 }]);
});

it("answers a repeated query with the new values each time", () => {
	const database = filled();
	const idsFrom = (from: number, to: number) =>
		database.all<{ id: number }>("select id from t where id >= ? and id < ?", [from, to]).map(({ id }) => id);
	// 100 is the size of the driver's batches.
	for (const [from, to] of [
		[0, 250],
		[7, 8],
		[0, 0],
		[0, 100],
		[3, 4],
		[0, 101],
		[100, 200],
		[300, 400],
		[9, 10],
	] as const) {
		expect(idsFrom(from, to)).toEqual([...Array(Math.max(0, Math.min(to, 250) - from)).keys()].map((id) => id + from));
	}
});

it("gives blobs as bytes", () => {
	const database = filled();
	const [row] = database.all<{ value: Uint8Array }>("select value from t where id = 7");
	expect(row?.value).toBeInstanceOf(Uint8Array);
	expect([...row!.value]).toEqual([7]);
	const part = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
	expect([...database.all<{ value: Uint8Array }>("select ? as value", [part])[0]!.value]).toEqual([2, 3]);
});

it("writes in transactions only, all or nothing", () => {
	const database = filled();
	expect(() => database.run("delete from t")).toThrow("needs a transaction");
	const failing = () =>
		database.transaction(() => {
			database.run("delete from t");
			throw new Error("no");
		});
	expect(failing).toThrow("no");
	expect(database.all("select count(*) as count from t")).toEqual([{ count: 250 }]);
	expect(database.transaction(() => database.run("delete from t where id < 10"))).toBe(10);
});

it("goes on after another connection held the lock too long", () => {
	const database = filled();
	const other = open(database.file);
	other.transaction(() => {
		expect(() => database.transaction(() => {})).toThrow(StoreUnavailableError);
		expect(database.all("select count(*) as count from t")).toEqual([{ count: 250 }]);
	});
	expect(database.transaction(() => database.run("delete from t where id = 1"))).toBe(1);
});

it("tells its own mistakes from the file's", () => {
	const database = filled();
	const insert = (values: SqlValue[]) => () =>
		database.transaction(() => database.run("insert into t values (?, ?)", values));
	expect(insert([1, null])).not.toThrow(StoreUnavailableError);
	expect(insert([1, null])).toThrow("UNIQUE");
	expect(insert([1000, "text"])).toThrow("cannot store TEXT");
	expect(insert([1000, null])).not.toThrow();
});

it("does not write to a file that is no longer there", () => {
	const database = filled();
	rmSync(database.file);
	expect(database.isInPlace()).toBe(false);
	expect(() => database.transaction(() => {})).toThrow("deleted or replaced");
	const replacement = open(database.file);
	replacement.exec("create table u (id integer)");
	expect(existsSync(database.file)).toBe(true);
	expect(() => database.transaction(() => {})).toThrow("deleted or replaced");
});

it("is unavailable once it is closed", () => {
	const database = filled();
	database.close();
	database.close();
	expect(() => database.all("select 1")).toThrow(StoreUnavailableError);
	expect(() => database.transaction(() => {})).toThrow(StoreUnavailableError);
});

it("is unavailable in a folder that does not exist", () => {
	expect(() => open(join(temporaryFile(), "..", "missing", "test.db"))).toThrow(StoreUnavailableError);
});
