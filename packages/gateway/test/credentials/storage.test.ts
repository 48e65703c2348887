import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Account } from "../../src/credentials/account.ts";
import { decodeCredential } from "../../src/credentials/vault/credential-text.ts";
import { type Reservation, storageFailed, type Vault } from "../../src/credentials/vault/vault.ts";
import { VaultKeeper } from "../../src/credentials/vault/vault-keeper.ts";
import { FileLock } from "../../src/files/lock.ts";
import { systemClock } from "../../src/time/clock.ts";
import { authCalls, type Bench, keyOf, openBench, sessionOf, works } from "../kit/credentials/rig.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { canMount, smallDisk } from "../kit/small-disk.ts";

const SINGLE_USE = {
	accounts: [{ id: "user_01DEMO", acceptAnyKey: true }],
	tokens: { singleUseRefresh: true },
};

/** The bench's vault, with commits that fail while `fails` is set. */
function frail(vault: Vault): { vault: Vault; state: { fails: boolean } } {
	const state = { fails: true };
	const reserve = async (): Promise<Reservation> => {
		const reservation = await vault.reserve();
		const commit = async (text: string) => {
			if (!state.fails) return reservation.commit(text);
			await reservation.release();
			throw storageFailed("written", "the vault", Object.assign(new Error(), { code: "EIO" }));
		};
		return { ...reservation, commit };
	};
	const wrapped: Vault = {
		place: () => vault.place(),
		read: () => vault.read(),
		recover: () => vault.recover(),
		clear: () => vault.clear(),
		reserve,
	};
	return { vault: wrapped, state };
}

function keeperOn(bench: Bench, vault: Vault): VaultKeeper {
	const path = join(bench.dataDir, "credentials", "lock");
	const lock = new FileLock({ path, clock: systemClock, now: Date.now, random: Math.random });
	return new VaultKeeper({ vault, lock, report: (line) => bench.reports.push(line) });
}

describe("K3: a write that fails after the exchange", () => {
	it("leaves the old file, loses no token, and is made up for", async () => {
		const bench = await openBench({ emulator: { accounts: SINGLE_USE } });
		await bench.keeper.save(await sessionOf(bench, "expired"));
		const before = bench.file();
		const { vault, state } = frail(bench.vault);
		const keeper = keeperOn(bench, vault);
		const clock = new ManualClock();
		const account = new Account({ key: "test", keeper, client: bench.client, clock, now: Date.now });

		const first = await account.token();
		expect(await works(bench.emulator, first)).toBe(true);
		expect(bench.file()).toBe(before);
		expect(bench.reports).toEqual(["The renewed login is not stored yet: the vault cannot be written (EIO)."]);

		// The next renewal has to use the refresh token that could not be stored: the stored one is spent.
		bench.emulator.expireTokens();
		const second = await account.tokenRefused(first);
		expect(await works(bench.emulator, second)).toBe(true);
		expect(bench.file()).toBe(before);

		state.fails = false;
		clock.advance(5_001);
		await account.token();
		expect(decodeCredential(bench.file()).access?.value.equals(second)).toBe(true);
		expect(decodeCredential(bench.file()).revision).toBe(2);
	});

	it("does not bring back a login that was signed out in the meantime", async () => {
		const bench = await openBench({ emulator: { accounts: SINGLE_USE } });
		await bench.keeper.save(await sessionOf(bench, "expired"));
		const { vault, state } = frail(bench.vault);
		const keeper = keeperOn(bench, vault);
		const clock = new ManualClock();
		const account = new Account({ key: "test", keeper, client: bench.client, clock, now: Date.now });
		await account.token();
		await bench.keeper.clear();
		state.fails = false;
		clock.advance(5_001);
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
		expect(readdirSync(join(bench.dataDir, "credentials"))).toEqual([]);
	});
});

describe.runIf(canMount)("K3: a full disk", () => {
	it("is found before a single-use token is spent", async () => {
		const disk = smallDisk();
		const bench = await openBench({ dataDir: disk.folder, emulator: { accounts: SINGLE_USE } });
		await bench.keeper.save(await sessionOf(bench, "expired"));
		const before = bench.file();
		disk.fill();
		await expect(bench.account().token()).rejects.toMatchObject({
			kind: "internal",
			message: expect.stringMatching(/cannot be (written|made) \(ENOSPC\)/),
		});
		expect(authCalls(bench.emulator).refreshes).toBe(0);
		expect(bench.file()).toBe(before);
		for (const name of readdirSync(disk.folder)) if (name.startsWith("filler")) rmSync(join(disk.folder, name));
		expect(await works(bench.emulator, await bench.account().token())).toBe(true);
		expect(readdirSync(join(disk.folder, "credentials"))).toEqual(["cursor.json"]);
	});

	it("does not stop an API key, which nothing uses up", async () => {
		const disk = smallDisk();
		const bench = await openBench({ dataDir: disk.folder });
		await bench.keeper.save(keyOf(bench));
		disk.fill();
		const account = bench.account();
		expect(await works(bench.emulator, await account.token())).toBe(true);
		await account.token();
		expect(authCalls(bench.emulator).exchanges).toBe(1);
		expect(bench.reports).toHaveLength(1);
	});

	it("is told before a person signs in", async () => {
		const disk = smallDisk();
		const bench = await openBench({ dataDir: disk.folder });
		disk.fill();
		await expect(bench.keeper.checkWritable()).rejects.toThrow("ENOSPC");
	});
});

describe.runIf(canMount || process.getuid?.() !== 0)("a folder that cannot be written", () => {
	/** Root is stopped by nothing less than a read-only file system. */
	async function readOnly() {
		const disk = canMount ? smallDisk() : undefined;
		const bench = await openBench({ dataDir: disk?.folder, emulator: { accounts: SINGLE_USE } });
		const lockUp = () => (disk ? disk.makeReadOnly() : chmodSync(join(bench.dataDir, "credentials"), 0o500));
		return { bench, lockUp };
	}

	it("spends no single-use token and deletes nothing", async () => {
		const { bench, lockUp } = await readOnly();
		await bench.keeper.save(await sessionOf(bench, "expired"));
		lockUp();
		await expect(bench.account().token()).rejects.toThrow(/EROFS|EACCES/);
		expect(authCalls(bench.emulator).refreshes).toBe(0);
		expect(readFileSync(join(bench.dataDir, "credentials", "cursor.json"), "utf8")).toContain("session");
		if (!canMount) chmodSync(join(bench.dataDir, "credentials"), 0o700);
	});

	it("does not stop a token that lives, nor an API key", async () => {
		const { bench, lockUp } = await readOnly();
		await bench.keeper.save(keyOf(bench));
		lockUp();
		expect(await works(bench.emulator, await bench.account().token())).toBe(true);
		if (!canMount) chmodSync(join(bench.dataDir, "credentials"), 0o700);
	});
});
