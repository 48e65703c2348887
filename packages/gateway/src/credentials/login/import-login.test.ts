import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/credentials/folder.ts";
import { systemClock } from "../../time/clock.ts";
import { Secret } from "../secret.ts";
import type { LoadKeychain } from "../vault/keychain-vault.ts";
import { readEditorState } from "./editor-state.ts";
import { findForeignLogins, importedCredential } from "./import-login.ts";

const noModule: LoadKeychain = () => Promise.reject(new Error("not installed"));
const NOW = 1_800_000_000_000;

function find(home: string, platform: NodeJS.Platform, loadKeychain = noModule) {
	return findForeignLogins({ home, platform, loadKeychain, clock: systemClock });
}

function put(home: string, path: string, content: unknown): string {
	const file = join(home, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
	return file;
}

function putState(home: string, path: string, values: Record<string, string | Buffer>): string {
	const file = put(home, path, "");
	const database = new Database(file);
	database.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
	const insert = database.prepare("INSERT INTO ItemTable VALUES (?, ?)");
	for (const [key, value] of Object.entries(values)) insert.run(key, value);
	database.close();
	return file;
}

const plain = (found: object) =>
	Object.fromEntries(Object.entries(found).map(([name, secret]) => [name, (secret as Secret | undefined)?.reveal()]));

const TOKENS = { accessToken: "a", refreshToken: "r" };
const AUTH_VALUES = { "cursorAuth/accessToken": "a", "cursorAuth/refreshToken": Buffer.from('"r"') };

describe("a login of another program", () => {
	it("is not found on a machine without one", async () => {
		for (const platform of ["linux", "darwin", "win32"] as const) {
			expect(await find(temporaryFolder(), platform)).toEqual([]);
		}
	});

	it.each<[NodeJS.Platform, string]>([
		["linux", ".config/cursor/auth.json"],
		["win32", "AppData/Roaming/Cursor/auth.json"],
	])("of the CLI is read on %s", async (platform, path) => {
		const home = temporaryFolder();
		const file = put(home, path, { ...TOKENS, other: 1 });
		const [login] = await find(home, platform);
		expect(login).toMatchObject({ program: "Cursor CLI", place: file });
		expect(plain(await login!.read())).toMatchObject(TOKENS);
	});

	it.each<[NodeJS.Platform, string]>([
		["linux", ".config/Cursor"],
		["darwin", "Library/Application Support/Cursor"],
		["win32", "AppData/Roaming/Cursor"],
	])("of the editor is read on %s, and its file stays as it is", async (platform, folder) => {
		const home = temporaryFolder();
		const file = putState(home, `${folder}/User/globalStorage/state.vscdb`, AUTH_VALUES);
		const hash = () => createHash("sha256").update(readFileSync(file)).digest("hex");
		const before = hash();
		const [login] = await find(home, platform);
		expect(login).toMatchObject({ program: "Cursor editor", place: file });
		expect(plain(await login!.read())).toEqual(TOKENS);
		expect(hash()).toBe(before);
		expect(readdirSync(dirname(file))).toEqual(["state.vscdb"]);
	});

	it("of the editor is read while the editor has its file open in WAL mode", async () => {
		const home = temporaryFolder();
		const file = putState(home, ".config/Cursor/User/globalStorage/state.vscdb", {});
		const editor = new Database(file);
		editor.exec("PRAGMA journal_mode = WAL");
		editor.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("cursorAuth/accessToken", "a");
		const [login] = await find(home, "linux");
		expect(plain(await login!.read())).toMatchObject({ accessToken: "a" });
		editor.close();
	});

	it("of the CLI is read from the macOS keychain if its module is installed", async () => {
		const entries: Record<string, string> = { "cursor-access-token": "a", "cursor-refresh-token": "r" };
		const loadKeychain: LoadKeychain = async () => ({
			AsyncEntry: class {
				readonly #service: string;
				constructor(service: string, account: string) {
					expect(account).toBe("cursor-user");
					this.#service = service;
				}
				getPassword = async () => entries[this.#service];
				setPassword = () => Promise.reject(new Error("must not write"));
				deleteCredential = () => Promise.reject(new Error("must not delete"));
			},
		});
		const [login] = await find(temporaryFolder(), "darwin", loadKeychain);
		expect(login!.place).toBe("the macOS keychain");
		expect(plain(await login!.read())).toEqual({ ...TOKENS, apiKey: undefined });
	});

	it.each(["canary{", "null", "x".repeat(2 ** 21)])(
		"that is damaged is reported without its content",
		async (content) => {
			const home = temporaryFolder();
			put(home, ".config/cursor/auth.json", content);
			put(home, ".config/Cursor/User/globalStorage/state.vscdb", "canary, not a database".repeat(100));
			const logins = await find(home, "linux");
			expect(logins).toHaveLength(2);
			for (const login of logins) {
				const outcome = await login
					.read()
					.then((found) => importedCredential(found, login.place, "https://x", NOW))
					.catch((error) => error);
				expect(outcome).toMatchObject({ kind: "signed-out" });
				expect(outcome.fullMessage).not.toContain("canary");
			}
		},
	);
});

describe("the editor's state", () => {
	it("is not created by reading it", () => {
		const folder = temporaryFolder();
		expect(() => readEditorState(join(folder, "state.vscdb"), ["key"])).toThrow();
		expect(readdirSync(folder)).toEqual([]);
	});
});

describe("a found login becomes", () => {
	const secret = new Secret("eyJh.e30.c2ln");

	it.each([
		[{ accessToken: secret, refreshToken: secret, apiKey: secret }, "session"],
		[{ accessToken: secret }, "session-token"],
		[{ apiKey: secret }, "api-key"],
		[{ accessToken: secret, apiKey: secret }, "api-key"],
		[{ accessToken: new Secret("no token"), refreshToken: secret, apiKey: secret }, "api-key"],
	])("%o: %s", (found, kind) => {
		expect(importedCredential(found, "place", "https://x", NOW)).toMatchObject({ kind, origin: "https://x" });
	});
});
