// Short turns while something else goes on at the gateway, against the same without, in turns.
import { closedLoop } from "./closed-loop.mjs";
import { ask } from "./parent.mjs";

/** Both orders, so that neither is always the warmer one, and often, because machines become slower and faster by themselves. */
const ORDER = [false, true, true, false, true, false, false, true];

/**
 * `begin` starts what goes on, and returns what ends it and says what went wrong with it. Without `begin` there is nothing
 * but turns, as for lean, which has neither metrics nor a page. Resolves with a result whose `kept` is the rate with it
 * over the rate without, and whose `cost` is the CPU time of a turn with it over that without. Other programs on the
 * machine disturb the rates more than the CPU times.
 */
export async function withAndWithout(job, begin) {
	const rates = { true: 0, false: 0 };
	const cpus = { true: 0, false: 0 };
	const replies = { true: 0, false: 0 };
	const results = [];
	let wrong = "";
	for (const isWith of ORDER) {
		const end = isWith ? await begin?.() : undefined;
		const result = await closedLoop({ ...job, seconds: (2 * job.seconds) / ORDER.length });
		wrong ||= end?.() ?? "";
		rates[isWith] += result.replies / result.seconds;
		cpus[isWith] += (await ask("figures")).cpu;
		replies[isWith] += result.replies;
		results.push(result);
	}
	const failed = results.find(({ errors }) => errors > 0);
	return {
		...(failed ?? results[0]),
		kept: rates.true / rates.false,
		cost: cpus.true / replies.true / (cpus.false / replies.false),
		...(wrong !== "" && { errors: 1, error: wrong }),
	};
}
