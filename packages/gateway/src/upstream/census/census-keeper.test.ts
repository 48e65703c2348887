import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/kit/cleanup.ts";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { CensusFile } from "./census-file.ts";
import { CensusKeeper } from "./census-keeper.ts";
import type { Sighting } from "./tally.ts";

const SIGHTING: Sighting = { what: "kind", path: "a.B.9", message: "a.B", field: 9, wireType: "length-delimited" };

function folder(): string {
	const path = mkdtempSync(join(tmpdir(), "cursorwire-census-"));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

function keeperIn(dataDir: string, gatewayVersion = "1.0.0") {
	const clock = new ManualClock();
	return { clock, keeper: new CensusKeeper({ dataDir, gatewayVersion, clock, now: () => 1_000 }) };
}

const countsOf = (rows: { path: string; count: number }[]) => rows.map(({ path, count }) => [path, count]);

it("writes what it saw a little later, for the owner alone, and nothing where nothing was seen", async () => {
	const dataDir = folder();
	const { clock, keeper } = keeperIn(dataDir);
	await keeper.save();
	expect(readdirSync(dataDir)).toEqual([]);
	keeper.census.add("v", SIGHTING);
	expect(existsSync(join(dataDir, "drift.json"))).toBe(false);
	clock.advance(10_000);
	await until(() => existsSync(join(dataDir, "drift.json")));
	expect(statSync(join(dataDir, "drift.json")).mode & 0o777).toBe(0o600);
	expect(countsOf(await new CensusFile({ dataDir, gatewayVersion: "1.0.0" }).read())).toEqual([["a.B.9", 1]]);
});

it("adds up what several processes saw", async () => {
	const dataDir = folder();
	const [one, two] = [keeperIn(dataDir).keeper, keeperIn(dataDir).keeper];
	for (const { census } of [one, two, two]) census.add("v", SIGHTING);
	await Promise.all([one.save(), two.save()]);
	one.census.add("v", SIGHTING);
	expect(countsOf(await one.all())).toEqual([["a.B.9", 4]]);
	expect(countsOf(await two.all())).toEqual([["a.B.9", 4]]);
	expect(countsOf(one.census.rows())).toEqual([["a.B.9", 2]]);
});

it("begins anew under another version of the gateway, which may know it", async () => {
	const dataDir = folder();
	const { keeper } = keeperIn(dataDir);
	keeper.census.add("v", SIGHTING);
	await keeper.save();
	const { keeper: newer } = keeperIn(dataDir, "1.1.0");
	expect(await newer.all()).toEqual([]);
	newer.census.add("v", SIGHTING);
	expect(countsOf(await newer.all())).toEqual([["a.B.9", 1]]);
});

it.each(["", "{", "[]", '{"version":1,"gateway":"1.0.0","rows":[{"what":"field"}]}', '{"version":2}'])(
	"begins anew where the file is damaged: %s",
	async (content) => {
		const dataDir = folder();
		writeFileSync(join(dataDir, "drift.json"), content);
		const { keeper } = keeperIn(dataDir);
		expect(await keeper.all()).toEqual([]);
		keeper.census.add("v", SIGHTING);
		await keeper.save();
		expect(JSON.parse(readFileSync(join(dataDir, "drift.json"), "utf8")).rows).toHaveLength(1);
	},
);

it("counts in memory where nothing can be written", async () => {
	const file = join(folder(), "file");
	writeFileSync(file, "");
	const { keeper } = keeperIn(join(file, "inside"));
	keeper.census.add("v", SIGHTING);
	await keeper.save();
	keeper.census.add("v", SIGHTING);
	expect(countsOf(await keeper.all())).toEqual([["a.B.9", 2]]);
});
