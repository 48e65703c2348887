import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	appendFileSync,
	chmodSync,
	chownSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { KeyJournal } from "../../src/store/keys/key-journal.ts";
import { keyJournalName } from "../../src/store/open-store.ts";
import type { StoredKey } from "../../src/store/store.ts";
import { temporaryFolder } from "./stores.ts";

const WRITER = fileURLToPath(new URL("./key-writer.ts", import.meta.url));
const run = promisify(execFile);

const key = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
	id,
	name: `name of ${id}`,
	hash: createHash("sha256").update(id).digest("hex"),
	createdAt: 1,
	...changes,
});

function open(file: string): { journal: KeyJournal; warnings: string[] } {
	const warnings: string[] = [];
	return { journal: new KeyJournal({ file, warn: (message) => warnings.push(message) }), warnings };
}

const newFile = () => join(temporaryFolder(), "gateway-keys.jsonl");
const idsIn = (file: string) =>
	open(file)
		.journal.read()
		.map(({ id }) => id);

describe("the second copy of the keys", () => {
	it("gives back what was added, with limits and revocations, to a later process and to one that runs", () => {
		const file = newFile();
		const { journal } = open(file);
		const { journal: other } = open(file);
		expect(other.read()).toEqual([]);
		const limited = key("limited", { limits: { concurrentTurns: 2 }, kind: "metrics" });
		journal.add([key("plain"), limited]);
		expect(other.read()).toEqual([limited, key("plain")]);
		journal.add([{ ...limited, revokedAt: 5 }]);
		expect(other.read()).toEqual([{ ...limited, revokedAt: 5 }, key("plain")]);
		// An older copy takes no revocation back, and what is known is not written again.
		const size = statSync(file).size;
		other.add([limited, key("plain")]);
		expect(statSync(file).size).toBe(size);
		expect(open(file).journal.read()).toEqual([{ ...limited, revokedAt: 5 }, key("plain")]);
	});

	it("is closed to other users, whatever the umask", () => {
		const umask = process.umask(0);
		onTestFinished(() => void process.umask(umask));
		const file = newFile();
		open(file).journal.add([key("a")]);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		chmodSync(file, 0o644);
		expect(idsIn(file)).toEqual(["a"]);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	it("O4: cut anywhere keeps each whole record, and what is added later", () => {
		const file = newFile();
		open(file).journal.add([key("a"), key("b", { revokedAt: 3 }), key("c")]);
		const whole = readFileSync(file);
		const ends = [...whole.toString().matchAll(/\}(?=\n|$)/g)].map(({ index }) => index + 1);
		expect(ends).toHaveLength(3);
		// Every byte around the ends of records, and every seventh within them.
		const cuts = Array.from({ length: whole.length + 1 }, (_, cut) => cut);
		for (const cut of cuts.filter((at) => at % 7 === 0 || ends.some((end) => Math.abs(end - at) < 4))) {
			writeFileSync(file, whole.subarray(0, cut), { mode: 0o600 });
			const complete = ["a", "b", "c"].slice(0, ends.filter((end) => end <= cut).length);
			const { journal } = open(file);
			expect(journal.read().map(({ id }) => id)).toEqual(complete);
			journal.add([key("later")]);
			expect(journal.problem).toBeUndefined();
			expect(idsIn(file).sort()).toEqual([...complete, "later"].sort());
			for (const name of readdirSync(join(file, ".."))) rmSync(join(file, "..", name));
		}
	});

	it("that cannot be written is told once, although it can be read in between", () => {
		const { journal, warnings } = open(join(temporaryFolder(), "missing", "gateway-keys.jsonl"));
		for (let attempt = 0; attempt < 3; attempt++) {
			journal.add([key("a")]);
			expect(journal.problem).toContain("ENOENT");
			journal.read();
		}
		expect(warnings).toHaveLength(1);
	});

	it("keeps what stands around damage, and the damaged file", () => {
		const file = newFile();
		open(file).journal.add([key("a")]);
		appendFileSync(file, "\n\0\xff garbage");
		appendFileSync(file, `\n{"id":"x","name":"x","hash":"short","createdAt":1}`);
		const { journal: other } = open(file);
		other.add([key("b")]);
		const { journal, warnings } = open(file);
		expect(journal.read().map(({ id }) => id)).toEqual(["a", "b"]);
		expect(other.hasLost).toBe(true);
		expect(warnings).toEqual([]);
		expect(readFileSync(`${file}.corrupt-1`, "utf8")).toContain("garbage");
		expect(readFileSync(file, "utf8")).not.toContain("garbage");
		expect(readdirSync(join(file, "..")).sort()).toEqual(["gateway-keys.jsonl", "gateway-keys.jsonl.corrupt-1"]);
	});

	it("takes keys of several processes at once, with damage between them", async () => {
		const file = newFile();
		const names = ["one", "two", "three", "four"];
		const count = 40;
		const writers = names.map((name) => run(process.execPath, ["--import", "tsx", WRITER, file, name, String(count)]));
		const spoil = setInterval(() => existsSync(file) && appendFileSync(file, "\ntorn {"), 20);
		await Promise.all(writers).finally(() => clearInterval(spoil));
		const wanted = names.flatMap((name) => Array.from({ length: count }, (_, number) => `${name}-${number}`));
		expect(idsIn(file).sort()).toEqual(wanted.sort());
	});

	it("is written again where it was deleted", () => {
		const file = newFile();
		const { journal } = open(file);
		journal.add([key("a")]);
		rmSync(file);
		journal.add([key("a"), key("b")]);
		expect(idsIn(file)).toEqual(["a", "b"]);
	});

	it("is one for each store, without a password in its name", () => {
		const names = [undefined, "redis://one", "redis://two", "redis://one/2"].map((redis) => keyJournalName(redis));
		expect(new Set(names).size).toBe(4);
		expect(keyJournalName("redis://user:secret@one:7000/1")).toBe(keyJournalName("redis://one:7000/1"));
		for (const name of names) expect(name).toMatch(/^gateway-keys(-[0-9a-f]{12})?\.jsonl$/);
	});
});

describe("K7: the second copy of the keys is refused, and not touched,", () => {
	const isRoot = process.getuid?.() === 0;
	const cases: [what: string, spoil: (file: string) => void, message: RegExp][] = [
		["where it is a link", (file) => symlinkSync(`${file}.target`, file), /symbolic link/],
		["where it is a folder", (file) => mkdirSync(file), /EISDIR|not a plain file/],
		["where it is a pipe", (file) => void execFileSync("mkfifo", [file]), /not a plain file|ENXIO/],
		["where others can write it", (file) => writeOpen(file), /can be written by other users.*chmod 600/],
		["where it is huge", (file) => writeFileSync(file, " ".repeat(5_000_000), { mode: 0o600 }), /too large/],
	];
	if (isRoot) cases.push(["where it is another user's", (file) => writeForeign(file), /another user/]);

	it.each(cases)("%s", (_what, spoil, message) => {
		const file = newFile();
		spoil(file);
		const before = lstatSync(file);
		const { journal, warnings } = open(file);
		expect(journal.read()).toEqual([]);
		journal.add([key("a")]);
		expect(journal.problem).toMatch(message);
		expect(warnings).toHaveLength(1);
		expect(lstatSync(file)).toMatchObject({ ino: before.ino, size: before.size, mode: before.mode });
		expect(existsSync(`${file}.target`)).toBe(false);
	});

	function writeOpen(file: string): void {
		writeFileSync(file, `\n${JSON.stringify(key("planted"))}`);
		chmodSync(file, 0o666);
	}

	function writeForeign(file: string): void {
		writeFileSync(file, `\n${JSON.stringify(key("planted"))}`, { mode: 0o600 });
		chownSync(file, 65_534, 65_534);
	}
});
