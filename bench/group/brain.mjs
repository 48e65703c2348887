import { setTimeout as sleep } from "node:timers/promises";

export const DELTAS = 400;
export const DELTA = "a delta of 24 characters";

/**
 * Calls the tool `step` for ever: one run, whatever number of results it gets. Asked to speak, it calls the tool once and
 * then says deltas, one by one or all at once.
 */
export default async function* brain({ prompt }) {
	const isSlow = prompt === "one by one";
	if (isSlow || prompt === "all at once") {
		yield { calls: [{ name: "step", arguments: { n: 1 } }] };
		for (let n = 0; n < DELTAS; n++) {
			yield { text: DELTA };
			if (isSlow) await sleep(5);
		}
		return;
	}
	for (let n = 1; ; n++) yield { calls: [{ name: "step", arguments: { n } }] };
}
