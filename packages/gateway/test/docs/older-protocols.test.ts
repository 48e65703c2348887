import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { OLDER_WAYS } from "../behaviour/older-protocols.ts";

const PAGE = fileURLToPath(new URL("../../../../docs/older-protocols.md", import.meta.url));

it("the page names every row that the older protocols leave out, and why", () => {
	const rows = new Map<string, string[]>();
	for (const [way, { skipped }] of Object.entries(OLDER_WAYS)) {
		for (const [row, why] of Object.entries(skipped)) {
			const key = `${row} | ${why}`;
			rows.set(key, [...(rows.get(key) ?? []), way]);
		}
	}
	const expected = [...rows].map(([key, ways]) => {
		const [row, why] = key.split(" | ");
		return `| ${row} | ${ways.join("; ")} | ${why} |`;
	});
	const [, table = ""] = readFileSync(PAGE, "utf8").split("| row | left out on | why |\n|---|---|---|\n");
	expect(table.trim().split("\n")).toEqual(expected);
});
