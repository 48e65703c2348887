// The database is damaged or gone. Connected clients keep their keys, revoked ones stay out, and the health says it.
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STORE_FILE } from "../../src/store/open-store.ts";
import { obedient } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";

// Several programs are started in each.
let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator({ brain: obedient });
});
afterAll(() => emulator.close());

interface Installation {
	dataDir: string;
	file: string;
	/** Of a client that is connected, and may have one turn at once. */
	named: string;
	revoked: string;
	start(): Promise<Served>;
	keys(...args: string[]): Promise<string>;
}

const template = mkdtempSync(join(tmpdir(), "cursorwire-test-"));
afterAll(() => rmSync(template, { recursive: true, force: true }));
let made: Promise<{ named: string; revoked: string }> | undefined;

/** Made once: programs take a while to start. */
async function makeTemplate(): Promise<{ named: string; revoked: string }> {
	const running = await serve({ upstream: emulator.url, dataDir: template });
	const { key: named } = JSON.parse(await keysIn(template, "add", "laptop", "--turns", "1", "--json"));
	const { key: revoked } = JSON.parse(await keysIn(template, "add", "lost-phone", "--json"));
	expect(await statusWith(running, revoked)).toBe(200);
	await keysIn(template, "revoke", "lost-phone");
	expect(await statusWith(running, named)).toBe(200);
	await stop(running);
	return { named, revoked };
}

async function keysIn(dataDir: string, ...args: string[]): Promise<string> {
	const { code, out, err } = await runProgram(["keys", ...args], { CURSORWIRE_DATA_DIR: dataDir, HOME: dataDir });
	expect({ code, args, err: code === 0 ? "" : err }).toEqual({ code: 0, args, err: "" });
	return out;
}

/** A data folder with a named key, a revoked one and a conversation, at rest. */
async function install(): Promise<Installation> {
	made ??= makeTemplate();
	const keys = await made;
	const dataDir = temporaryFolder();
	cpSync(template, dataDir, { recursive: true });
	return {
		...keys,
		dataDir,
		file: join(dataDir, STORE_FILE),
		start: () => serve({ upstream: emulator.url, dataDir }),
		keys: (...args) => keysIn(dataDir, ...args),
	};
}

async function stop({ program }: Served): Promise<void> {
	program.child.kill("SIGTERM");
	expect((await program.ended).code).toBe(0);
}

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } });

async function statusWith({ ask }: Served, key: string, prompt = "hello"): Promise<number> {
	const answer = await ask(say(prompt, { stream: false }), as(key));
	await answer.text();
	return answer.status;
}

const health = async ({ url }: Served) =>
	(await (await fetch(`${url}/healthz`)).json()) as { status: string; degraded?: string[] };

/** What holds whatever happened to the database. */
async function expectKeysAlive(running: Served, { named, revoked }: Installation): Promise<void> {
	expect(await statusWith(running, named)).toBe(200);
	expect(await statusWith(running, running.key)).toBe(200);
	expect(await statusWith(running, revoked)).toBe(401);
	// One turn at once, as before.
	const first = await running.ask(say("speak-and-hang", { stream: true }), as(named));
	expect(await statusWith(running, named)).toBe(429);
	await first.body!.cancel();
}

const size = (file: string) => readFileSync(file).length;
const DAMAGE: [what: string, damage: (file: string) => void][] = [
	["overwritten with garbage", (file) => writeFileSync(file, Buffer.alloc(50_000, "garbage "))],
	["with its first page overwritten", (file) => writeFileSync(file, readFileSync(file).fill(0xa5, 0, 4096))],
	["with all but its first page overwritten", (file) => writeFileSync(file, readFileSync(file).fill(0xa5, 4096))],
	["cut to nothing", (file) => truncateSync(file, 0)],
	["cut to 20 bytes", (file) => truncateSync(file, 20)],
	["cut to one page", (file) => truncateSync(file, 4096)],
	["cut in the middle of a page", (file) => truncateSync(file, Math.floor(size(file) / 2) + 100)],
	["deleted", (file) => rmSync(file)],
];

describe("a database that was, while the gateway was stopped,", () => {
	it.each(DAMAGE)("%s signs nobody out, and the health says what was lost", async (_what, damage) => {
		const installation = await install();
		damage(installation.file);
		const running = await installation.start();
		await expectKeysAlive(running, installation);
		const told = await health(running);
		expect(told).toMatchObject({ status: "degraded", degraded: expect.arrayContaining(["conversations-lost"]) });
		expect(told.degraded).not.toContain("keys-lost");
		expect(JSON.stringify(told)).not.toContain(installation.dataDir);
		running.program.child.kill("SIGKILL");
		await running.program.ended;

		// Also after a second loss, of the database that took the place of the first.
		for (const suffix of ["", "-wal", "-shm"]) rmSync(installation.file + suffix, { force: true });
		const again = await installation.start();
		await expectKeysAlive(again, installation);
		expect(await installation.keys("list")).toMatch(/laptop.*valid[\s\S]*lost-phone.*revoked/);
		await stop(again);
	});
});

describe("a database that is, while the gateway runs,", () => {
	it.each(DAMAGE.filter(([what]) => /garbage|deleted|one page/.test(what)))(
		"%s signs nobody out, then or later, and a revocation holds",
		async (_what, damage) => {
			const installation = await install();
			const running = await installation.start();
			expect(await statusWith(running, installation.named)).toBe(200);
			damage(installation.file);
			await expectKeysAlive(running, installation);
			await installation.keys("revoke", "laptop");
			while ((await statusWith(running, installation.named)) === 200);
			await stop(running);
			const again = await installation.start();
			expect(await statusWith(again, installation.named)).toBe(401);
			expect(await statusWith(again, installation.revoked)).toBe(401);
			expect(await statusWith(again, again.key)).toBe(200);
			await stop(again);
		},
	);
});

describe("the second copy of the keys", () => {
	it("is made from the database of an earlier version", async () => {
		const installation = await install();
		const copy = join(installation.dataDir, "gateway-keys.jsonl");
		rmSync(copy);
		const running = await installation.start();
		await expectKeysAlive(running, installation);
		expect(await health(running)).toMatchObject({ status: "ok" });
		await stop(running);
		expect(existsSync(copy)).toBe(true);
		rmSync(installation.file);
		const again = await installation.start();
		await expectKeysAlive(again, installation);
	});

	it("holds no key, only hashes", async () => {
		const { dataDir, named, revoked } = await install();
		for (const name of readdirSync(dataDir)) {
			const content = readFileSync(join(dataDir, name));
			for (const key of [named, revoked]) expect(content.includes(key)).toBe(false);
		}
	});

	it("that cannot be used is told in the health, and keys go on from the database", async () => {
		const installation = await install();
		const copy = join(installation.dataDir, "gateway-keys.jsonl");
		rmSync(copy);
		writeFileSync(copy, "", { mode: 0o666 });
		// The umask would take the bits away.
		chmodSync(copy, 0o666);
		const running = await installation.start();
		await expectKeysAlive(running, installation);
		expect(await health(running)).toMatchObject({ status: "degraded", degraded: ["keys"] });
	});

	it("that is lost together with the database is told: keys-lost", async () => {
		const installation = await install();
		rmSync(join(installation.dataDir, "gateway-keys.jsonl"));
		writeFileSync(installation.file, Buffer.alloc(50_000, "garbage "));
		const running = await installation.start();
		expect(await statusWith(running, running.key)).toBe(200);
		expect((await health(running)).degraded).toEqual(expect.arrayContaining(["conversations-lost", "keys-lost"]));
	});
});
