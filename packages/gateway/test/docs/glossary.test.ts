import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const page = readFileSync(join(ROOT, "docs/glossary.md"), "utf8");

const rows = page
	.split("\n")
	.filter((line) => line.startsWith("| ") && !line.startsWith("| word |"))
	.map((line) => line.split("|").map((cell) => cell.trim()))
	.map(([, word, meaning, where]) => ({ word: word!, meaning: meaning!, where: where! }));

/** The words whose meaning was settled because they had several before. */
const SETTLED =
	"turn run conversation session rung ladder checkpoint reply response call result answer dialect protocol chat machine channel caller account quota ledger recording census".split(
		" ",
	);

describe("the glossary", () => {
	it("has every settled word", () => {
		expect(SETTLED.filter((word) => !rows.some((row) => row.word === word))).toEqual([]);
	});

	it("explains no word twice", () => {
		const words = rows.flatMap(({ word }) => word.split(", "));
		expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
	});

	it.each(rows)("says where $word lives", ({ meaning, where }) => {
		expect(meaning).toMatch(/\.\)?$/);
		const paths = [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
		expect(paths).not.toEqual([]);
		const isThere = (path: string) =>
			existsSync(join(ROOT, path.startsWith("packages/") ? path : `packages/gateway/src/${path}`));
		expect(paths.filter((path) => !isThere(path))).toEqual([]);
	});

	it.each(["README.md", "CONTRIBUTING.md", "AGENTS.md"])("is linked from %s", (document) => {
		expect(readFileSync(join(ROOT, document), "utf8")).toContain("docs/glossary.md");
	});
});
