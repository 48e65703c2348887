// `npm run bench:stages`: what a short turn costs, as a whole and stage by stage, beside the lean path. It fails where
// the ledger does not have a row for every turn. With `--places` it lists what each function allocates instead.
import { parseArgs } from "node:util";
import { ledgerRows } from "./ledger.mjs";
import { buildGateway, prepareGateway, runStages, startGateway, startLean, startUpstream } from "./participants.mjs";
import { stopAll } from "./processes.mjs";
import { PLAIN_CODE } from "./stages/allocation-places.mjs";
import { allocationsOfTurn, COUNTER, countTurn, end, SHORT_REPLY, timeTurn } from "./stages/whole-turns.mjs";
import { grid, markdown } from "./table.mjs";

const ROWS = [
	{ key: "microseconds", label: "CPU, 32 clients, µs", target: { atMost: 2.3 } },
	{ key: "kilobytes", label: "allocated, KB", own: true, target: { atMost: 60 } },
	{ key: "objects", label: "objects" },
	{ key: "promises", label: "promises", own: true, target: { atMost: 15 } },
	{ key: "timers", label: "timers" },
	{ key: "immediates", label: "immediates" },
	{ key: "ticks", label: "next ticks" },
	{ key: "listeners", label: "listeners added" },
	{ key: "buffers", label: "Buffer.from" },
	{ key: "clocks", label: "readings of the clock" },
	{ key: "keys", label: "comparisons of keys" },
];

const STAGES = ["parse", "admit", "decode", "resolve", "plan", "open", "receive", "encode", "finish"];
const COLUMNS = ["microseconds", "bytes", "objects", "promises", "timers", "ticks", "listeners", "clocks"];

/** `plan` resolves the model once more, so what that costs is taken off it. */
function withoutResolving({ resolve, plan, ...others }) {
	if (resolve === undefined) return { plan, ...others };
	const rest = Object.entries(plan).map(([figure, value]) => [figure, value - resolve[figure]]);
	return { resolve, plan: Object.fromEntries(rest), ...others };
}

function stageTable({ lean, gateway }) {
	const ofGateway = withoutResolving(gateway);
	const figure = (value = 0) => (value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1));
	const cell = (stage, column) => {
		const leans = lean[stage]?.[column];
		return `${figure(ofGateway[stage][column])}${leans ? ` (${figure(leans)})` : ""}`;
	};
	const all = { ...Object.fromEntries(STAGES.map((stage) => [stage, COLUMNS.map((column) => cell(stage, column))])) };
	all.total = COLUMNS.map((column) => figure(STAGES.reduce((sum, stage) => sum + ofGateway[stage][column], 0)));
	const lines = [["stage", ...COLUMNS], ...Object.entries(all).map(([stage, cells]) => [stage, ...cells])];
	return grid(lines);
}

async function figuresOf(start, upstream) {
	const counted = await start({ nodeOptions: COUNTER, ipc: true });
	const counts = await countTurn(counted);
	await end(counted);
	const timed = await start({});
	const times = await timeTurn(timed, upstream);
	await end(timed);
	return { ...counts, ...times, turns: counts.turns + times.turns };
}

const { values: options } = parseArgs({ options: { places: { type: "boolean", default: false } } });
await buildGateway();
const upstream = await startUpstream();
await upstream.set(SHORT_REPLY);
const login = await prepareGateway(upstream);
process.on("exit", login.removeNow);
let missing = 0;
try {
	if (options.places) await printPlaces();
	else await printStages();
} finally {
	await stopAll();
}
process.exit(missing === 0 ? 0 : 1);

async function printPlaces() {
	const gateway = await startGateway(login, { nodeOptions: [...COUNTER, ...PLAIN_CODE], ipc: true });
	console.log(
		`One short turn (${SHORT_REPLY.deltas} deltas), bytes by function:\n\n${await allocationsOfTurn(gateway)}`,
	);
	await end(gateway);
}

async function printStages() {
	const stages = await runStages(login, COUNTER);
	console.log(
		`One short turn (${SHORT_REPLY.deltas} deltas), stage by stage without sockets (lean path in brackets):\n`,
	);
	console.log(`${stageTable(stages)}\n`);
	const lean = await figuresOf((options) => startLean(upstream, options), upstream);
	const rowsBefore = ledgerRows(login.folder);
	const gateway = await figuresOf((options) => startGateway(login, options), upstream);
	missing = gateway.turns - (ledgerRows(login.folder) - rowsBefore);
	const rows = ROWS.map((row) => {
		const [ofLean, ofGateway] = [lean[row.key], gateway[row.key]];
		return { digits: 1, ...row, lean: ofLean, gateway: ofGateway, ratio: ofGateway / ofLean };
	});
	console.log(`One short turn (${SHORT_REPLY.deltas} deltas), through sockets:\n\n${markdown(rows)}\n`);
	if (missing !== 0) console.error(`FAILED the ledger lacks ${missing} of ${gateway.turns} turns`);
}
