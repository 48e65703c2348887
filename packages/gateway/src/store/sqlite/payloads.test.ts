import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pausesOf } from "../../../test/kit/slices.ts";
import { backTo } from "../../../test/store/earlier-schema.ts";
import { atOnce } from "../../time/slices.ts";
import type { SqlDatabase } from "./database.ts";
import { openDatabase } from "./open.ts";
import { DRAFT_MS, PIECE_BYTES, SqlitePayloads } from "./payloads.ts";

const DAY = 24 * 60 * 60 * 1000;
const BUDGET = { perCaller: 10 * PIECE_BYTES, total: 20 * PIECE_BYTES };
const LONG = Buffer.alloc(3 * PIECE_BYTES + 5, "0123456789a");

function openIn(folder: string): SqlDatabase {
	const unexpected = (message: string) => expect.fail(message);
	const database = openDatabase(join(folder, "store.db"), { now: Date.now, warn: unexpected, lost: unexpected });
	onTestFinished(() => database.close());
	return database;
}

function setUp() {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-payloads-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const time = { at: 1_000_000 };
	const database = openIn(folder);
	const payloads = new SqlitePayloads(database, "responses", BUDGET, () => time.at);
	const sizes = () =>
		database.all<{ size: number }>("select length(bytes) as size from payload_pieces").map(({ size }) => size);
	return { folder, time, database, payloads, sizes, get: (name: string) => atOnce(payloads.get("alice", name)) };
}

it("keeps a long payload in pieces, with a pause before each", () => {
	const { payloads, sizes, get } = setUp();
	expect(pausesOf(payloads.put("alice", "long", LONG, DAY))).toBe(4);
	expect(sizes()).toEqual([PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, 5]);
	expect(LONG.equals(get("long")!)).toBe(true);
	expect(pausesOf(payloads.get("alice", "long"))).toBeGreaterThan(4);
	expect(pausesOf(payloads.put("alice", "short", LONG.subarray(0, PIECE_BYTES), DAY))).toBe(0);
	expect(sizes()).toHaveLength(4);
});

it("removes the pieces with their entry, however it goes", () => {
	const { payloads, sizes, time, database } = setUp();
	const put = (name: string) => atOnce(payloads.put("alice", name, LONG, DAY));
	put("deleted");
	expect(payloads.delete("alice", "deleted")).toBe(true);
	expect(sizes()).toEqual([]);
	put("replaced");
	put("replaced");
	expect(sizes()).toHaveLength(4);
	put("second");
	put("third");
	// There is room for three of them, so the first is gone.
	put("fourth");
	expect(sizes()).toHaveLength(12);
	time.at += DAY;
	SqlitePayloads.removeExpired(database, time.at, 50);
	expect(sizes()).toEqual([]);
	expect(database.all("select sum(bytes) as bytes from stored")).toEqual([{ bytes: 0 }]);
});

it("leaves the former one until the new one is complete, and forgets a new one that never will be", () => {
	const { payloads, sizes, time, database, get } = setUp();
	atOnce(payloads.put("alice", "name", Buffer.from("former"), DAY));
	const writing = payloads.put("alice", "name", LONG, DAY);
	for (let pieces = 0; pieces < 3; pieces++) writing.next();
	expect(sizes()).toHaveLength(2);
	expect(Buffer.from(get("name")!).toString()).toBe("former");
	time.at += DRAFT_MS;
	SqlitePayloads.removeExpired(database, time.at, 50);
	expect(sizes()).toEqual([]);
	expect(Buffer.from(get("name")!).toString()).toBe("former");
});

it("gives up one that has to make room while it is written", () => {
	const { payloads, sizes, get } = setUp();
	const writing = payloads.put("alice", "early", LONG, DAY);
	writing.next();
	writing.next();
	for (const name of ["1", "2", "3"]) atOnce(payloads.put("alice", name, LONG, DAY));
	expect(writing.next().done).toBe(true);
	expect([get("early"), get("3")?.length]).toEqual([undefined, LONG.length]);
	expect(sizes()).toHaveLength(12);
});

it("gives nothing of one that is removed while it is read", () => {
	const { payloads } = setUp();
	atOnce(payloads.put("alice", "name", LONG, DAY));
	const reading = payloads.get("alice", "name");
	reading.next();
	payloads.delete("alice", "name");
	atOnce(payloads.put("alice", "other", LONG, DAY));
	expect(reading.next()).toEqual({ done: true, value: undefined });
});

it("finds what an earlier version has kept", () => {
	const { payloads, database, folder, time } = setUp();
	atOnce(payloads.put("alice", "name", Buffer.from("kept"), DAY));
	database.exec(backTo(1));
	database.close();
	const later = new SqlitePayloads(openIn(folder), "responses", BUDGET, () => time.at);
	expect(Buffer.from(atOnce(later.get("alice", "name"))!).toString()).toBe("kept");
	atOnce(later.put("alice", "long", LONG, DAY));
	expect(LONG.equals(atOnce(later.get("alice", "long"))!)).toBe(true);
});
