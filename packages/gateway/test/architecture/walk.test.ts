// The walk in docs/architecture.md is true: its files exist, each hands over to the next by an import or by a contract
// that both import, and it is as short as promised.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const SOURCE = "packages/gateway/src";
const MOST_HOPS = 20;
const MOST_FOLDER_CHANGES = 8;

interface Stop {
	number: number;
	file: string;
	/** The stop that hands over to this one. */
	from: number;
	/** The file with the contract between the two, where they do not import each other. */
	contract: string | undefined;
}

/** Rows such as "| 6 | `sessions/ladder.ts` | 5 | `turn/listener.ts` | what it does |". */
function readWalk(): Stop[] {
	const [, section = ""] = readFileSync("docs/architecture.md", "utf8").split("## The walk of one tool call\n");
	const [walk = ""] = section.split("\n## ");
	return [...walk.matchAll(/^\| (\d+) \| `([^`]+)` \| (\d*) \| (?:`([^`]+)`)? ?\|/gm)].map(
		([, number, file, from, contract]) => ({ number: Number(number), file: file!, from: Number(from), contract }),
	);
}

function importsOf(file: string): string[] {
	const path = join(SOURCE, file);
	const text = readFileSync(path, "utf8");
	const specifiers = [...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, specifier]) => specifier!);
	return specifiers.map((specifier) => normalize(join(dirname(path), specifier)).slice(SOURCE.length + 1));
}

const folderOf = (file: string) => file.split("/")[0];

const walk = readWalk();
const at = (number: number) => walk.find((stop) => stop.number === number)!;

it("names files that exist, numbered in order", () => {
	expect(walk.length).toBeGreaterThan(10);
	for (const [index, { number, file, contract }] of walk.entries()) {
		expect(number).toBe(index);
		expect(existsSync(join(SOURCE, file)), file).toBe(true);
		if (contract) expect(existsSync(join(SOURCE, contract)), contract).toBe(true);
	}
});

it.each(walk.slice(1))("hop $number reaches $file from stop $from", ({ number, file, from, contract }) => {
	expect(from).toBeLessThan(number);
	const giver = at(from).file;
	if (contract === undefined) {
		const areLinked = importsOf(giver).includes(file) || importsOf(file).includes(giver);
		expect(areLinked, `neither ${giver} nor ${file} imports the other`).toBe(true);
		return;
	}
	for (const side of [giver, file]) {
		expect(side === contract || importsOf(side).includes(contract), `${side} imports ${contract}`).toBe(true);
	}
});

it("is short", () => {
	const changes = walk.slice(1).filter(({ file, from }) => folderOf(file) !== folderOf(at(from).file));
	expect(walk.length - 1).toBeLessThanOrEqual(MOST_HOPS);
	expect(changes.length).toBeLessThanOrEqual(MOST_FOLDER_CHANGES);
});
