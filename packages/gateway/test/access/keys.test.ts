import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { ensureGatewayKey, KeyFileError, keyFileIn, readKeyFile } from "../../src/access/key-file.ts";
import { KeyRing } from "../../src/access/key-ring.ts";
import { hashKey } from "../../src/access/keys.ts";
import { announceGateway } from "../../src/app/discovery.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { openStore, STORE_FILE } from "../../src/store/open-store.ts";
import { closing } from "../kit/cleanup.ts";
import { canMount, smallDisk } from "../kit/small-disk.ts";

const FIRST_START = fileURLToPath(new URL("./first-start.ts", import.meta.url));

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-access-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return join(folder, "data");
}

async function setUp({
	dataDir = temporaryFolder(),
	configuredKey,
	warn = (message) => expect.fail(message),
}: {
	dataDir?: string;
	configuredKey?: string;
	warn?: (message: string) => void;
} = {}) {
	const store = closing(await openStore({ dataDir, warn }));
	const time = { now: 1_000_000 };
	const ring = new KeyRing({ store, now: () => time.now, random: randomBytes, configuredKey });
	return {
		store,
		ring,
		time,
		dataDir,
		file: keyFileIn(dataDir),
		start: () => ensureGatewayKey(dataDir, ring, randomBytes),
	};
}

/** The methods of a store that a ring needs, to replace one of them. */
function bound(store: Awaited<ReturnType<typeof openStore>>) {
	return {
		listKeys: () => store.listKeys(),
		addKey: (record: Parameters<typeof store.addKey>[0]) => store.addKey(record),
		revokeKey: (id: string, at: number) => store.revokeKey(id, at),
		touchKey: (id: string, at: number) => store.touchKey(id, at),
		renewKey: (id: string, expiresAt: number) => store.renewKey(id, expiresAt),
	};
}

describe("the key ring", () => {
	it("finds a key by itself and by nothing less", async () => {
		const { ring } = await setUp();
		const { key, record } = await ring.add("laptop", { limits: { concurrentTurns: 2 } });
		expect(await ring.find(key)).toEqual(record);
		expect(record).toMatchObject({ name: "laptop", limits: { concurrentTurns: 2 }, hash: hashKey(key) });
		for (const other of [
			"",
			key.slice(0, -1),
			`${key}x`,
			key.toUpperCase(),
			hashKey(key),
			record.id,
			"'or 1=1--",
			"x".repeat(100_000),
		]) {
			expect(await ring.find(other)).toBeUndefined();
		}
	});

	it("finds a key that expires until then, again once it is renewed, and writes no second copy of it", async () => {
		const { ring, time, dataDir } = await setUp();
		const { key, record } = await ring.add("run", { expiresAt: time.now + 10 });
		expect(await ring.find(key)).toEqual(record);
		expect(await ring.newlyRevoked()).toEqual([]);
		time.now += 10;
		expect(await ring.find(key)).toBeUndefined();
		expect((await ring.newlyRevoked()).map(({ id }) => id)).toEqual([record.id]);
		expect(await ring.renew(record.id, time.now + 10)).toBe(true);
		expect(await ring.find(key)).toMatchObject({ id: record.id });
		await ring.revoke(record.id);
		expect(await ring.renew(record.id, time.now + 20)).toBe(false);
		expect(await ring.find(key)).toBeUndefined();
		expect(readdirSync(dataDir)).not.toContain("gateway-keys.jsonl");
	});

	it("finds a revoked key no more, at once here and within a second elsewhere", async () => {
		const { ring, store, time } = await setUp();
		const elsewhere = new KeyRing({ store, now: () => time.now, random: randomBytes });
		const { key, record } = await ring.add("laptop");
		expect(await elsewhere.find(key)).toBeDefined();
		expect(await ring.revoke(record.id)).toBe(true);
		expect(await ring.revoke(record.id)).toBe(false);
		expect(await ring.find(key)).toBeUndefined();
		time.now += 1001;
		expect(await elsewhere.find(key)).toBeUndefined();
		expect(await ring.lookUp(key)).toMatchObject({ revokedAt: 1_000_000 });
		await ring.add("again", { key });
		expect(await ring.find(key)).toBeUndefined();
	});

	it("finds a key that was added elsewhere at once, and lets strangers cause few looks", async () => {
		const { ring, store, time } = await setUp();
		let looks = 0;
		const counted = { ...bound(store), listKeys: () => store.listKeys().finally(() => looks++) };
		const waits: (() => void)[] = [];
		const waited: number[] = [];
		const wait = (ms: number) => new Promise<void>((resolve) => waits.push(resolve) && waited.push(ms));
		const elsewhere = new KeyRing({ store: counted, now: () => time.now, random: randomBytes, wait });
		// A first look finds out all that there is to know.
		expect(await elsewhere.find("cw_nobody")).toBeUndefined();
		expect([looks, waited]).toEqual([1, []]);
		const { key } = await ring.add("laptop");
		time.now += 101;
		expect(await elsewhere.find(key)).toMatchObject({ name: "laptop" });
		looks = 0;
		const { key: next } = await ring.add("desk");
		time.now += 30;
		const asked = [next, ...Array.from({ length: 200 }, (_, stranger) => `cw_stranger${stranger}`)];
		const found = Promise.all(asked.map(async (each) => elsewhere.find(each)));
		// What is no key of ours need not wait for it.
		expect(await elsewhere.find("sk-anything")).toBeUndefined();
		expect([looks, waited]).toEqual([0, [70]]);
		for (const goOn of waits) goOn();
		expect((await found).map((record) => record?.name)).toEqual(["desk", ...Array(200).fill(undefined)]);
		expect(looks).toBe(1);
	});

	it("notes the last use, once a minute", async () => {
		const { ring, time } = await setUp();
		const { key } = await ring.add("laptop");
		const lastUse = async () => (await ring.list())[0]?.lastUsedAt;
		await ring.find(key);
		expect(await lastUse()).toBe(1_000_000);
		time.now += 59_000;
		await ring.find(key);
		expect(await lastUse()).toBe(1_000_000);
		time.now += 1000;
		await ring.find(key);
		expect(await lastUse()).toBe(1_060_000);
	});

	it("takes a key from the settings as long as it is there, and stores nothing of it", async () => {
		const { ring, store, dataDir } = await setUp({ configuredKey: "my-own-key" });
		expect(await ring.find("my-own-key")).toMatchObject({ name: "configured" });
		expect(await store.listKeys()).toEqual([]);
		const { ring: other } = await setUp({ dataDir, configuredKey: "another-key" });
		expect(await other.find("my-own-key")).toBeUndefined();
		expect((await other.find("another-key"))?.id).not.toBe((await ring.find("my-own-key"))?.id);
	});

	it("keeps keys out of the database", async () => {
		const { ring, store, dataDir } = await setUp();
		const { key } = await ring.add("laptop");
		await ring.find(key);
		await store.close();
		for (const name of readdirSync(dataDir)) {
			expect(readFileSync(join(dataDir, name)).includes(key)).toBe(false);
		}
		expect(readFileSync(join(dataDir, STORE_FILE)).includes(hashKey(key))).toBe(true);
	});
});

describe("the first start", () => {
	it("makes a key that its owner alone can read, and later starts keep it", async () => {
		const umask = process.umask(0);
		onTestFinished(() => void process.umask(umask));
		const first = await setUp();
		const made = await first.start();
		expect(made).toEqual({ key: expect.stringMatching(/^cw_/), isNew: true });
		expect(readFileSync(first.file, "utf8")).toBe(`${made.key}\n`);
		expect(statSync(first.file).mode & 0o777).toBe(0o600);
		expect(statSync(first.dataDir).mode & 0o777).toBe(0o700);
		expect(await first.ring.find(made.key)).toMatchObject({ name: "default" });
		await first.store.close();

		const second = await setUp({ dataDir: first.dataDir });
		expect(await second.start()).toEqual({ key: made.key, isNew: false });
		expect(await second.ring.list()).toHaveLength(1);
		expect(readdirSync(first.dataDir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
	});

	it("takes the key in the file when the database was lost", async () => {
		const first = await setUp();
		const { key } = await first.start();
		await first.store.close();
		rmSync(join(first.dataDir, STORE_FILE));
		const warnings: string[] = [];
		const second = await setUp({ dataDir: first.dataDir, warn: (message) => warnings.push(message) });
		expect(await second.start()).toEqual({ key, isNew: false });
		expect(await second.ring.find(key)).toBeDefined();
		expect(warnings).toEqual([expect.stringContaining("was not there")]);
	});

	it("replaces a key that was revoked", async () => {
		const { ring, start, file } = await setUp();
		const { key } = await start();
		await ring.revoke((await ring.lookUp(key))!.id);
		const next = await start();
		expect(next.isNew).toBe(true);
		expect(next.key).not.toBe(key);
		expect(readKeyFile(file)).toBe(next.key);
		expect(await ring.find(key)).toBeUndefined();
		expect(await ring.find(next.key)).toBeDefined();
	});

	it("replaces an empty file, as a crash may leave it", async () => {
		const { start, file } = await setUp();
		writeFileSync(file, "", { mode: 0o600 });
		const { key, isNew } = await start();
		expect(isNew).toBe(true);
		expect(readKeyFile(file)).toBe(key);
	});

	it("goes on with a key for this run where it cannot be written down", async () => {
		const { ring, dataDir } = await setUp();
		const elsewhere = join(dataDir, STORE_FILE, "not-a-folder");
		const { key, isNew, problem } = await ensureGatewayKey(elsewhere, ring, randomBytes);
		expect(isNew).toBe(true);
		expect(problem).toContain("cannot be written");
		expect(problem).not.toContain(key);
		expect(await ring.find(key)).toBeDefined();
	});

	it("of four gateways at once ends with one key for all", async () => {
		const dataDir = temporaryFolder();
		const results = await Promise.all(Array.from({ length: 4 }, () => firstStart(dataDir)));
		expect(new Set(results.map(({ key }) => key)).size).toBe(1);
		expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
		const { ring } = await setUp({ dataDir });
		expect(await ring.find(results[0]!.key)).toBeDefined();
		expect(await ring.list()).toHaveLength(1);
	});
});

describe("K7: a key file is refused", () => {
	const KEY = `cw_${"A".repeat(43)}`;

	async function refusal(prepare: (file: string) => void): Promise<string> {
		const { start, file } = await setUp();
		prepare(file);
		const error = await start().then(
			() => expect.fail("it was taken"),
			(thrown: unknown) => thrown,
		);
		expect(error).toBeInstanceOf(KeyFileError);
		expect((error as Error).message).not.toContain(KEY);
		return (error as Error).message;
	}

	it.each([0o644, 0o640, 0o604, 0o660, 0o666])("where others can read it (mode %o)", async (mode) => {
		const message = await refusal((file) => {
			writeFileSync(file, KEY);
			chmodSync(file, mode);
		});
		expect(message).toContain("chmod 600");
	});

	it("where it is a link", async () => {
		const message = await refusal((file) => {
			writeFileSync(`${file}-target`, KEY, { mode: 0o600 });
			symlinkSync(`${file}-target`, file);
		});
		expect(message).toContain("symbolic link");
	});

	it("where it is a folder, too long, or something else", async () => {
		expect(await refusal((file) => mkdirSync(file, 0o700))).toContain("is not a key file");
		expect(await refusal((file) => writeFileSync(file, "x".repeat(5000), { mode: 0o600 }))).toContain(
			"is not a key file",
		);
		expect(await refusal((file) => writeFileSync(file, "hello", { mode: 0o600 }))).toContain("holds no gateway key");
	});

	it.runIf(process.getuid?.() === 0)("where it belongs to another user", async () => {
		const message = await refusal((file) => {
			writeFileSync(file, KEY, { mode: 0o600 });
			chownSync(file, 65_534, 65_534);
		});
		expect(message).toContain("another user");
	});
});

async function firstStart(dataDir: string): Promise<{ key: string; isNew: boolean }> {
	const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", FIRST_START, dataDir], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const chunks: Buffer[] = [];
	child.stdout!.on("data", (chunk: Buffer) => chunks.push(chunk));
	await once(child, "close");
	expect(existsSync(dataDir)).toBe(true);
	return JSON.parse(Buffer.concat(chunks).toString());
}

describe.runIf(canMount)("on a full disk", () => {
	it("O1: a first start leaves no half-written file behind, and has a key all the same", async () => {
		const disk = smallDisk();
		disk.fill();
		const before = readdirSync(disk.folder);
		const ring = new KeyRing({ store: new MemoryStore({ now: Date.now }), now: Date.now, random: randomBytes });
		const { key, problem } = await ensureGatewayKey(disk.folder, ring, randomBytes);
		expect(problem).toMatch(/cannot be written.*ENOSPC/);
		expect(await ring.find(key)).toMatchObject({ name: "default" });
		const discovery = {
			url: "http://127.0.0.1:1",
			pid: process.pid,
			version: "1",
			startedAt: "",
			mode: "serve",
		} as const;
		expect(() => announceGateway(disk.folder, { ...discovery, auth: "none" })).toThrow(/ENOSPC/);
		expect(readdirSync(disk.folder)).toEqual(before);
	});
});
