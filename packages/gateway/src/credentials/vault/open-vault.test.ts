import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/credentials/folder.ts";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { SINGLE_EXECUTABLE } from "./keychain-failure.ts";
import type { KeychainModule, LoadKeychain } from "./keychain-vault.ts";
import { openVault } from "./open-vault.ts";
import type { Vault } from "./vault.ts";

const TEXT = '{"a":1}';
const OR_FILE = "or set CURSORWIRE_VAULT=file to keep logins in a file.";

const noModule: LoadKeychain = () =>
	Promise.reject(Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" }));

/** A keychain in memory that can be told to misbehave. */
class FakeKeychain {
	readonly entries = new Map<string, string>();
	mode: "works" | "hangs" | "refuses writes" | "locked" = "works";
	calls = 0;
	/** What it says when it refuses. */
	words = "keychain says no";

	readonly module: KeychainModule = {
		AsyncEntry: fakeEntry(this),
	};

	async call<T>(isWrite: boolean, act: () => T): Promise<T> {
		this.calls++;
		if (this.mode === "hangs") await new Promise(() => {});
		if (this.mode === "locked" || (isWrite && this.mode === "refuses writes")) throw new Error(this.words);
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

function open(
	keychain: FakeKeychain,
	vault = "auto",
	folder = join(temporaryFolder(), "credentials"),
	clock: Clock = systemClock,
) {
	return openVault({ vault, folder, loadKeychain: async () => keychain.module, clock });
}

async function write(vault: Vault, text = TEXT): Promise<void> {
	await (await vault.reserve()).commit(text);
}

describe("K8: the keychain", () => {
	it("stores the credential if it works, one per data folder", async () => {
		const keychain = new FakeKeychain();
		const folder = join(temporaryFolder(), "credentials");
		const { vault, note } = await open(keychain, "auto", folder);
		expect(note()).toBeUndefined();
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

	const absent: [what: string, LoadKeychain, note: string][] = [
		[
			"its module is not installed",
			noModule,
			`The keychain module @napi-rs/keyring is not installed. Install cursorwire again without --omit=optional, ${OR_FILE}`,
		],
		[
			"its module does not load",
			() => Promise.reject(new Error("libdbus-1.so.3: cannot open")),
			`The keychain module @napi-rs/keyring cannot be loaded (libdbus-1.so.3: cannot open). Install cursorwire again without --omit=optional, ${OR_FILE}`,
		],
		[
			"the program is a single executable",
			() => Promise.reject(Object.assign(new Error("no modules"), { code: SINGLE_EXECUTABLE })),
			"The single executable cannot use the system's keychain. Install the npm package to use it. CURSORWIRE_VAULT=file says that a file is what you want.",
		],
	];
	it.each(absent)("is replaced by a file if %s", async (_, loadKeychain, expected) => {
		const folder = join(temporaryFolder(), "credentials");
		const { vault, note } = await openVault({ vault: "auto", folder, loadKeychain, clock: systemClock });
		expect(note()).toBe(expected);
		expect(await vault.place()).toEqual({ kind: "file", path: join(folder, "cursor.json") });
		expect(await vault.read()).toBeUndefined();
	});

	it("is given up if it does not respond within ten seconds, and the file is used", async () => {
		const keychain = new FakeKeychain();
		keychain.mode = "hangs";
		const clock = new ManualClock();
		const opening = open(keychain, "auto", join(temporaryFolder(), "credentials"), clock);
		await new Promise((resolve) => setImmediate(resolve));
		clock.advance(9_999);
		const early = await Promise.race([opening, new Promise((resolve) => setImmediate(() => resolve("waits")))]);
		expect(early).toBe("waits");
		clock.advance(1);
		expect((await opening).note()).toBe(
			`The system's keychain did not respond within 10 s. It may be asking for its password in a dialog. Unlock it and repeat the command, ${OR_FILE}`,
		);
	});

	it.each([
		["keychain says no", /^The system's keychain refused the request\. keychain says no\. Unlock the keychain, or/],
		["Secret Service: unlock prompt was dismissed", /^The system's keychain is locked\. Unlock it and repeat/],
		["Secret Service: no result found", /^The system's keychain has no default keyring.*Seahorse/],
	])(
		"that refuses (%s) may hold a login, so it is not taken for an empty one; a new login goes to a file",
		async (words, expected) => {
			const keychain = Object.assign(new FakeKeychain(), { mode: "locked" as const, words });
			const { vault, note } = await open(keychain);
			expect(note()).toMatch(expected);
			await expect(vault.read()).rejects.toMatchObject({
				kind: "signed-out",
				message: expect.stringMatching(/^The stored login cannot be read\. The system's keychain/),
			});
			await (await vault.reserve("new-login")).commit(TEXT);
			expect([await vault.read(), (await vault.place()).kind]).toEqual([`${TEXT}\n`, "file"]);
		},
	);

	it("that is not there is not taken for a locked one", async () => {
		const words =
			"Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files";
		const keychain = Object.assign(new FakeKeychain(), { mode: "locked" as const, words });
		const { vault, note } = await open(keychain);
		expect(note()).toMatch(/^No keychain is running in this session.*Install gnome-keyring or KWallet/);
		expect([await vault.read(), (await vault.place()).kind]).toEqual([undefined, "file"]);
	});

	it("that is locked is asked again only after half a minute, as it may show a dialog each time", async () => {
		const keychain = new FakeKeychain();
		const clock = new ManualClock();
		const folder = join(temporaryFolder(), "credentials");
		await write((await open(keychain, "auto", folder, clock)).vault);
		keychain.mode = "locked";
		const { vault, note } = await open(keychain, "auto", folder, clock);
		const asked = keychain.calls;
		keychain.mode = "works";
		clock.advance(29_999);
		await expect(vault.read()).rejects.toThrow("cannot be read");
		expect(keychain.calls).toBe(asked);
		clock.advance(1);
		expect([await vault.read(), note()]).toEqual([TEXT, undefined]);
	});

	it("has no fallback if the setting says so", async () => {
		const keychain = new FakeKeychain();
		keychain.mode = "locked";
		await expect(open(keychain, "keychain")).rejects.toThrow("refused");
		await expect(
			openVault({ vault: "keychain", folder: temporaryFolder(), loadKeychain: noModule, clock: systemClock }),
		).rejects.toThrow("not installed");
		expect((await open(keychain, "file")).note()).toBeUndefined();
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

	it("takes a new login again when it works, and the file is gone", async () => {
		const keychain = new FakeKeychain();
		keychain.mode = "refuses writes";
		const folder = join(temporaryFolder(), "credentials");
		const { vault, note } = await open(keychain, "auto", folder);
		expect(note()).toBeUndefined();
		await (await vault.reserve("new-login")).commit('{"first":1}');
		expect([(await vault.place()).kind, note()]).toEqual(["file", expect.stringContaining("refused")]);
		keychain.mode = "works";
		await write(vault, '{"renewed":1}');
		expect((await vault.place()).kind).toBe("file");
		await (await vault.reserve("new-login")).commit('{"second":1}');
		expect([(await vault.place()).kind, note()]).toEqual(["keychain", undefined]);
		expect([await vault.read(), [...keychain.entries.values()]]).toEqual(['{"second":1}', ['{"second":1}']]);
	});
});
