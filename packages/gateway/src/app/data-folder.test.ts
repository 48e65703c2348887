import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { prepareDataFolder } from "./data-folder.ts";

const NOW = Date.UTC(2030, 0, 1);

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-data-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

it("makes the folder for its owner alone", () => {
	const folder = join(temporaryFolder(), "a", "b");
	expect(prepareDataFolder(folder, NOW)).toBeUndefined();
	expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it.each([0o777, 0o770, 0o702, 0o1777])("refuses a folder that others can change (mode %o)", (mode) => {
	const folder = temporaryFolder();
	chmodSync(folder, mode);
	expect(prepareDataFolder(folder, NOW)).toMatch(/Run `chmod 700 .+`/);
	expect(prepareDataFolder(join(folder, "own"), NOW)).toBeUndefined();
});

it("takes a folder that others can only look into", () => {
	const folder = temporaryFolder();
	chmodSync(folder, 0o755);
	expect(prepareDataFolder(folder, NOW)).toBeUndefined();
});

it("removes what a process that died in the middle of a write has left, and nothing else", () => {
	const folder = temporaryFolder();
	const stale = ["gateway-key.0123456789abcdef.tmp", "gateway.json.4711.tmp"];
	const kept = ["gateway-key", "notes.tmp", "gateway.json.4712.tmp"];
	for (const name of [...stale, ...kept]) {
		writeFileSync(join(folder, name), "");
		const age = name === "gateway.json.4712.tmp" ? 1_000 : 3_600_000;
		utimesSync(join(folder, name), (NOW - age) / 1000, (NOW - age) / 1000);
	}
	prepareDataFolder(folder, NOW);
	expect(readdirSync(folder).sort()).toEqual(kept.sort());
});

it.each([[[]], [["folder"]], [["folder", "below"]]])(
	"refuses a file in place of the folder, or above it: %j",
	(rest) => {
		const file = join(temporaryFolder(), "file");
		writeFileSync(file, "");
		const folder = join(file, ...rest);
		expect(prepareDataFolder(folder, NOW)).toContain(
			`${folder} cannot be the data folder, because ${file} is not a folder`,
		);
		expect(statSync(file).isFile()).toBe(true);
	},
);

it("leaves it to others to say that a folder cannot be made", () => {
	const link = join(temporaryFolder(), "link");
	symlinkSync("nowhere/at/all", link);
	expect(prepareDataFolder(link, NOW)).toBeUndefined();
});
