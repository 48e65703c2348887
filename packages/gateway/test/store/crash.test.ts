import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { STORE_FILE } from "../../src/store/open-store.ts";
import { SqlDatabase } from "../../src/store/sqlite/database.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { bytes, checkpoint, ledgerRow, limits, temporaryFolder, text } from "./stores.ts";

const WRITER = fileURLToPath(new URL("./writer.ts", import.meta.url));
const ROUNDS = 20;

interface Writer {
	child: ChildProcess;
	/** Resolves with the number of the round once it reached it. */
	reached(round: number): Promise<number>;
	complaints: string[];
	lastRound(): number;
}

async function startWriter(folder: string, name: string): Promise<Writer> {
	const child = spawn(process.execPath, ["--import", "tsx", WRITER, folder, name], {
		stdio: ["ignore", "pipe", "pipe"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const complaints: string[] = [];
	createInterface({ input: child.stderr! }).on("line", (line) => complaints.push(line));
	const lines = createInterface({ input: child.stdout! });
	let last = -1;
	lines.on("line", (line) => {
		if (line !== "ready") last = Number(line);
	});
	await Promise.race([
		once(lines, "line"),
		once(child, "exit").then(() => Promise.reject(new Error(complaints.join("\n")))),
	]);
	const reached = async (round: number) => {
		while (last < round) await once(lines, "line");
		return last;
	};
	return { child, reached, complaints, lastRound: () => last };
}

async function kill({ child }: Writer): Promise<void> {
	child.kill("SIGKILL");
	if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function open(folder: string): SqliteStore {
	const unexpected = (message: string) => expect.fail(message);
	const store = new SqliteStore({ file: join(folder, STORE_FILE), now: Date.now, warn: unexpected });
	onTestFinished(() => store.close());
	return store;
}

/** Everything of a round is there, or the round is not there. Returns how many rounds are. */
async function completeRounds(store: SqliteStore, name: string, most: number): Promise<number> {
	let found = 0;
	for (let round = 0; round <= most; round++) {
		const kept = await store.findCheckpoint(name, `k${round}`);
		if (!kept) continue;
		found++;
		expect(text(kept.state)).toBe(`state ${round}`);
		expect(kept.blobs.size).toBe(21);
		const contents = [...kept.blobs.values()].map(text).filter((content) => content !== "shared");
		expect(contents.every((content) => content!.startsWith(`${name} ${round} `))).toBe(true);
	}
	return found;
}

function integrity(folder: string): unknown {
	const database = new SqlDatabase(join(folder, STORE_FILE), { busyTimeoutMs: 1000, onDamage: () => {} });
	const [result] = database.all<{ integrity_check: string }>("pragma integrity_check");
	const [stray] = database.all<{ count: number }>(
		"select count(*) as count from blobs where not exists (select 1 from reach where blob = blobs.id)",
	);
	const [drift] = database.all<{ count: number }>(
		`select count(*) as count from stored where shelf = 'checkpoints' and bytes <>
			(select coalesce(sum(size), 0) from checkpoints where caller = stored.caller)
			+ (select coalesce(sum(size), 0) from blobs where caller = stored.caller)`,
	);
	database.close();
	return { integrity: result?.integrity_check, stray: stray?.count, drift: drift?.count };
}

const SOUND = { integrity: "ok", stray: 0, drift: 0 };

describe("a process that is killed while it writes", () => {
	it(`leaves complete records only, ${ROUNDS} times`, async () => {
		const folder = temporaryFolder();
		const killOne = async (run: number) => {
			const name = `writer ${run}`;
			const writer = await startWriter(folder, name);
			await writer.reached(run % 7);
			await kill(writer);
			expect(writer.complaints).toEqual([]);
			return { name, last: writer.lastRound() };
		};
		// In pairs: half of the time goes into starting a process, and a crash beside a living writer is the harder case.
		for (let run = 0; run < ROUNDS; run += 2) {
			const killed = await Promise.all([killOne(run), killOne(run + 1)]);
			const store = open(folder);
			for (const { name, last } of killed) {
				// What was reported as stored is there.
				expect(await completeRounds(store, name, last + 5)).toBeGreaterThanOrEqual(last + 1);
			}
			const models = (await store.usageSince(0)).filter(({ caller }) => killed.some(({ name }) => name === caller));
			expect(models.every(({ requests }) => requests === 10)).toBe(true);
			await store.close();
			expect(integrity(folder)).toEqual(SOUND);
		}
	});
});

describe("O4: a journal that ends anywhere", () => {
	it("leaves the records before its end, and no part of one", async () => {
		const folder = temporaryFolder();
		const store = open(folder);
		const file = join(folder, STORE_FILE);
		const wanted: string[] = [];
		for (let round = 0; round < 12; round++) {
			await store.putCheckpoint(...checkpoint("alice", `k${round}`, [`one ${round}`, `two ${round}`]));
			wanted.push(`k${round}`);
		}
		const journal = readFileSync(`${file}-wal`);
		expect(journal.byteLength).toBeGreaterThan(10_000);
		const counts: number[] = [];
		const cuts = Array.from({ length: 60 }, (_, index) => Math.floor((journal.byteLength * index) / 59));
		for (const cut of cuts) {
			const other = temporaryFolder();
			copyFileSync(file, join(other, STORE_FILE));
			writeFileSync(join(other, `${STORE_FILE}-wal`), journal.subarray(0, cut));
			const reopened = open(other);
			const found = await Promise.all(wanted.map((key) => reopened.findCheckpoint("alice", key)));
			const count = found.filter((entry) => entry).length;
			// The first ones, without a gap, each with its blobs.
			expect(found.slice(0, count).every((entry) => entry?.blobs.size === 2)).toBe(true);
			counts.push(count);
			await reopened.close();
		}
		expect(counts).toEqual([...counts].sort((a, b) => a - b));
		expect(counts.at(-1)).toBe(12);
		expect(new Set(counts).size).toBeGreaterThan(3);
	});
});

describe("two processes on one file", () => {
	it("write at the same time and see each other", async () => {
		const folder = temporaryFolder();
		const writers = await Promise.all(["left", "right"].map((name) => startWriter(folder, name)));
		const store = open(folder);
		await store.putCheckpoint(...checkpoint("third", "k", ["one"]));
		await Promise.all(writers.map((writer) => writer.reached(60)));
		await store.appendLedger([ledgerRow({ caller: "third" })]);
		await store.putResponse("third", "a", bytes("answer"), 1000);
		for (const name of ["left", "right"]) expect(await completeRounds(store, name, 60)).toBe(61);
		for (const writer of writers) {
			await kill(writer);
			expect(writer.complaints).toEqual([]);
		}
		expect(await store.findCheckpoint("third", "k")).toBeDefined();
		expect(integrity(folder)).toEqual(SOUND);
	});

	it("respect each other's budget", async () => {
		const folder = temporaryFolder();
		const options = {
			file: join(folder, STORE_FILE),
			now: Date.now,
			warn: () => {},
			limits: limits({ checkpoints: { perCaller: 10_000, total: 10_000 } }),
		};
		const [left, right] = [new SqliteStore(options), new SqliteStore(options)];
		for (let round = 0; round < 20; round++) {
			await left.putCheckpoint(...checkpoint("alice", `l${round}`, [`left ${round}`.padEnd(1500)]));
			await right.putCheckpoint(...checkpoint("alice", `r${round}`, [`right ${round}`.padEnd(1500)]));
		}
		expect(await left.findCheckpoint("alice", "r19")).toBeDefined();
		expect(await right.findCheckpoint("alice", "l0")).toBeUndefined();
		await left.close();
		await right.close();
		expect(integrity(folder)).toEqual(SOUND);
	});
});
