// `cursorwire usage --since …`: the ledger as a table, CSV and JSON, beside a running gateway and without one.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { rowsIn } from "../../src/cli/export/export-usage.ts";
import type { LedgerRow } from "../../src/store/ledger-row.ts";
import { openStore } from "../../src/store/open-store.ts";
import { addKey } from "../kit/dialects/handmade-chat.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";
import { ledgerRow } from "../store/sample-records.ts";

const HOUR = 3_600_000;

async function fill(dataDir: string, rows: LedgerRow[]): Promise<void> {
	const store = await openStore({ dataDir, warn: expect.fail });
	await store.appendLedger(rows);
	await store.close();
}

async function exported(dataDir: string, ...flags: string[]): Promise<string> {
	const { code, out, err } = await runProgram(["usage", ...flags], { CURSORWIRE_DATA_DIR: dataDir });
	expect([code, err]).toEqual([0, ""]);
	return out;
}

/** Lines of CSV that have no line break in a cell. */
const cellsOf = (csv: string) =>
	csv
		.trimEnd()
		.split("\r\n")
		.map((line) => line.split(","));

it("exports turns and sums without a gateway and without a login", async () => {
	const dataDir = temporaryFolder();
	const now = Date.now();
	await fill(dataDir, [
		ledgerRow({ at: now - 50 * HOUR, model: "old", caller: "key-removed" }),
		ledgerRow({ at: now - 2 * HOUR, model: '=HYPERLINK("x")', conversation: "c1", caller: "credential-c" }),
		ledgerRow({ at: now - HOUR, model: "gpt", errorKind: "internal", status: 500, caller: "anonymous" }),
	]);

	const [header, ...rows] = cellsOf(await exported(dataDir, "--csv"));
	const column = (name: string) => rows.map((cells) => cells[header!.indexOf(name)]);
	expect(column("model")).toEqual(["gpt", `"'=HYPERLINK(""x"")"`, "old"]);
	expect(column("client")).toEqual(["without a key", "a Cursor credential", "a key that is gone"]);
	expect(column("error")).toEqual(["internal", "", ""]);
	expect(column("time")[0]).toBe(new Date(now - HOUR).toISOString());

	const json = JSON.parse(await exported(dataDir, "--since", "3h", "--json"));
	expect(json).toHaveLength(2);
	expect(json[1]).toMatchObject({ model: '=HYPERLINK("x")', conversation: "c1", input_tokens: 10 });
	expect(json[1]).not.toHaveProperty("error");
	expect(JSON.parse(await exported(dataDir, "--since", "0h", "--json"))).toEqual([]);

	const sums = JSON.parse(await exported(dataDir, "--since", "3d", "--by", "client", "--json"));
	const figures = { turns: 1, errors: 0, input_tokens: 10, cached_tokens: 3, output_tokens: 5, reasoning_tokens: 2 };
	expect(sums).toEqual([
		{ client: "without a key", ...figures, errors: 1 },
		{ client: "a Cursor credential", ...figures },
		{ client: "a key that is gone", ...figures },
	]);
	expect(cellsOf(await exported(dataDir, "--by", "conversation", "--csv"))).toContainEqual(
		expect.arrayContaining(["c1", "1"]),
	);
	expect(JSON.parse(await exported(dataDir, "--by", "model", "--json"))).toHaveLength(3);
	const table = await exported(dataDir, "--since", "7d");
	expect(table).toMatch(/^DAY +TURNS +ERRORS +INPUT TOKENS/);
	expect(await exported(temporaryFolder(), "--since", "7d")).toBe("This gateway has served nothing since then.\n");
});

it("exports what a running gateway has served", async () => {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const { key } = await addKey(dataDir, "laptop");
	const served = await serve({ upstream: emulator.url, dataDir });
	const body = { model: "auto", messages: [{ role: "user", content: "hello" }] };
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	expect((await served.ask(body, { headers })).status).toBe(200);
	for (;;) {
		const rows = JSON.parse(await exported(dataDir, "--since", "1h", "--json"));
		if (rows.length === 0) continue;
		expect(rows).toEqual([expect.objectContaining({ client: "laptop", model: "auto", status: 200 })]);
		return;
	}
});

it("keeps what Cursor says of the pools whenever the overview is shown", async () => {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const env = { CURSORWIRE_DATA_DIR: dataDir, CURSORWIRE_UPSTREAM: emulator.url, CURSOR_API_KEY: "key_test" };
	const { code, out } = await runProgram(["usage"], env);
	expect(code).toBe(0);
	expect(out).toContain("This gateway has served nothing today.");
	const store = await openStore({ dataDir, warn: expect.fail });
	onTestFinished(() => store.close());
	const readings = await store.poolReadings(0);
	expect(readings.map(({ pool, usedPercent, limitCents }) => [pool, usedPercent, limitCents])).toEqual([
		["auto", 2.48, 50_000],
		["api", 15.5, 2_000],
	]);
});

it.each([
	[["--since", "yesterday"], /^--since: takes a date such as 2026-11-01.*not "yesterday"/],
	[["--since", "2999-01-01"], /^--since: 2999-01-01 is in the future/],
	[["--by", "colour"], /^--by: takes client, model, day, conversation, not "colour"/],
	[["--csv", "--json"], /^choose one of --csv and --json/],
])("refuses %j with a line that says what is possible", async (flags, line) => {
	const { code, out, err } = await runProgram(["usage", ...flags], { CURSORWIRE_DATA_DIR: temporaryFolder() });
	expect([code, out]).toEqual([2, ""]);
	expect(err).toMatch(line);
});

it("says that the ledger cannot be read, instead of exporting nothing", async () => {
	const dataDir = temporaryFolder();
	mkdirSync(join(dataDir, "cursorwire.db"));
	writeFileSync(join(dataDir, "cursorwire.db", "file"), "");
	const { code, out, err } = await runProgram(["usage", "--csv"], { CURSORWIRE_DATA_DIR: dataDir });
	expect([code, out]).toEqual([2, ""]);
	expect(err).toMatch(/^the ledger cannot be read: /);
});

it("reads rows in pages, each once", async () => {
	const dataDir = temporaryFolder();
	await fill(
		dataDir,
		Array.from({ length: 25 }, (_, index) => ledgerRow({ at: 1_000 + index })),
	);
	const store = await openStore({ dataDir, warn: expect.fail });
	onTestFinished(() => store.close());
	const asked: number[] = [];
	const counted = {
		findRows: (...args: Parameters<typeof store.findRows>) => {
			asked.push(args[1]);
			return store.findRows(...args);
		},
	};
	const times = [];
	for await (const cells of rowsIn(counted, 0, String, 10)) times.push(cells[1]);
	expect(times).toEqual(Array.from({ length: 25 }, (_, index) => new Date(1_024 - index).toISOString()));
	expect(asked).toEqual([10, 10, 10]);
});
