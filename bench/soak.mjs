// `npm run soak`: mixed load over all three APIs with tools, hang-ups, slow readers, bad requests and upstream faults.
// Every response is checked. Between rounds everything comes to rest and is measured. Growth, or a wrong response, is
// exit code 1.
//   --seconds 600   how long it runs
//   --clients 12    how many clients send requests at once
//   --seed 1        which requests they choose
import { parseArgs } from "node:util";
import { buildGateway, builtGateway } from "./participants.mjs";
import { stop, stopAll } from "./processes.mjs";
import { chooseAct, plain, wireFault } from "./soak/acts.mjs";
import { growthIn, slopeOf } from "./soak/growth.mjs";
import { HttpClient } from "./soak/http-client.mjs";
import { SILENT_FAULTS, startSystem, WIRE_FAULTS } from "./soak/system.mjs";

const KEYS = 4;
const FEWEST_ROUNDS = 2;
const MOST_ROUNDS = 20;
const SHORTEST_ROUND_SECONDS = 4;
const WARM_UP_SHARE = 0.2;
const MOST_WRONG = 20;
const TURNS_AFTER_A_FAULT = 2;

const { values } = parseArgs({
	options: {
		seconds: { type: "string", default: "600" },
		clients: { type: "string", default: "12" },
		seed: { type: "string", default: "1" },
	},
});
const [seconds, clients, seed] = [values.seconds, values.clients, values.seed].map(Number);
if (!(seconds >= 10) || !(clients >= 1) || !Number.isInteger(seed)) {
	console.error("--seconds takes 10 or more, --clients 1 or more, --seed a whole number");
	process.exit(2);
}

const counts = {};
const wrong = [];

/** Mulberry32: the same seed makes every client choose the same requests. */
function randomFrom(start) {
	let state = start >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** One client that acts until the round is over. */
async function clientLoop(system, random, until) {
	const client = new HttpClient(system.port);
	while (Date.now() < until && wrong.length < MOST_WRONG) {
		const [name, { run }] = chooseAct(random);
		const key = system.clientKeys[Math.floor(random() * system.clientKeys.length)];
		await tried(name, () => run({ client, key, leaverKey: system.leaverKey, random }));
	}
	client.hangUp();
}

/** Faults of the wire, one after the other. After each of them the gateway has to work as before. */
async function faultRound(system, random) {
	const client = new HttpClient(system.port);
	const act = { client, key: system.clientKeys[0], random };
	for (const fault of WIRE_FAULTS) {
		await tried("wire fault", () => wireFault(act, () => system.emulator.arm([fault])), fault);
		await system.emulator.arm([]);
		for (let turn = 0; turn < TURNS_AFTER_A_FAULT; turn++) await tried("turn after a fault", () => plain(act), fault);
	}
	client.hangUp();
}

async function tried(name, act, detail = "") {
	counts[name] = (counts[name] ?? 0) + 1;
	try {
		await act();
	} catch (error) {
		wrong.push(`${name} ${detail}: ${error.message}`);
	}
}

function print(label, measured) {
	const { rssMegabytes, heapMegabytes, descriptors, handles, upstreamStreams, resources } = measured;
	const kinds = Object.entries(resources).map(([name, count]) => `${name} ${count}`);
	console.log(
		`${label.padEnd(8)} ${(measured.minutes * 60).toFixed(0).padStart(4)} s  RSS ${rssMegabytes.toFixed(1)} MB  ` +
			`heap ${heapMegabytes.toFixed(1)} MB  descriptors ${descriptors}  handles ${handles}  ` +
			`upstream streams ${upstreamStreams}  (${kinds.join(", ")})`,
	);
}

async function load(system) {
	const started = Date.now();
	const minutes = () => (Date.now() - started) / 60_000;
	const randoms = Array.from({ length: clients }, (_, at) => randomFrom(seed * 1000 + at));
	const round = async (length) => {
		await system.emulator.arm(SILENT_FAULTS);
		const until = Date.now() + length * 1000;
		await Promise.all(randoms.map((random) => clientLoop(system, random, until)));
		await faultRound(system, randoms[0]);
		await system.rest();
	};
	await round(seconds * WARM_UP_SHARE);
	const measurements = [await system.measure(minutes())];
	print("start", measurements[0]);
	const length = Math.max(SHORTEST_ROUND_SECONDS, (seconds * (1 - WARM_UP_SHARE)) / MOST_ROUNDS);
	while ((measurements.length <= FEWEST_ROUNDS || minutes() * 60 < seconds) && wrong.length < MOST_WRONG) {
		await round(length);
		measurements.push(await system.measure(minutes()));
	}
	print("middle", measurements[measurements.length >> 1]);
	print("end", measurements.at(-1));
	return measurements;
}

function report(measurements, system) {
	const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
	const each = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
	console.log(`${total} acts, ${wrong.length} wrong: ${each.join(", ")}`);
	for (const [name, field] of [
		["RSS", "rssMegabytes"],
		["heap", "heapMegabytes"],
	]) {
		const { slope, error } = slopeOf(measurements.map((measured) => ({ x: measured.minutes, y: measured[field] })));
		const each = measurements.map((measured) => measured[field].toFixed(0)).join(" ");
		console.log(`${name} at rest, MB: ${each}; slope ${slope.toFixed(2)} ± ${error.toFixed(2)} MB a minute`);
	}
	const problems = [...wrong.map((what) => `wrong response to ${what}`), ...growthIn(measurements)];
	if (system.gateway.exitCode !== null) problems.push(`the gateway ended: ${system.gateway.exitCode}`);
	if (system.gateway.errors !== "") problems.push(`the gateway said: ${system.gateway.errors}`);
	for (const problem of problems) console.error(`FAILED ${problem}`);
	return problems.length;
}

let program = process.env.CURSORWIRE_TEST_PROGRAM;
if (program === undefined) {
	await buildGateway();
	program = builtGateway;
}
let problems = 1;
try {
	const system = await startSystem(program);
	await system.makeKeys(KEYS);
	problems = report(await load(system), system);
	await stop(system.gateway);
} finally {
	await stopAll();
}
process.exit(problems === 0 ? 0 : 1);
