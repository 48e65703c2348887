import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { StoreVersionError } from "../../src/store/errors.ts";
import { openStore, STORE_FILE } from "../../src/store/open-store.ts";
import { SqlDatabase } from "../../src/store/sqlite/database.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { blobsOf, bytes, checkpoint, keyRecord, ledgerRow, temporaryFolder, text } from "./stores.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

async function setUp(dataDir = join(temporaryFolder(), "data")) {
	const clock = new ManualClock();
	const warnings: string[] = [];
	const store = closing(await openStore({ dataDir, clock, warn: (message) => warnings.push(message) }));
	return { store, clock, warnings, dataDir, file: join(dataDir, STORE_FILE) };
}

/** Runs the root-only commands of a test, or skips it where they are not permitted. */
function mountSmallDisk(skip: (note: string) => void, size = "2m"): string {
	const folder = join(temporaryFolder(), "disk");
	mkdirSync(folder);
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder], { stdio: "pipe" });
	} catch {
		skip("mounting a small disk is not permitted here");
	}
	// Lazily: the driver lets go of its files when its statements are collected.
	onTestFinished(() => void execFileSync("umount", ["-l", folder], { stdio: "pipe" }));
	return folder;
}

/** Everything the gateway does with a store, which has to work whatever the disk does. */
async function expectToWork(store: Awaited<ReturnType<typeof setUp>>["store"], name: string): Promise<void> {
	expect(await store.putCheckpoint(...checkpoint("alice", name, [name, "other"]))).toBe(true);
	expect((await store.findCheckpoint("alice", name))?.blobs).toEqual(blobsOf([name, "other"]));
	await store.putResponse("alice", name, bytes(`response ${name}`), HOUR);
	expect(text(await store.getResponse("alice", name))).toBe(`response ${name}`);
	store.addToLedger(ledgerRow({ model: name }));
	expect((await store.lastRequests(1))[0]?.model).toBe(name);
	expect((await store.usageSince(0)).some(({ model }) => model === name)).toBe(true);
}

describe("O1: a full disk", () => {
	it("leaves the gateway working from memory, and what is on it readable, until there is room", async ({ skip }) => {
		const disk = mountSmallDisk(skip);
		const { store, clock, warnings } = await setUp(join(disk, "data"));
		await store.addKey(keyRecord("first"));
		await expectToWork(store, "before");
		expect(store.status()).toEqual({ mode: "sqlite" });

		for (let index = 0; store.status().mode === "sqlite"; index++) {
			const payload = Buffer.alloc(100_000, index);
			await store.putResponse("bob", `${index}`, payload, HOUR);
			expect(payload.equals((await store.getResponse("bob", `${index}`))!)).toBe(true);
		}
		expect(store.status()).toEqual({ mode: "memory", degraded: expect.stringContaining("the disk is full") });
		expect(store.kind).toBe("memory");
		await expectToWork(store, "during");
		await store.addKey(keyRecord("second"));
		await store.revokeKey("first", 99);
		expect((await store.listKeys()).map(({ id }) => id)).toEqual(["first", "second"]);
		expect(text(await store.getResponse("alice", "before"))).toBe("response before");
		expect((await store.findCheckpoint("alice", "before"))?.blobs).toEqual(blobsOf(["before", "other"]));
		expect(await store.deleteResponse("alice", "before")).toBe(true);
		expect(await store.getResponse("alice", "before")).toBeUndefined();
		expect(await store.deleteResponse("alice", "before")).toBe(false);
		expect((await store.usageSince(0)).map(({ model }) => model)).toEqual(["before", "during"]);
		expect(warnings).toEqual([expect.stringContaining("memory stands in for it: the disk is full")]);

		clock.advance(MINUTE);
		await until(() => warnings.length > 1);
		expect(warnings[1]).toContain("still unavailable");
		expect(store.status().mode).toBe("memory");

		execFileSync("mount", ["-o", "remount,size=8m", disk]);
		clock.advance(MINUTE);
		await until(() => store.status().mode === "sqlite");
		expect(warnings[2]).toContain("available again");
		await expectToWork(store, "after");
		// From the time before, from the time in memory, and what was moved over.
		expect((await store.findCheckpoint("alice", "before"))?.blobs).toEqual(blobsOf(["before", "other"]));
		expect(text(await store.getResponse("alice", "during"))).toBe("response during");
		expect(await store.getResponse("alice", "before")).toBeUndefined();
		expect((await store.listKeys()).map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
			["first", 99],
			["second", undefined],
		]);
		expect((await store.lastRequests(10)).map(({ model }) => model)).toEqual(["after", "during", "before"]);
		await store.close();

		const { store: reopened } = await setUp(join(disk, "data"));
		expect(reopened.status()).toEqual({ mode: "sqlite" });
		expect((await reopened.listKeys()).map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
			["first", 99],
			["second", undefined],
		]);
		expect(await reopened.getResponse("alice", "before")).toBeUndefined();
		expect((await reopened.lastRequests(10)).map(({ model }) => model)).toEqual(["after", "during", "before"]);
	});

	it("is survived from the start", async ({ skip }) => {
		const disk = mountSmallDisk(skip, "1m");
		try {
			writeFileSync(join(disk, "filler"), new Uint8Array(1_100_000));
		} catch {}
		const { store, clock, warnings } = await setUp(join(disk, "data"));
		expect(store.status()).toEqual({ mode: "memory", degraded: expect.any(String) });
		expect(warnings).toHaveLength(1);
		await expectToWork(store, "one");
		rmSync(join(disk, "filler"));
		clock.advance(MINUTE);
		await until(() => store.status().mode === "sqlite");
		await expectToWork(store, "two");
	});

	it("is named once a minute at most", async ({ skip }) => {
		const disk = mountSmallDisk(skip, "1m");
		try {
			writeFileSync(join(disk, "filler"), new Uint8Array(1_100_000));
		} catch {}
		const { store, clock, warnings } = await setUp(join(disk, "data"));
		for (let second = 0; second < 600; second++) {
			store.addToLedger(ledgerRow());
			await store.putResponse("alice", `${second}`, bytes("answer"), HOUR);
			clock.advance(1000);
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(warnings).toHaveLength(11);
	});
});

describe("O2: a folder that cannot be written", () => {
	it("is survived on a read-only disk", async ({ skip }) => {
		const disk = mountSmallDisk(skip);
		execFileSync("mount", ["-o", "remount,ro", disk]);
		const { store, clock, warnings } = await setUp(join(disk, "data"));
		expect(store.status()).toEqual({ mode: "memory", degraded: expect.any(String) });
		expect(warnings).toHaveLength(1);
		await expectToWork(store, "one");
		execFileSync("mount", ["-o", "remount,rw", disk]);
		clock.advance(MINUTE);
		await until(() => store.status().mode === "sqlite");
		await expectToWork(store, "two");
	});

	it.skipIf(process.getuid?.() === 0)("is survived without permission (root has it always)", async () => {
		const folder = temporaryFolder();
		chmodSync(folder, 0o500);
		const { store } = await setUp(join(folder, "data"));
		expect(store.status().mode).toBe("memory");
		await expectToWork(store, "one");
	});

	it("is survived where a file stands in its place", async () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, "data"), "a file");
		const { store } = await setUp(join(folder, "data"));
		expect(store.status()).toEqual({ mode: "memory", degraded: expect.any(String) });
		await expectToWork(store, "one");
		expect(readFileSync(join(folder, "data"), "utf8")).toBe("a file");
	});
});

describe("O2: a folder that is deleted while the gateway runs", () => {
	it("is noticed at the next write, and made again a minute later with the keys in it", async () => {
		const { store, clock, warnings, dataDir, file } = await setUp();
		await store.addKey(keyRecord("key"));
		await expectToWork(store, "before");
		rmSync(dataDir, { recursive: true });
		await expectToWork(store, "during");
		expect(store.status()).toEqual({ mode: "memory", degraded: expect.stringContaining("deleted or replaced") });
		expect(warnings).toHaveLength(1);
		expect(existsSync(dataDir)).toBe(false);
		clock.advance(MINUTE);
		await until(() => store.status().mode === "sqlite");
		expect(existsSync(file)).toBe(true);
		await expectToWork(store, "after");
		expect((await store.listKeys()).map(({ id }) => id)).toEqual(["key"]);
		expect(text(await store.getResponse("alice", "during"))).toBe("response during");
	});
});

describe("a damaged file", () => {
	it.each([
		["text in its place", (file: string) => writeFileSync(file, "This is no database. ".repeat(500))],
		["a short rest", (file: string) => writeFileSync(file, "SQLite format 3\0 and then")],
		[
			"a damaged first page",
			(file: string) => {
				const content = readFileSync(file);
				writeFileSync(file, content.fill(0xff, 100, 4096));
			},
		],
	])("is put aside at the start: %s", async (_name, damage) => {
		const first = await setUp();
		await expectToWork(first.store, "before");
		await first.store.close();
		damage(first.file);
		const damaged = readFileSync(first.file);

		const { store, warnings, file } = await setUp(first.dataDir);
		expect(warnings).toEqual([expect.stringContaining(`kept as ${file}.corrupt-1`)]);
		expect(readFileSync(`${file}.corrupt-1`)).toEqual(damaged);
		expect(store.status()).toMatchObject({ mode: "sqlite", problems: [{ name: "conversations-lost" }, {}] });
		expect(store.status().degraded).toBeUndefined();
		await expectToWork(store, "after");
		expect(await store.findCheckpoint("alice", "before")).toBeUndefined();
		await store.close();

		damage(file);
		const second = await setUp(first.dataDir);
		expect(second.warnings[0]).toContain("corrupt-2");
		expect(readdirSync(first.dataDir).filter((name) => name.includes("corrupt"))).toEqual(
			expect.arrayContaining(["cursorwire.db.corrupt-1", "cursorwire.db.corrupt-2"]),
		);
	});

	it("stays where it is on a disk that cannot be written", async ({ skip }) => {
		const disk = mountSmallDisk(skip);
		writeFileSync(join(disk, STORE_FILE), "This is no database. ".repeat(500));
		execFileSync("mount", ["-o", "remount,ro", disk]);
		const { store } = await setUp(disk);
		expect(store.status()).toEqual({ mode: "memory", degraded: expect.any(String) });
		await expectToWork(store, "one");
		expect(readdirSync(disk)).toEqual([STORE_FILE]);
	});

	it("is put aside when the damage shows up later, and the keys live on", async () => {
		const first = await setUp();
		await first.store.addKey(keyRecord("key"));
		for (let index = 0; index < 200; index++) {
			await first.store.putCheckpoint(...checkpoint("alice", `k${index}`, [`${index}`.padEnd(3000)]));
		}
		await first.store.close();
		const content = readFileSync(first.file);
		// The schema stays; tables and indexes behind it are gone. Keys are small and stand among the first pages.
		writeFileSync(first.file, content.fill(0xa5, 4096 * 40));

		const { store, warnings, clock, file } = await setUp(first.dataDir);
		expect(store.status()).toEqual({ mode: "sqlite" });
		for (let index = 0; index < 200; index++) await store.findCheckpoint("alice", `k${index}`);
		await expectToWork(store, "during");
		expect(store.status()).toEqual({
			mode: "memory",
			degraded: expect.stringContaining("damaged"),
			problems: [{ name: "conversations-lost", reason: expect.stringContaining("corrupt-1") }],
		});
		expect(warnings[0]).toContain("kept as");
		expect(existsSync(`${file}.corrupt-1`)).toBe(true);
		clock.advance(MINUTE);
		await until(() => store.status().mode === "sqlite");
		await expectToWork(store, "after");
		expect((await store.listKeys()).map(({ id }) => id)).toEqual(["key"]);
	});

	it("that is gone leaves no journal to the next file of its name", async () => {
		const first = await setUp();
		await expectToWork(first.store, "before");
		// Never closed, as after a kill: most of it stands in the journal.
		rmSync(first.file);
		const { store, file } = await setUp(first.dataDir);
		expect(store.status()).toEqual({
			mode: "sqlite",
			problems: [{ name: "conversations-lost", reason: expect.stringContaining("corrupt-1") }],
		});
		expect(existsSync(`${file}.corrupt-1-wal`)).toBe(true);
		await expectToWork(store, "after");
		expect(await store.findCheckpoint("alice", "before")).toBeUndefined();
	});

	it("is put aside once by two gateways that share it", async () => {
		const first = await setUp();
		for (let index = 0; index < 200; index++) {
			await first.store.putCheckpoint(...checkpoint("alice", `k${index}`, [`${index}`.padEnd(3000)]));
		}
		await first.store.close();
		writeFileSync(first.file, readFileSync(first.file).fill(0xa5, 4096 * 40));
		const left = await setUp(first.dataDir);
		const right = await setUp(first.dataDir);
		for (const { store } of [left, right]) {
			for (let index = 0; index < 200; index++) await store.findCheckpoint("alice", `k${index}`);
			expect(store.status().mode).toBe("memory");
		}
		for (const { store, clock } of [left, right]) {
			clock.advance(MINUTE);
			await until(() => store.status().mode === "sqlite");
		}
		await expectToWork(left.store, "left");
		expect(await right.store.findCheckpoint("alice", "left")).toBeDefined();
		expect(existsSync(`${first.file}.corrupt-2`)).toBe(false);
	});
});

describe("the file", () => {
	it("is closed to other users, with its side files and the folder made for it", async () => {
		const umask = process.umask(0o000);
		onTestFinished(() => void process.umask(umask));
		const { store, dataDir } = await setUp();
		await expectToWork(store, "one");
		const modes = Object.fromEntries(readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name))]));
		expect(modes).toEqual({ "cursorwire.db": 0o600, "cursorwire.db-wal": 0o600, "cursorwire.db-shm": 0o600 });
		expect(modeOf(dataDir)).toBe(0o700);
	});

	it("is closed to other users when it was open before", async () => {
		const first = await setUp();
		await first.store.close();
		chmodSync(first.file, 0o644);
		const { store } = await setUp(first.dataDir);
		await expectToWork(store, "one");
		for (const suffix of ["", "-wal", "-shm"]) expect(modeOf(first.file + suffix)).toBe(0o600);
	});

	it.each(["a file", undefined])("is not used through a link (to %s)", async (content) => {
		const folder = temporaryFolder();
		const target = join(folder, "target");
		if (content) writeFileSync(target, content);
		mkdirSync(join(folder, "data"));
		symlinkSync(target, join(folder, "data", STORE_FILE));
		const { store } = await setUp(join(folder, "data"));
		expect(store.status()).toEqual({ mode: "memory", degraded: expect.stringContaining("symbolic link") });
		expect(existsSync(target) && readFileSync(target, "utf8")).toBe(content ?? false);
	});

	it("of a newer version is refused and left alone", async () => {
		const first = await setUp();
		await first.store.close();
		const database = new SqlDatabase(first.file, { busyTimeoutMs: 100, onDamage: () => {} });
		database.transaction(() => database.run("insert into migrations (version, applied_at) values (?, ?)", [99, 0]));
		database.close();
		await expect(setUp(first.dataDir)).rejects.toThrow(StoreVersionError);
		await expect(setUp(first.dataDir)).rejects.toThrow(/newer version of cursorwire \(schema 99/);
		expect(readdirSync(first.dataDir).filter((name) => name.includes("corrupt"))).toEqual([]);
	});

	it("gives room back after a clean-up", async () => {
		const { store, file } = await setUp();
		for (let index = 0; index < 40; index++) await store.putResponse("alice", `${index}`, new Uint8Array(50_000), 0);
		await store.close();
		const before = statSync(file).size;
		const { store: reopened } = await setUp(join(file, ".."));
		for (let round = 0; round < 5; round++) await reopened.cleanUp();
		await reopened.close();
		expect(statSync(file).size).toBeLessThan(before / 2);
	});
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;
