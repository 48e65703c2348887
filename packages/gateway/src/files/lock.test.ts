import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/credentials/folder.ts";
import { systemClock } from "../time/clock.ts";
import { FileLock } from "./lock.ts";
import { isAbandoned, type LockOwner, thisProcess } from "./lock-owner.ts";
import { StorageError } from "./storage-error.ts";

function makeLock(waitMs?: number) {
	const path = join(temporaryFolder(), "credentials", "lock");
	const options = { path, clock: systemClock, now: Date.now, random: Math.random, waitMs };
	return { path, lock: new FileLock(options), another: new FileLock(options) };
}

/** A lock file as another process would leave it. */
function leave(path: string, content: string, ageMs = 0): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	writeFileSync(path, content, { mode: 0o600 });
	const at = (Date.now() - ageMs) / 1000;
	utimesSync(path, at, at);
}

/** The id of a process that has just ended. */
async function deadPid(): Promise<number> {
	const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
	await new Promise((resolve) => child.once("close", resolve));
	return child.pid!;
}

describe("a lock", () => {
	it("lets one in at a time, and everyone in the end", async () => {
		const { lock, another, path } = makeLock();
		let inside = 0;
		let most = 0;
		const work = async () => {
			most = Math.max(most, ++inside);
			await new Promise((resolve) => setTimeout(resolve, 1));
			inside -= 1;
		};
		await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? lock : another).hold(work)));
		expect(most).toBe(1);
		expect(readdirSync(dirname(path))).toEqual([]);
	});

	it("is released when the work fails", async () => {
		const { lock, another } = makeLock();
		await expect(lock.hold(() => Promise.reject(new Error("work")))).rejects.toThrow("work");
		expect(await another.hold(async () => "in")).toBe("in");
	});

	it("names its holder to a process that waits in vain", async () => {
		const { lock, another } = makeLock(0);
		await lock.hold(async () => {
			const refusal = await another.hold(async () => {}).catch((error) => error);
			expect(refusal).toBeInstanceOf(StorageError);
			expect(refusal.message).toContain(`process ${process.pid} on ${hostname()}`);
		});
	});

	it("is not released by a process that lost it", async () => {
		const { lock, path } = makeLock();
		const other = JSON.stringify({ ...thisProcess("other") });
		await lock.hold(async () => writeFileSync(path, other));
		expect(readFileSync(path, "utf8")).toBe(other);
	});

	it("of a dead process is taken by one of many, never by two", async () => {
		const { lock, another, path } = makeLock();
		leave(path, JSON.stringify({ ...thisProcess("dead"), pid: await deadPid() }));
		let inside = 0;
		let most = 0;
		const work = async () => {
			most = Math.max(most, ++inside);
			await new Promise((resolve) => setImmediate(resolve));
			inside -= 1;
		};
		await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? lock : another).hold(work)));
		expect(most).toBe(1);
		expect(readdirSync(dirname(path))).toEqual([]);
	});

	it("of a dead process is left alone if another has taken it since", async () => {
		const { path } = makeLock();
		leave(path, JSON.stringify({ ...thisProcess("dead"), pid: await deadPid() }));
		const taken = JSON.stringify(thisProcess("taken"));
		let looks = 0;
		const now = () => {
			// The dead owner has been read once; now another process is faster.
			if (++looks === 1) writeFileSync(path, taken);
			return Date.now();
		};
		const late = new FileLock({ path, clock: systemClock, now, random: Math.random, waitMs: 100 });
		await expect(late.hold(async () => {})).rejects.toThrow("locked by process");
		expect(readFileSync(path, "utf8")).toBe(taken);
		expect(readdirSync(dirname(path))).toEqual(["lock"]);
	});

	it("can still be acquired when the process that was breaking it died", async () => {
		const { lock, path } = makeLock();
		leave(path, JSON.stringify({ ...thisProcess("dead"), pid: await deadPid() }));
		leave(`${path}.break`, "", 60_000);
		expect(await lock.hold(async () => "in")).toBe("in");
		expect(readdirSync(dirname(path))).toEqual([]);
	});

	it("without an owner is free after a while", async () => {
		const { lock, path } = makeLock();
		leave(path, "", 60_000);
		expect(await lock.hold(async () => "in")).toBe("in");
	});
});

describe("a holder is gone", () => {
	const self = thisProcess("n");
	const isLinux = process.platform === "linux";

	it.each<[string, LockOwner | undefined, ageMs: number, boolean]>([
		["not while it lives", self, 1_000, false],
		["not while it lives, however long it takes", self, 3_600_000, !isLinux],
		["where its number belongs to a later process", { ...self, started: "1" }, 0, isLinux],
		["not at once where its start is not known", { ...self, started: undefined }, 1_000, false],
		["after a minute where its start is not known", { ...self, started: undefined }, 61_000, true],
		["not at once on another machine", { ...self, host: "other", pid: 1 }, 1_000, false],
		["after a minute on another machine", { ...self, host: "other", pid: 1 }, 61_000, true],
		["not at once without a signature", undefined, 100, false],
		["not in the future (the clock was set back)", undefined, -60_000, false],
	])("%s", (_, owner, ageMs, gone) => expect(isAbandoned(owner, ageMs)).toBe(gone));

	it("when its process has ended", async () => {
		expect(isAbandoned({ ...self, pid: await deadPid() }, 0)).toBe(true);
	});
});
