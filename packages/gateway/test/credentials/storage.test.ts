import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Account } from "../../src/credentials/account.ts";
import { decodeCredential } from "../../src/credentials/vault/credential-text.ts";
import type { Reservation, Vault } from "../../src/credentials/vault/vault.ts";
import { VaultKeeper } from "../../src/credentials/vault/vault-keeper.ts";
import { FileLock } from "../../src/files/lock.ts";
import { storageFailed } from "../../src/files/storage-error.ts";
import { systemClock } from "../../src/time/clock.ts";
import { authCalls, keyOf, openRig, type Rig, sessionOf, works } from "../kit/credentials/rig.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { canMount, smallDisk } from "../kit/small-disk.ts";

const SINGLE_USE = {
	accounts: [{ id: "user_01DEMO", acceptAnyKey: true }],
	tokens: { singleUseRefresh: true },
};

/** The rig's vault, with commits that fail while `fails` is set. */
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

function keeperOn(rig: Rig, vault: Vault): VaultKeeper {
	const path = join(rig.dataDir, "credentials", "lock");
	const lock = new FileLock({ path, clock: systemClock, now: Date.now, random: Math.random });
	return new VaultKeeper({ vault, lock, report: (line) => rig.reports.push(line) });
}

describe("K3: a write that fails after the exchange", () => {
	it("leaves the old file, loses no token, and is made up for", async () => {
		const rig = await openRig({ emulator: { accounts: SINGLE_USE } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const before = rig.file();
		const { vault, state } = frail(rig.vault);
		const keeper = keeperOn(rig, vault);
		const clock = new ManualClock();
		const account = new Account({ key: "test", keeper, client: rig.client, clock, now: Date.now });

		const first = await account.token();
		expect(await works(rig.emulator, first)).toBe(true);
		expect(rig.file()).toBe(before);
		expect(rig.reports).toEqual(["The renewed login is not stored yet: the vault cannot be written (EIO)."]);

		// The next renewal has to use the refresh token that could not be stored: the stored one is used up.
		rig.emulator.expireTokens();
		const second = await account.tokenRefused(first);
		expect(await works(rig.emulator, second)).toBe(true);
		expect(rig.file()).toBe(before);

		state.fails = false;
		clock.advance(5_001);
		await account.token();
		expect(decodeCredential(rig.file()).access?.value.equals(second)).toBe(true);
		expect(decodeCredential(rig.file()).revision).toBe(2);
	});

	it("does not bring back a login that was signed out in the meantime", async () => {
		const rig = await openRig({ emulator: { accounts: SINGLE_USE } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const { vault, state } = frail(rig.vault);
		const keeper = keeperOn(rig, vault);
		const clock = new ManualClock();
		const account = new Account({ key: "test", keeper, client: rig.client, clock, now: Date.now });
		await account.token();
		await rig.keeper.clear();
		state.fails = false;
		clock.advance(5_001);
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
		expect(readdirSync(join(rig.dataDir, "credentials"))).toEqual([]);
	});
});

describe.runIf(canMount)("K3: a full disk", () => {
	it("is detected before a single-use token is used", async () => {
		const disk = smallDisk();
		const rig = await openRig({ dataDir: disk.folder, emulator: { accounts: SINGLE_USE } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const before = rig.file();
		disk.fill();
		await expect(rig.account().token()).rejects.toMatchObject({
			kind: "internal",
			message: expect.stringMatching(/cannot be (written|made) \(ENOSPC\)/),
		});
		expect(authCalls(rig.emulator).refreshes).toBe(0);
		expect(rig.file()).toBe(before);
		for (const name of readdirSync(disk.folder)) if (name.startsWith("filler")) rmSync(join(disk.folder, name));
		expect(await works(rig.emulator, await rig.account().token())).toBe(true);
		expect(readdirSync(join(disk.folder, "credentials"))).toEqual(["cursor.json"]);
	});

	it("does not stop an API key, which nothing uses up", async () => {
		const disk = smallDisk();
		const rig = await openRig({ dataDir: disk.folder });
		await rig.keeper.save(keyOf(rig));
		disk.fill();
		const account = rig.account();
		expect(await works(rig.emulator, await account.token())).toBe(true);
		await account.token();
		expect(authCalls(rig.emulator).exchanges).toBe(1);
		expect(rig.reports).toHaveLength(1);
	});

	it("is reported before a person signs in", async () => {
		const disk = smallDisk();
		const rig = await openRig({ dataDir: disk.folder });
		disk.fill();
		await expect(rig.keeper.checkWritable()).rejects.toThrow("ENOSPC");
	});
});

describe.runIf(canMount || process.getuid?.() !== 0)("a folder that cannot be written", () => {
	/** Only a read-only file system stops root from writing. */
	async function readOnly() {
		const disk = canMount ? smallDisk() : undefined;
		const rig = await openRig({ dataDir: disk?.folder, emulator: { accounts: SINGLE_USE } });
		const lockUp = () => (disk ? disk.makeReadOnly() : chmodSync(join(rig.dataDir, "credentials"), 0o500));
		return { rig, lockUp };
	}

	it("spends no single-use token and deletes nothing", async () => {
		const { rig, lockUp } = await readOnly();
		await rig.keeper.save(await sessionOf(rig, "expired"));
		lockUp();
		await expect(rig.account().token()).rejects.toThrow(/EROFS|EACCES/);
		expect(authCalls(rig.emulator).refreshes).toBe(0);
		expect(readFileSync(join(rig.dataDir, "credentials", "cursor.json"), "utf8")).toContain("session");
		if (!canMount) chmodSync(join(rig.dataDir, "credentials"), 0o700);
	});

	it("does not affect a valid token or an API key", async () => {
		const { rig, lockUp } = await readOnly();
		await rig.keeper.save(keyOf(rig));
		lockUp();
		expect(await works(rig.emulator, await rig.account().token())).toBe(true);
		if (!canMount) chmodSync(join(rig.dataDir, "credentials"), 0o700);
	});
});
