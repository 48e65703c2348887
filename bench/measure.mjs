// One load on one participant, with the CPU time of all processes that took part in it.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { adopt, cpuSeconds, machineBusySeconds } from "./processes.mjs";

const LIMIT_MILLISECONDS = 60_000;
const load = fileURLToPath(new URL("load.mjs", import.meta.url));

/** Runs the job. Returns what the load reports, the participant's CPU time, and the cores that other programs used. */
export function measure(job, participant, upstream) {
	const target = { port: participant.port, model: participant.model, keys: participant.keys };
	const child = adopt(
		fork(load, [JSON.stringify({ ...target, ...job })], { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
	);
	const sample = () => ({
		at: performance.now(),
		own: cpuSeconds(participant.pid),
		ours: [participant.pid, upstream.pid, child.pid, process.pid].reduce((sum, pid) => sum + cpuSeconds(pid), 0),
		machine: machineBusySeconds(),
	});
	return new Promise((resolve) => {
		let before;
		let after;
		let result = { errors: 1, error: "the load did not finish" };
		const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLISECONDS);
		child.on("message", (message) => {
			try {
				if (message.event === "measure") before = sample();
				if (message.event === "measured") after = sample();
			} catch {
				result = { errors: 1, error: `${participant.name} has ended` };
			}
			if (message.event === "result") result = message.result;
		});
		child.once("exit", () => {
			clearTimeout(limit);
			if (!before || !after) return resolve({ ...result, cpu: Number.NaN, foreign: Number.NaN });
			const cpu = after.own - before.own;
			const foreign = after.machine - before.machine - (after.ours - before.ours);
			resolve({ ...result, cpu, foreign: foreign / ((after.at - before.at) / 1000) });
		});
	});
}
