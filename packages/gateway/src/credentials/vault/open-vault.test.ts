import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/credentials/folder.ts";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { systemClock } from "../../time/clock.ts";
import { type KeychainModule, loadKeychain } from "./keychain-vault.ts";
import { openVault } from "./open-vault.ts";
import type { Vault } from "./vault.ts";

const TEXT = '{"a":1}';

/** A keychain in memory that can be told to misbehave. */
class FakeKeychain {
	readonly entries = new Map<string, string>();
	mode: "works" | "hangs" | "refuses writes" | "locked" = "works";

	readonly module: KeychainModule = {
		AsyncEntry: fakeEntry(this),
	};

	async call<T>(isWrite: boolean, act: () => T): Promise<T> {
		if (this.mode === "hangs") await new Promise(() => {});
		if (this.mode === "locked" || (isWrite && this.mode === "refuses writes")) throw new Error("keychain says no");
		return act();
	}
}

function fakeEntry(keychain: FakeKeychain): KeychainModule["AsyncEntry"] {
	return class {
		readonly #name: string;

		constructor(service: string, account: string) {
			this.#name = `${service} ${account}`;
		}

		getPassword() {
			return keychain.call(false, () => {
				const text = keychain.entries.get(this.#name);
				if (text === undefined) throw new Error("No matching entry found in secure storage");
				return text;
			});
		}

		setPassword(text: string) {
			return keychain.call(true, () => void keychain.entries.set(this.#name, text));
		}

		deleteCredential() {
			return keychain.call(true, () => keychain.entries.delete(this.#name));
		}
	};
}

function open(keychain: FakeKeychain, vault = "auto", folder = join(temporaryFolder(), "credentials")) {
	return openVault({ vault, folder, loadKeychain: async () => keychain.module, clock: systemClock });
}

async function write(vault: Vault, text = TEXT): Promise<void> {
	await (await vault.reserve()).commit(text);
}

describe("K8: the keychain", () => {
	it("stores the credential if it works, one per data folder", async () => {
		const keychain = new FakeKeychain();
		const folder = join(temporaryFolder(), "credentials");
		const { vault, note } = await open(keychain, "auto", folder);
		expect(note).toBeUndefined();
		expect(await vault.read()).toBeUndefined();
		await write(vault);
		expect(await vault.read()).toBe(TEXT);
		expect([...keychain.entries]).toEqual([[`cursorwire ${folder}`, TEXT]]);
		expect(existsSync(folder)).toBe(false);
		expect((await vault.place()).kind).toBe("keychain");
		expect(await (await open(keychain)).vault.read()).toBeUndefined();
		await vault.clear();
		await vault.clear();
		expect(keychain.entries.size).toBe(0);
	});

	it("is replaced by a file if its module is not installed", async () => {
		const folder = join(temporaryFolder(), "credentials");
		const { vault, note } = await openVault({ vault: "auto", folder, loadKeychain, clock: systemClock });
		expect(note).toBe("The keychain module @napi-rs/keyring is not installed.");
		expect(await vault.place()).toEqual({ kind: "file", path: join(folder, "cursor.json") });
	});

	it("is replaced by a file if its module does not load", async () => {
		const broken = () => Promise.reject(new Error("libsecret-1.so.0: cannot open"));
		const folder = temporaryFolder();
		const { note } = await openVault({ vault: "auto", folder, loadKeychain: broken, clock: systemClock });
		expect(note).toBe("The keychain module @napi-rs/keyring cannot be loaded (libsecret-1.so.0: cannot open).");
	});

	it("is replaced by a file if it does not respond within three seconds", async () => {
		const keychain = new FakeKeychain();
		keychain.mode = "hangs";
		const clock = new ManualClock();
		const options = { vault: "auto", folder: temporaryFolder(), loadKeychain: async () => keychain.module, clock };
		const opening = openVault(options);
		await new Promise((resolve) => setImmediate(resolve));
		clock.advance(2_999);
		const early = await Promise.race([opening, new Promise((resolve) => setImmediate(() => resolve("waits")))]);
		expect(early).toBe("waits");
		clock.advance(1);
		expect((await opening).note).toBe("The system's keychain did not respond within 3 s.");
	});

	it("is replaced by a file if it is locked", async () => {
		const keychain = new FakeKeychain();
		keychain.mode = "locked";
		const { vault, note } = await open(keychain);
		expect(note).toBe("The system's keychain refused the request.");
		expect((await vault.place()).kind).toBe("file");
	});

	it("has no fallback if the setting says so", async () => {
		const keychain = new FakeKeychain();
		keychain.mode = "locked";
		await expect(open(keychain, "keychain")).rejects.toThrow("refused");
		await expect(
			openVault({ vault: "keychain", folder: temporaryFolder(), loadKeychain, clock: systemClock }),
		).rejects.toThrow("not installed");
		expect((await open(keychain, "file")).note).toBeUndefined();
	});

	it("that refuses a write loses nothing: the file is used, and is read first from then on", async () => {
		const keychain = new FakeKeychain();
		const { vault } = await open(keychain);
		await write(vault, '{"old":1}');
		const reservation = await vault.reserve();
		keychain.mode = "refuses writes";
		await reservation.commit('{"new":1}');
		expect(await vault.read()).toContain("new");
		expect((await vault.place()).kind).toBe("file");
		keychain.mode = "works";
		await write(vault, '{"newer":1}');
		expect(await vault.read()).toContain("newer");
		await vault.clear();
		expect([await vault.read(), keychain.entries.size]).toEqual([undefined, 0]);
	});
});
