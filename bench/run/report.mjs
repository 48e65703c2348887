// What the benchmark prints, and the file with the raw figures.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { markdown, median, verdict } from "../table.mjs";

const NOISE_CORES = 0.2;

export function report(rows, session, { repetitions, peers, json }, ledger) {
	const cores = cpus();
	const date = new Date().toISOString().slice(0, 10);
	const machine = `Node ${process.version}, ${cores.length} × ${cores[0]?.model.trim()}`;
	console.log(
		`\n${markdown(
			rows,
			peers.map(({ name }) => name),
		)}\n`,
	);
	console.log(`${date}, ${machine},`);
	console.log(`${repetitions} interleaved repetitions, medians of the ratios of each.`);
	if (ledger) console.log(`The gateway had ${ledger.turns} turns, and its ledger has ${ledger.rows} rows.`);
	if (session.noise.length > 0) tellNoise(session.noise);
	if (session.isCutShort) console.log("The time was up before all repetitions had run.");
	for (const note of session.notes) console.error(`PEER ${note}`);
	for (const failure of session.failures) console.error(`FAILED ${failure}`);
	if (json === undefined) return;
	const { noise, notes, failures, isCutShort, scenarios } = session;
	const judged = rows.map((row) => ({ ...row, verdict: verdict(row.own ? row.gateway : row.ratio, row.target) }));
	const all = {
		date,
		machine,
		repetitions,
		peers,
		ledger,
		rows: judged,
		isCutShort,
		failures,
		notes,
		noise,
		scenarios,
	};
	writeFileSync(json, `${JSON.stringify(all, null, "\t")}\n`);
}

function tellNoise(noise) {
	const loud = noise.filter((cores) => cores > NOISE_CORES).length;
	const most = Math.max(...noise).toFixed(2);
	console.log(`Other programs used ${median(noise).toFixed(2)} cores (median; most ${most});`);
	console.log(`${loud} of ${noise.length} measurements had more than ${NOISE_CORES}.`);
}
