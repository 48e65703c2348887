// One load on one participant, with the CPU time of all processes that took part in it.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { adopt } from "./processes.mjs";
import { Observer } from "./run/observer.mjs";

const LIMIT_MILLISECONDS = 60_000;
const load = fileURLToPath(new URL("load.mjs", import.meta.url));

/** Runs the job. Returns what the load reports, the participant's CPU time, and the cores that other programs used. */
export function measure(job, participant, upstream) {
	const { port, model, keys, metricsKey, ownerKey, headers } = participant;
	const child = adopt(
		fork(load, [JSON.stringify({ port, model, keys, metricsKey, ownerKey, headers, ...job })], {
			stdio: ["ignore", "inherit", "inherit", "ipc"],
		}),
	);
	const observer = new Observer(participant, upstream, child);
	return new Promise((resolve) => {
		let result = { errors: 1, error: "the load did not finish" };
		const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLISECONDS);
		child.on("message", async ({ event, isQuestion, ...details }) => {
			if (event === "result") {
				result = details.result;
				return;
			}
			try {
				const answer = await observer[event](details);
				if (isQuestion && child.connected) child.send({ answer }, () => {});
			} catch {
				result = { errors: 1, error: `${participant.name} has ended` };
				child.kill("SIGKILL");
			}
		});
		child.once("exit", () => {
			clearTimeout(limit);
			observer.close();
			resolve({ ...result, ...observer.figures() });
		});
	});
}
