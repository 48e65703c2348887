import {
	chmodSync,
	chownSync,
	existsSync,
	lchownSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/credentials/folder.ts";
import { StorageError } from "../../files/storage-error.ts";
import { FileVault } from "./file-vault.ts";

const TEXT = '{"a":1}';
const isRoot = process.getuid?.() === 0;
const isWindows = process.platform === "win32";

function makeVault() {
	const folder = join(temporaryFolder(), "deep", "credentials");
	const path = join(folder, "cursor.json");
	return { folder, path, next: `${path}.next`, vault: new FileVault(folder) };
}
type Made = ReturnType<typeof makeVault>;

const mode = (path: string) => lstatSync(path).mode & 0o777;

async function write(vault: FileVault, text = TEXT): Promise<void> {
	await (await vault.reserve()).commit(text);
}

async function stored(): Promise<Made> {
	const made = makeVault();
	await write(made.vault);
	return made;
}

describe("a file vault", () => {
	it("is empty without a file, and creates nothing when it is read", async () => {
		const { vault, folder } = makeVault();
		expect(await vault.read()).toBeUndefined();
		await vault.recover();
		await vault.clear();
		expect(existsSync(folder)).toBe(false);
	});

	it.runIf(!isWindows).each([0o000, 0o777])(
		"K7: makes its file 0600 in a folder 0700 under umask %i",
		async (umask) => {
			const folder = join(temporaryFolder(), "credentials");
			const vault = new FileVault(folder);
			const before = process.umask(umask);
			await write(vault).finally(() => process.umask(before));
			expect([mode(join(folder, "cursor.json")), mode(folder)]).toEqual([0o600, 0o700]);
			expect(await vault.read()).toBe(`${TEXT}\n`);
		},
	);

	it("replaces the file as a whole and leaves nothing beside it", async () => {
		const { vault, folder, path } = await stored();
		const inode = lstatSync(path).ino;
		await write(vault, '{"b":2}');
		expect(readdirSync(folder)).toEqual(["cursor.json"]);
		expect(readFileSync(path, "utf8")).toBe('{"b":2}\n');
		expect(lstatSync(path).ino).not.toBe(inode);
	});

	it("keeps the old text when a reservation is released", async () => {
		const { vault, folder } = await stored();
		await (await vault.reserve()).release();
		expect(readdirSync(folder)).toEqual(["cursor.json"]);
		expect(await vault.read()).toBe(`${TEXT}\n`);
	});

	it("is gone after a clear, with what a dead process left", async () => {
		const { vault, folder, next } = await stored();
		writeFileSync(next, TEXT, { mode: 0o600 });
		await vault.clear();
		expect(readdirSync(folder)).toEqual([]);
	});
});

describe("K4: after a process died", () => {
	it("before its commit, the next one learns of it and the old text stays", async () => {
		const { vault, next } = await stored();
		writeFileSync(next, " ".repeat(16_384), { mode: 0o600 });
		await vault.recover();
		expect(await vault.read()).toBe(`${TEXT}\n`);
		const second = await vault.reserve();
		expect(second.interrupted).toBe(true);
		await second.release();
		const third = await vault.reserve();
		expect(third.interrupted).toBe(true);
		await third.commit('{"c":3}');
		const fourth = await vault.reserve();
		expect(fourth.interrupted).toBe(false);
		await fourth.release();
	});

	it("before the rename, its text is put in place", async () => {
		const { vault, folder, next } = await stored();
		writeFileSync(next, '{"new":true}\n    ', { mode: 0o600 });
		await vault.recover();
		expect(await vault.read()).toContain("new");
		expect(readdirSync(folder)).toEqual(["cursor.json"]);
	});

	it("in the middle of its write, the incomplete text is not used", async () => {
		const { vault, next } = await stored();
		writeFileSync(next, `{"new":tr${" ".repeat(100)}`, { mode: 0o600 });
		await vault.recover();
		expect(await vault.read()).toBe(`${TEXT}\n`);
	});
});

describe.runIf(!isWindows)("K7: refuses, and says why,", () => {
	const refusals: [string, (made: Made) => void, message: RegExp, root?: "root"][] = [
		[
			"a file that others can read",
			({ path }) => chmodSync(path, 0o640),
			/open to other users \(mode 640\).*chmod 600/,
		],
		["a file that others can write", ({ path }) => chmodSync(path, 0o602), /mode 602/],
		["a folder that others can list", ({ folder }) => chmodSync(folder, 0o750), /mode 750\).*chmod 700/],
		["a file of another user", ({ path }) => chownSync(path, 65_534, 65_534), /another user \(uid 65534\)/, "root"],
		["a folder of another user", ({ folder }) => chownSync(folder, 65_534, 65_534), /another user/, "root"],
		["a symbolic link", ({ path }) => relink(path, "/etc/hostname"), /symbolic link.*Remove/],
		["a dangling symbolic link", ({ path }) => relink(path, "/nonexistent"), /symbolic link/],
		["a folder in its place", ({ path }) => replaceByFolder(path), /not a plain file/],
		["a huge file", ({ path }) => writeFileSync(path, "x".repeat(100_000)), /too large.*cursorwire login/],
	];

	it.each(refusals.filter(([, , , root]) => root === undefined || isRoot))("%s", async (_, spoil, message) => {
		const made = await stored();
		spoil(made);
		const refusal = await made.vault.read().catch((error) => error);
		expect(refusal).toBeInstanceOf(StorageError);
		expect(refusal.fullMessage).toMatch(message);
	});

	it("to write through a link, and what it points to stays", async () => {
		const { vault, path, folder } = await stored();
		const target = join(folder, "..", "victim");
		writeFileSync(target, "precious");
		relink(path, target);
		await expect(vault.reserve()).rejects.toThrow("symbolic link");
		expect(readFileSync(target, "utf8")).toBe("precious");
	});

	it("a folder that is a link", async () => {
		const { vault, folder } = makeVault();
		const elsewhere = temporaryFolder();
		mkdirSync(join(folder, ".."), { recursive: true });
		symlinkSync(elsewhere, folder);
		await expect(vault.reserve()).rejects.toThrow("symbolic link");
		expect(readdirSync(elsewhere)).toEqual([]);
	});

	it.runIf(isRoot)("to replace another user's file or link", async () => {
		const foreign = await stored();
		chownSync(foreign.path, 65_534, 65_534);
		await expect(foreign.vault.reserve()).rejects.toThrow("another user");
		relink(foreign.path, "/nonexistent");
		lchownSync(foreign.path, 65_534, 65_534);
		await expect(foreign.vault.reserve()).rejects.toThrow("symbolic link");
	});

	it("nothing of a damaged or open file when it is replaced by a login", async () => {
		const { vault, path } = await stored();
		writeFileSync(path, "garbage");
		chmodSync(path, 0o644);
		await write(vault, '{"new":1}');
		expect(mode(path)).toBe(0o600);
		expect(await vault.read()).toContain("new");
	});
});

function relink(path: string, target: string): void {
	rmSync(path);
	symlinkSync(target, path);
}

function replaceByFolder(path: string): void {
	rmSync(path);
	mkdirSync(path);
}
