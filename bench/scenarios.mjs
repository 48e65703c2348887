// What is measured: the upstream's reply, the load, and the rows of the table for it.

const perSecond = (key) => (run) => run[key] / run.seconds;
const cpuPer = (key) => (run) => (run.cpu / run[key]) * 1e6;
const cpuEach = (run, job) => (run.cpu / job.count) * 1000;
const milliseconds = (key) => (run) => run[key] / 1000;

const atLeast = (limit) => ({ atLeast: limit });
const atMost = (limit) => ({ atMost: limit });

const turnsPerSecond = (label, target) => ({ label: `short turns/s, ${label}`, value: perSecond("replies"), target });
const cpuPerTurn = (label) => ({ label: `CPU per short turn, ${label}, µs`, value: cpuPer("replies") });
const deltasPerSecond = (label, target) => ({ label: `deltas/s, ${label}`, value: perSecond("deltas"), target });
const cpuPerDelta = (label) => ({ label: `CPU per delta, ${label}, µs`, value: cpuPer("deltas"), digits: 2 });

const loop = (clients, deltas, seconds, warmup, more = {}) => ({
	kind: "closedLoop",
	clients,
	deltas,
	seconds,
	warmup,
	...more,
});

/**
 * `rows[].value` reads the value from one measurement; the ratio of a row is gateway over lean. `minus: "direct"` first
 * subtracts the upstream's own time from both. `own` rows judge the gateway's value itself. `--quick` runs only those with
 * `quick`.
 */
export const SCENARIOS = [
	{
		id: "short@1",
		quick: true,
		reply: { mode: "burst", deltas: 20 },
		job: loop(1, 20, 2, 0.5),
		direct: true,
		rows: [
			turnsPerSecond("1 client", atLeast(0.67)),
			cpuPerTurn("1 client"),
			{
				label: "added time to first token, ms",
				value: milliseconds("first"),
				minus: "direct",
				target: atMost(3),
				digits: 2,
			},
		],
	},
	{
		id: "short@32",
		quick: true,
		reply: { mode: "burst", deltas: 20 },
		job: loop(32, 20, 2, 0.5),
		rows: [turnsPerSecond("32 clients", atLeast(0.5)), cpuPerTurn("32 clients")],
	},
	...[1, 32, 256].map((streams) => ({
		id: `frame@${streams}`,
		quick: streams === 32,
		reply: { mode: "frame", deltas: 500 },
		job: loop(streams, 500, streams > 32 ? 3 : 2, streams > 32 ? 1 : 0.5),
		rows: [
			deltasPerSecond(
				`one per frame, ${streams} stream${streams > 1 ? "s" : ""}`,
				streams > 1 ? atLeast(0.7) : undefined,
			),
			cpuPerDelta(`one per frame, ${streams} stream${streams > 1 ? "s" : ""}`),
		],
	})),
	{
		id: "burst@32",
		quick: true,
		reply: { mode: "burst", deltas: 2000 },
		job: loop(32, 2000, 2, 0.5),
		rows: [deltasPerSecond("burst, 32 streams", atLeast(0.65)), cpuPerDelta("burst, 32 streams")],
	},
	{
		id: "paced@256",
		reply: { mode: "paced", deltas: 100 },
		job: loop(256, 100, 3, 1, { paced: true }),
		rows: [
			{ label: "delta latency p99, 50/s × 256, ms", value: milliseconds("latency"), target: atMost(2), digits: 2 },
			cpuPerDelta("50/s × 256"),
		],
	},
	{
		id: "tool",
		quick: true,
		reply: { mode: "tool", deltas: 1 },
		job: { kind: "conversations", warmups: 10, count: 30, turns: 8, resultSize: 1000 },
		rows: [
			{ label: "tool result into its parked run, ms", value: milliseconds("intoRun"), target: atMost(3), digits: 2 },
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
		reply: { mode: "burst", deltas: 20 },
		job: { kind: "prompts", size: 1_000_000, count: 12, deltas: 20 },
		rows: [
			{ label: "1 MB prompt to first token, ms", value: milliseconds("first"), target: atMost(2.5) },
			{ label: "CPU per 1 MB prompt, ms", value: cpuEach },
		],
	},
	{
		id: "result",
		reply: { mode: "tool", deltas: 1 },
		job: { kind: "conversations", warmups: 1, count: 3, turns: 1, resultSize: 10_000_000 },
		rows: [
			{ label: "10 MB tool result to next token, ms", value: milliseconds("first"), target: atMost(2.5) },
			{ label: "CPU per 10 MB tool result, ms", value: cpuEach },
		],
	},
	{
		id: "turns",
		reply: { mode: "tool", deltas: 1 },
		job: { kind: "conversations", warmups: 0, count: 1, turns: 200, resultSize: 2000 },
		rows: [
			{
				label: "200 turns: last 20 over first 20, time",
				value: (run) => run.late / run.early,
				own: true,
				target: atMost(1.5),
				digits: 2,
			},
			{ label: "200 turns: last 20, ms each", value: milliseconds("late"), digits: 2 },
			{ label: "200 turns: MB sent upstream", value: (run) => run.bytesIn / 1e6, target: atMost(1.5), digits: 2 },
			{ label: "200 turns: runs", value: (run) => run.runs, own: true, target: atMost(1), digits: 0 },
		],
	},
];
