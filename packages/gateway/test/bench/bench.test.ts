// The benchmark itself, so short that its figures mean nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { BUNDLED_PROGRAM } from "../kit/bundled-program.ts";
import { temporaryFolder } from "../kit/program.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const LOSSY = fileURLToPath(new URL("lossy-peer.mjs", import.meta.url));
const Database = createRequire(import.meta.url)("libsql");

interface Row {
	label: string;
	lean: number;
	gateway: number;
	verdict: string;
	peers: Record<string, { word?: string; value?: number }>;
}

/** Starts it with a folder of its own for temporary files. */
function startBench(args: string[], variables: Record<string, string>) {
	const folder = temporaryFolder();
	const json = join(folder, "out.json");
	const bench = spawn(process.execPath, ["bench/run.mjs", "--json", json, ...args], {
		cwd: ROOT,
		env: {
			...process.env,
			TMPDIR: folder,
			GATEWAY: process.env[BUNDLED_PROGRAM]!,
			REPS: "1",
			WINDOW: "0.3",
			...variables,
		},
	});
	// It ends the processes that it started.
	onTestFinished(() => void bench.kill("SIGTERM"));
	let said = "";
	for (const stream of [bench.stdout, bench.stderr]) stream.on("data", (chunk) => (said += chunk));
	const ended = once(bench, "close").then(([code]) => ({ code, said }));
	return { folder, ended, figures: () => JSON.parse(readFileSync(json, "utf8")) };
}

/** Makes the ledger of the benchmark's gateway refuse all rows but the first, without an error. */
async function spoilLedger(folder: string): Promise<void> {
	const found = () =>
		readdirSync(folder)
			.map((name) => join(folder, name, "cursorwire.db"))
			.find((file) => existsSync(file));
	for (;;) {
		await sleep(20);
		const file = found();
		if (file === undefined) continue;
		const database = new Database(file);
		try {
			database.exec(`create trigger forgetful before insert on ledger when (select count(*) from ledger) > 0
				begin select raise(ignore); end`);
			return;
		} catch {
			// The table is not there yet, or another process has locked the file.
		} finally {
			database.close();
		}
	}
}

describe("npm run bench", () => {
	it("measures the gateway, lean and peers, and goes on with a peer that loses text", async () => {
		const peers = ["--peer", "twin:node bench/lean.mjs", "--peer", `lossy:node ${LOSSY}`];
		const { ended, figures } = startBench(peers, { PEER: "none:exit 3;", ONLY: "short@32,leave" });
		const { code, said } = await ended;
		expect({ code, said }).toMatchObject({ code: 0 });
		expect(said).toMatch(/^\| what .*\| lean .*\| gateway .*\| none .*\| twin .*\| lossy /m);
		expect(said).toContain("PEER none does not start");
		expect(said).toMatch(/PEER short@32, lossy: .* characters arrived|PEER short@32, lossy: .* wrong text/);

		const { rows, ledger, scenarios } = figures();
		const row = (label: string): Row => rows.find((one: Row) => one.label === label);
		const turns = row("short turns/s, 32 clients");
		expect([turns.lean, turns.gateway, turns.peers.twin!.value]).toEqual([0, 0, 0].map(() => expect.any(Number)));
		expect(turns.peers).toMatchObject({ none: { word: "–" }, lossy: { word: "loses text" } });
		expect(rows.map(({ label }: Row) => label)).toEqual(
			expect.arrayContaining([
				"CPU per short turn, 32 clients, µs",
				"first token, 32 clients, p99, ms",
				"short turns/s, 8 clients, while 64 hang up",
			]),
		);
		expect(row("upstream streams left 2 s after 64 clients hung up")).toMatchObject({ lean: 0, gateway: 0 });
		expect(ledger.turns).toBeGreaterThan(64);
		expect(ledger.rows).toBe(ledger.turns);
		expect(scenarios.map(({ id }: { id: string }) => id)).toEqual(["short@32", "leave"]);
	});

	it("fails where the gateway's ledger lacks turns", async () => {
		const { folder, ended } = startBench([], { ONLY: "short@1" });
		await Promise.race([spoilLedger(folder), ended]);
		const { code, said } = await ended;
		expect({ code, said }).toMatchObject({ code: 1 });
		expect(said).toMatch(/^FAILED the gateway had \d+ turns, and its ledger has 1 rows$/m);
	});

	it.each(["no-command", "lean:node bench/lean.mjs"])("does not take the peer %s", async (peer) => {
		const { code, said } = await startBench(["--peer", peer], {}).ended;
		expect({ code, said }).toEqual({ code: 2, said: `a peer is given as name:command, not as "${peer}"\n` });
	});
});
