// Figures and lists in documents, against the tables that they come from.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MOST_TURNS } from "../../src/calibrate/turns.ts";
import { SETTINGS } from "../../src/config/setting-table.ts";
import { CLIENTS } from "../../src/connect/clients.ts";
import { PROBLEMS } from "../../src/observe/problem.ts";
import { ROOT } from "./claims.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const NUMBERS = "zero one two three four five six seven eight nine ten".split(" ");
const { node } = JSON.parse(read("package.json")).engines;
const { port, parkedMinutes, maxParkedRuns, maxParkedRunsPerKey } = SETTINGS;

it.each([
	["README.md", `Node ${node.replace(">=", "")} or newer`],
	["README.md", `http://127.0.0.1:${port.default}`],
	["README.md", `at most ${NUMBERS[MOST_TURNS]} short turns`],
	["docs/troubleshooting.md", `after ${parkedMinutes.default} minutes the gateway gives up the run`],
	["docs/performance.md", `(${maxParkedRuns.default} in all, ${maxParkedRunsPerKey.default} per caller)`],
])("%s says: %s", (path, words) => expect(read(path)).toContain(words));

it("deploy.md names every problem that /healthz reports, and no other", () => {
	const [, rows = ""] = read("docs/deploy.md").split("| name | what it means |\n|---|---|\n");
	const named = [...rows.split("\n\n")[0]!.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name!);
	expect(named.sort()).toEqual(Object.keys(PROBLEMS).sort());
});

it("the README names every client that can be connected", () => {
	const missing = Object.keys(CLIENTS).filter((name) => !read("README.md").includes(`docs/clients/${name}.md`));
	expect(missing.filter((name) => name !== "sdk")).toEqual([]);
});

describe("the README's performance", () => {
	const results = read("docs/performance.md");
	const rowOf = (what: string) =>
		results
			.split("\n")
			.find((line) => line.startsWith(`| ${what}`))
			?.split("|")
			.map((cell) => Number(cell.trim().replaceAll(",", "")));

	it.each([
		["added time to the first token", "added time to first token, ms"],
		["tool result into its parked run", "tool result into its parked run, ms"],
		["short turns, 32 clients", "short turns/s, 32 clients"],
		["streamed deltas, 32 streams", "deltas/s, one per frame, 32 streams"],
		["memory of a parked run", "memory per parked session, 1000, KB"],
	])("%s is what was measured", (claimed, measured) => {
		const [, value = "", ratio = ""] = new RegExp(`^\\| ${claimed} \\| ([\\d.,]+)[^|]*\\| ([\\d.]*)`, "m").exec(
			read("README.md"),
		)!;
		const [, , , gateway, times] = rowOf(measured)!;
		// Rounded, by less than two in a hundred.
		expect(Math.abs(Number(value.replaceAll(",", "")) / gateway! - 1)).toBeLessThan(0.02);
		if (ratio !== "") expect(Math.abs(Number(ratio) / times! - 1)).toBeLessThan(0.02);
	});
});
