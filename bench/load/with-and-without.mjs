// Short turns while something else goes on at the gateway, against the same without, in turns.
import { closedLoop } from "./closed-loop.mjs";

/** Both orders, so that neither is always the warmer one. */
const ORDER = [false, true, true, false];

/**
 * `begin` starts what goes on, and returns what ends it and says what went wrong with it. Without `begin` there is nothing
 * but turns, as for lean, which has neither metrics nor a page. Resolves with a result whose `kept` is the rate with it
 * over the rate without.
 */
export async function withAndWithout(job, begin) {
	const rates = { true: 0, false: 0 };
	const results = [];
	let wrong = "";
	for (const isWith of ORDER) {
		const end = isWith ? await begin?.() : undefined;
		const result = await closedLoop({ ...job, seconds: job.seconds / 2 });
		wrong ||= end?.() ?? "";
		rates[isWith] += result.replies / result.seconds;
		results.push(result);
	}
	const failed = results.find(({ errors }) => errors > 0);
	return {
		...(failed ?? results[0]),
		kept: rates.true / rates.false,
		...(wrong !== "" && { errors: 1, error: wrong }),
	};
}
