// `npm run bench`: the gateway against the lean limit path, interleaved in one run. See docs/performance.md.
//   --quick      fewer scenarios and repetitions, under two minutes
//   REPS=5       repetitions of every scenario
//   ONLY=short   comma-separated starts of scenario names: short frame burst paced tool prompt result turns parked
//   PROFILE=folder  writes a CPU profile per start of the gateway into this folder
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { measure } from "./measure.mjs";
import {
	buildGateway,
	prepareGateway,
	startGateway,
	startLean,
	startRoomyGateway,
	startUpstream,
} from "./participants.mjs";
import { cpuSeconds, rssKilobytes, stop, stopAll } from "./processes.mjs";
import { SCENARIOS } from "./scenarios.mjs";
import { markdown, median } from "./table.mjs";

const NOISE_CORES = 0.2;
const PARKED = 1000;
const WARM_UP = {
	id: "warm-up",
	reply: { mode: "burst", deltas: 20 },
	job: { kind: "closedLoop", clients: 16, deltas: 20, seconds: 2.5, warmup: 0 },
};
const quick = process.argv.includes("--quick");
const repetitions = Number(process.env.REPS ?? (quick ? 2 : 5));
const only = process.env.ONLY?.split(",");
const stopAfter = performance.now() + (quick ? 85 : 520) * 1000;
const wanted = (id, inQuick) => (only ? only.some((start) => id.startsWith(start)) : !quick || inQuick);

const rows = [];
const failures = [];
const noise = [];
let isCutShort = false;

/** A measurement with the upstream's counters. A reply that is not complete fails the whole benchmark. */
async function runOnce(scenario, participant, upstream) {
	await upstream.set(scenario.reply);
	const before = await upstream.counters();
	const run = await measure(scenario.job, participant, upstream);
	const after = await upstream.counters();
	if (Number.isFinite(run.foreign)) noise.push(run.foreign);
	if (run.errors > 0) failures.push(`${scenario.id}, ${participant.name}: ${run.errors} bad replies: ${run.error}`);
	return { ...run, runs: after.runs - before.runs, bytesIn: after.bytesIn - before.bytesIn };
}

async function runScenario(scenario, lean, gateway, upstream) {
	const pairs = [];
	for (let repetition = 0; repetition < repetitions; repetition++) {
		isCutShort ||= performance.now() > stopAfter;
		if (isCutShort) break;
		const pair = { direct: undefined };
		const direct = { name: "direct", pid: upstream.pid, port: upstream.port };
		if (scenario.direct) {
			await upstream.set(scenario.reply);
			pair.direct = await measure({ ...scenario.job, kind: "direct" }, direct, upstream);
		}
		const order = repetition % 2 === 0 ? [lean, gateway] : [gateway, lean];
		for (const participant of order) pair[participant.name] = await runOnce(scenario, participant, upstream);
		pairs.push(pair);
		if (failures.length > 0) break;
	}
	for (const row of scenario.rows) rows.push(toRow(row, scenario.job, pairs));
}

function toRow(row, job, pairs) {
	const values = pairs.map((pair) => {
		const base = row.minus ? row.value(pair[row.minus], job) : 0;
		return { lean: row.value(pair.lean, job) - base, gateway: row.value(pair.gateway, job) - base };
	});
	return {
		...row,
		lean: median(values.map((value) => value.lean)),
		gateway: median(values.map((value) => value.gateway)),
		ratio: median(values.map((value) => value.gateway / value.lean)),
	};
}

/** RSS after garbage collection, because the garbage of a load would hide the memory of parked runs. */
async function settledKilobytes({ pid }) {
	for (let round = 0; round < 2; round++) {
		await sleep(700);
		process.kill(pid, "SIGUSR2");
	}
	await sleep(700);
	return rssKilobytes(pid);
}

/** Memory is measured in new processes, after a warm-up and before any load. */
async function parked(participant, upstream) {
	const idle = rssKilobytes(participant.pid);
	await runOnce(WARM_UP, participant, upstream);
	const before = await settledKilobytes(participant);
	const open = (await upstream.counters()).open;
	await upstream.set({ mode: "tool", deltas: 1 });
	const run = await measure({ kind: "park", count: PARKED }, participant, upstream);
	await sleep(1500);
	const held = (await upstream.counters()).open - open;
	if (run.errors > 0) failures.push(`parked, ${participant.name}: ${run.errors} bad replies: ${run.error}`);
	if (held < PARKED) failures.push(`parked, ${participant.name}: ${held} of ${PARKED} runs are held`);
	const kilobytes = ((await settledKilobytes(participant)) - before) / Math.max(1, held);
	const cpu = cpuSeconds(participant.pid);
	await sleep(2000);
	return { idle: idle / 1024, kilobytes, cpu: ((cpuSeconds(participant.pid) - cpu) / 2) * 100 };
}

async function runParked(upstream, login) {
	const lean = await startLean(upstream);
	const ofLean = await parked(lean, upstream);
	await stop(lean.child);
	const product = await startGateway(login);
	const startCpu = cpuSeconds(product.pid) * 1000;
	await sleep(1000);
	const idle = rssKilobytes(product.pid) / 1024;
	await stop(product.child);
	const gateway = await startRoomyGateway(login, PARKED);
	const ofGateway = { ...(await parked(gateway, upstream)), idle };
	await stop(gateway.child);
	const row = (label, key, target) => ({ label, lean: ofLean[key], gateway: ofGateway[key], own: true, target });
	rows.push(
		{ ...row(`memory per parked session, ${PARKED}, KB`, "kilobytes", { atMost: 40 }) },
		{ ...row(`CPU with ${PARKED} parked, % of a core`, "cpu") },
		{ ...row("idle RSS, MB", "idle", { atMost: 110 }), digits: 0 },
		{
			label: "start to listening, ms",
			gateway: product.startMilliseconds,
			own: true,
			target: { atMost: 500 },
			digits: 0,
		},
		{ label: "CPU until it listens, ms", gateway: startCpu, own: true, digits: 0 },
	);
}

function report() {
	const loud = noise.filter((cores) => cores > NOISE_CORES).length;
	const cores = cpus();
	console.log(`\n${markdown(rows)}\n`);
	console.log(
		`${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cores.length} × ${cores[0]?.model.trim()},`,
	);
	console.log(`${repetitions} interleaved repetitions, medians of the ratios of each.`);
	if (noise.length > 0) {
		const most = Math.max(...noise).toFixed(2);
		console.log(`Other programs used ${median(noise).toFixed(2)} cores (median; most ${most});`);
		console.log(`${loud} of ${noise.length} measurements had more than ${NOISE_CORES}.`);
	}
	if (isCutShort) console.log("The time was up before all repetitions had run.");
	for (const failure of failures) console.error(`FAILED ${failure}`);
}

await buildGateway();
const upstream = await startUpstream();
const login = await prepareGateway(upstream);
process.on("exit", login.removeNow);
try {
	const lean = await startLean(upstream);
	const gateway = await startGateway(login);
	for (const participant of [lean, gateway]) await runOnce(WARM_UP, participant, upstream);
	for (const scenario of SCENARIOS) {
		if (!wanted(scenario.id, scenario.quick) || failures.length > 0) continue;
		console.error(`${scenario.id} …`);
		await runScenario(scenario, lean, gateway, upstream);
	}
	await Promise.all([lean, gateway].map((participant) => stop(participant.child)));
	if (wanted("parked", true) && failures.length === 0) {
		console.error("parked …");
		await runParked(upstream, login);
	}
	report();
} finally {
	await stopAll();
}
process.exit(failures.length > 0 ? 1 : 0);
