// What is measured: the upstream's reply, the load, and the rows of the table for it.

const perSecond = (key) => (run) => run[key] / run.seconds;
const cpuPer = (key) => (run) => (run.cpu / run[key]) * 1e6;
const cpuEach = (run, job) => (run.cpu / job.count) * 1000;
// A figure that was not measured arrives as null.
const milliseconds = (key) => (run) => (run[key] ?? Number.NaN) / 1000;
const kilobytesEach = (run) => run.kilobytes / Math.max(1, run.held);

/** `floor` is the least that is good enough until the limit is reached. */
const atLeast = (limit, floor) => ({ atLeast: limit, ...(floor && { floor }) });
const atMost = (limit) => ({ atMost: limit });

const turnsPerSecond = (label, target) => ({ label: `short turns/s, ${label}`, value: perSecond("replies"), target });
const cpuPerTurn = (label, target) => ({ label: `CPU per short turn, ${label}, µs`, value: cpuPer("replies"), target });
const deltasPerSecond = (label, target) => ({ label: `deltas/s, ${label}`, value: perSecond("deltas"), target });
const cpuPerDelta = (label) => ({ label: `CPU per delta, ${label}, µs`, value: cpuPer("deltas"), digits: 2 });
const time = (label, key, target) => ({ label: `${label}, ms`, value: milliseconds(key), target, digits: 2 });

const SHORT = { mode: "burst", deltas: 20 };
const TOOL_LOOP = { mode: "tool", deltas: 1 };
const LONG_DELTAS = 100_000;
const STANDING = 1000;
const LEAVING = 64;
const STALLING = 32;
const OTHERS = 8;

const loop = (clients, deltas, seconds, warmup, more = {}) => ({
	kind: "closedLoop",
	clients,
	deltas,
	seconds,
	warmup,
	...more,
});

function frames(streams, target) {
	const label = `one per frame, ${streams} stream${streams > 1 ? "s" : ""}`;
	return {
		id: `frame@${streams}`,
		quick: streams === 32,
		isForRelays: true,
		reply: { mode: "frame", deltas: 500 },
		job: loop(streams, 500, streams > 32 ? 3 : 2, streams > 32 ? 1 : 0.5),
		rows: [deltasPerSecond(label, target), cpuPerDelta(label)],
	};
}

/** Short turns while something else goes on, which may cost 2 % of them. */
function beside(kind, what) {
	const row = (label, value, target) => ({
		label: `${label}, 32 clients, ${what}`,
		value,
		target,
		own: true,
		digits: 3,
	});
	return {
		id: kind,
		reply: SHORT,
		job: loop(32, 20, 4, 0.5, { kind }),
		rows: [
			row("short turns/s", (run) => run.kept, atLeast(0.98)),
			row("CPU per short turn", (run) => run.cost, atMost(1.02)),
		],
	};
}

/**
 * `rows[].value` reads the value from one measurement; the ratio of a row is gateway over lean. `minus: "direct"` first
 * subtracts the upstream's own time from both. `own` rows judge the gateway's value itself. `--quick` runs only those with
 * `quick`. Peers, which may only relay Chat Completions, run those with `isForRelays`.
 */
export const SCENARIOS = [
	{
		id: "short@1",
		quick: true,
		isForRelays: true,
		reply: SHORT,
		job: loop(1, 20, 2, 0.5),
		direct: true,
		rows: [
			turnsPerSecond("1 client", atLeast(0.75, 0.7)),
			cpuPerTurn("1 client"),
			time("first token, 1 client, p50", "first", atMost(1.4)),
			time("first token, 1 client, p99", "firstP99"),
			{ ...time("added time to first token", "first", atMost(3)), minus: "direct" },
		],
	},
	{
		id: "short@32",
		quick: true,
		isForRelays: true,
		reply: SHORT,
		job: loop(32, 20, 2, 0.5),
		rows: [
			turnsPerSecond("32 clients", atLeast(0.5, 0.45)),
			cpuPerTurn("32 clients", atMost(2.3)),
			time("first token, 32 clients, p50", "first"),
			time("first token, 32 clients, p99", "firstP99"),
		],
	},
	beside("scraped", "metrics read every second over not read"),
	beside("watched", "page open over no page open"),
	frames(1),
	frames(32, atLeast(0.8)),
	frames(256, atLeast(0.75)),
	{
		id: "burst@32",
		quick: true,
		isForRelays: true,
		reply: { mode: "burst", deltas: 2000 },
		job: loop(32, 2000, 2, 0.5),
		rows: [deltasPerSecond("burst, 32 streams", atLeast(0.75)), cpuPerDelta("burst, 32 streams")],
	},
	{
		id: "paced@256",
		isForRelays: true,
		reply: { mode: "paced", deltas: 100 },
		job: loop(256, 100, 3, 1, { paced: true }),
		rows: [time("delta latency p99, 50/s × 256", "latency", atMost(2)), cpuPerDelta("50/s × 256")],
	},
	{
		id: "leave",
		isForRelays: true,
		reply: { mode: "paced", deltas: 5000 },
		job: loop(OTHERS, 20, 2, 0.5, { kind: "leave", leaving: LEAVING, othersReply: SHORT }),
		rows: [
			{
				label: `upstream streams left 2 s after ${LEAVING} clients hung up`,
				value: (run) => run.left,
				own: true,
				target: atMost(0),
				digits: 0,
			},
			turnsPerSecond(`${OTHERS} clients, while ${LEAVING} hang up`),
			cpuPerTurn(`${OTHERS} clients, while ${LEAVING} hang up`),
		],
	},
	{
		id: "tool",
		quick: true,
		reply: TOOL_LOOP,
		job: { kind: "conversations", warmups: 10, count: 30, turns: 8, resultSize: 1000 },
		rows: [
			time("tool result into its parked run", "intoRun", atMost(3)),
			time("tool result into its parked run, p99", "intoRunP99"),
			{
				label: "runs per tool conversation",
				value: (run, job) => run.runs / (job.warmups + job.count),
				own: true,
				target: atMost(1),
				digits: 2,
			},
		],
	},
	{
		id: "prompt",
		quick: true,
		reply: SHORT,
		job: { kind: "prompts", size: 1_000_000, count: 12, deltas: 20 },
		rows: [
			{ label: "1 MB prompt to first token, ms", value: milliseconds("first"), target: atMost(2.5) },
			{ label: "CPU per 1 MB prompt, ms", value: cpuEach },
		],
	},
	{
		id: "result",
		reply: TOOL_LOOP,
		job: { kind: "conversations", warmups: 1, count: 3, turns: 1, resultSize: 10_000_000 },
		rows: [
			{ label: "10 MB tool result to next token, ms", value: milliseconds("first"), target: atMost(1.4) },
			{ label: "CPU per 10 MB tool result, ms", value: cpuEach },
		],
	},
	{
		id: "turns",
		reply: TOOL_LOOP,
		job: { kind: "conversations", warmups: 0, count: 1, turns: 200, resultSize: 2000 },
		rows: [
			{
				label: "200 turns: last 20 over first 20, time",
				value: (run) => run.late / run.early,
				own: true,
				target: atMost(1.5),
				digits: 2,
			},
			{ label: "200 turns: last 20, ms each", value: milliseconds("late"), target: atMost(1.4), digits: 2 },
			{ label: "200 turns: MB sent upstream", value: (run) => run.bytesIn / 1e6, target: atMost(1.5), digits: 2 },
			{ label: "200 turns: runs", value: (run) => run.runs, own: true, target: atMost(1), digits: 0 },
		],
	},
];

/** These are measured in new processes each. `settings` are the gateway's, where its limits are in the way. */
export const FRESH_SCENARIOS = [
	{
		id: "stall",
		isForRelays: true,
		reply: { mode: "burst", deltas: LONG_DELTAS },
		job: loop(OTHERS, 20, 2, 0.5, { kind: "stall", stalling: STALLING, watchSeconds: 3, othersReply: SHORT }),
		rows: [
			{
				label: `memory per client that stops reading, ${STALLING}, MB`,
				value: (run, job) => run.peakKilobytes / 1024 / job.stalling,
				own: true,
				target: atMost(1.5),
				digits: 2,
			},
			turnsPerSecond(`${OTHERS} clients, while ${STALLING} do not read`, atLeast(0.6)),
			cpuPerTurn(`${OTHERS} clients, while ${STALLING} do not read`),
		],
	},
	{
		id: "waiting",
		isForRelays: true,
		isOnce: true,
		settings: {
			CURSORWIRE_MAX_TURNS: String(STANDING),
			CURSORWIRE_MAX_TURNS_PER_KEY: String(STANDING),
			CURSORWIRE_MAX_CONNECTIONS: "4096",
		},
		reply: { mode: "silent", deltas: 1 },
		job: { kind: "wait", count: STANDING },
		rows: [
			{
				label: `memory per waiting client, ${STANDING}, KB`,
				value: kilobytesEach,
				own: true,
				target: atMost(15),
			},
		],
	},
	{
		id: "parked",
		quick: true,
		isOnce: true,
		settings: {
			CURSORWIRE_MAX_PARKED_RUNS: String(STANDING),
			CURSORWIRE_MAX_PARKED_RUNS_PER_KEY: String(STANDING),
		},
		reply: TOOL_LOOP,
		job: { kind: "park", count: STANDING },
		rows: [
			{
				label: `memory per parked session, ${STANDING}, KB`,
				value: kilobytesEach,
				own: true,
				target: atMost(15),
			},
			{ label: `CPU with ${STANDING} parked, % of a core`, value: (run) => run.idleCpu * 100, own: true },
		],
	},
];
