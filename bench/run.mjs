// `npm run bench`: the gateway against the lean limit path and peers, interleaved in one run. See docs/performance.md.
//   --quick         fewer scenarios and repetitions, under two minutes
//   --json file     writes all raw figures into this file
//   --peer name:command  another gateway; may be given several times
//   PEER=name:command    the same; several are separated by semicolons
//   REPS=5          repetitions of every scenario
//   ONLY=short      comma-separated starts of scenario names, such as short, frame@32, stall or start
//   WINDOW=0.5      seconds of each measured load, to try out the benchmark itself
//   GATEWAY=file    a gateway that is already built, instead of this checkout's
//   PROFILE=folder  writes a CPU profile per start of the gateway into this folder
import { buildGateway, prepareGateway, startUpstream } from "./participants.mjs";
import { stop, stopAll } from "./processes.mjs";
import { readOptionsOrExit } from "./run/options.mjs";
import { report } from "./run/report.mjs";
import { rowsOf } from "./run/rows.mjs";
import { Session } from "./run/session.mjs";
import { measureStart } from "./run/start-up.mjs";
import { FRESH_SCENARIOS, SCENARIOS } from "./scenarios.mjs";

const options = readOptionsOrExit();
const rows = [];

if (!process.env.GATEWAY) await buildGateway();
const upstream = await startUpstream();
const login = await prepareGateway(upstream);
process.on("exit", login.removeNow);
const session = new Session(upstream, login, options);

async function runEach(scenarios, run) {
	for (const scenario of scenarios.filter(options.isWanted)) {
		if (session.failures.length > 0) return;
		console.error(`${scenario.id} …`);
		rows.push(...rowsOf(scenario, await run(scenario)));
	}
}

async function runLasting() {
	if (!SCENARIOS.some(options.isWanted)) return;
	const team = await session.startAll();
	await runEach(SCENARIOS, (scenario) => session.run(scenario, team));
	// Two gateways would share one data folder.
	await Promise.all(team.filter(({ child }) => child).map(({ child }) => stop(child)));
}

async function runStart() {
	if (session.failures.length > 0 || !options.isWanted({ id: "start", quick: true })) return;
	console.error("start …");
	const start = await measureStart(upstream, login);
	session.scenarios.push({ id: "start", repetitions: start.repetitions });
	rows.push(...start.rows);
}

try {
	await runLasting();
	await runEach(FRESH_SCENARIOS, (scenario) => session.runFresh(scenario));
	await runStart();
	report(rows, session, options, session.checkLedger());
} finally {
	await stopAll();
}
process.exit(session.failures.length > 0 ? 1 : 0);
