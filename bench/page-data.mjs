// How long the page's answers take with a full ledger: `node --import tsx bench/page-data.mjs [rows]`, and with
// `REDIS=redis://…` (a Redis without anything else in it) instead of SQLite.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readClients } from "../packages/gateway/src/page/data/clients.ts";
import { readModels } from "../packages/gateway/src/page/data/models.ts";
import { readPlan } from "../packages/gateway/src/page/data/plan.ts";
import { readTotals } from "../packages/gateway/src/page/data/totals.ts";
import { readTurn } from "../packages/gateway/src/page/data/turn.ts";
import { readTurns } from "../packages/gateway/src/page/data/turns.ts";
import { openStore } from "../packages/gateway/src/store/open-store.ts";
import { manyRows } from "../packages/gateway/test/page/many-rows.ts";

const ROWS = Number(process.argv[2] ?? 100_000);
const REPETITIONS = 5;

const dataDir = mkdtempSync(join(tmpdir(), "cursorwire-bench-"));
const store = await openStore({ dataDir, redis: process.env.REDIS ?? "", warn: console.error });
try {
	const now = Date.now();
	for (const rows of manyRows(ROWS, now)) await store.appendLedger(rows);
	const away = () => Promise.reject(new Error("no account"));
	const parts = {
		...{ store, keys: async () => [], quota: { read: away, last: undefined }, ownAccount: away, recordings: "" },
		now: () => now,
	};
	const { rows } = await readTurns(parts, { limit: "1" });
	const answers = {
		plan: () => readPlan(parts),
		"totals of a day": () => readTotals(parts, now - 86_400_000),
		"turns, newest": () => readTurns(parts, {}),
		"turns, deep": () => readTurns(parts, { before: String(rows[0].id - Math.floor(ROWS / 2)) }),
		"turns, errors of a model": () => readTurns(parts, { error: "1", model: "model-3" }),
		turn: () => readTurn(parts, rows[0].id),
		models: () => readModels(parts),
		clients: () => readClients(parts),
		"usage of 30 days": () => store.usageSince(now - 30 * 86_400_000),
	};
	console.log(`${ROWS} rows in ${store.kind}, the middle of ${REPETITIONS}, in milliseconds`);
	console.log(`${"".padEnd(26)}${["took", "CPU", "held"].map((head) => head.padStart(10)).join("")}`);
	for (const [name, read] of Object.entries(answers)) {
		const figures = (await middle(read)).map((figure) => figure.toFixed(1).padStart(10));
		console.log(`${name.padEnd(26)}${figures.join("")}`);
	}
} finally {
	await store.close();
	rmSync(dataDir, { recursive: true });
}

/** How long it takes, how much of this process's CPU, and the longest time in which nothing else could run. */
async function middle(read) {
	const measured = [];
	for (let repetition = 0; repetition < REPETITIONS; repetition++) {
		let [last, held, isDone] = [performance.now(), 0, false];
		const watch = () => {
			const at = performance.now();
			held = Math.max(held, at - last);
			last = at;
			if (!isDone) setImmediate(watch);
		};
		setImmediate(watch);
		const [began, cpu] = [performance.now(), process.cpuUsage()];
		await read();
		const took = performance.now() - began;
		const { user, system } = process.cpuUsage(cpu);
		isDone = true;
		await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
		measured.push([took, (user + system) / 1_000, held]);
	}
	return measured.sort(([one], [other]) => one - other)[Math.floor(REPETITIONS / 2)];
}
