import { setTimeout as sleep } from "node:timers/promises";
import { DELTA_CHARACTERS, replyDeltas } from "../replies.mjs";
import { chatRequest, SseClient } from "../sse-client.mjs";
import { microseconds } from "../wire.mjs";
import { Faults, quantile, userMessage } from "./figures.mjs";
import { tell } from "./parent.mjs";

const DRAIN_MILLISECONDS = 8000;
/** Limits how often a gateway that refuses at once is asked. */
const MOST_FAULTS = 100;

/**
 * Clients that send the next request right after each reply, for a fixed time. The warm-up is not counted. `begin` is
 * called at the start of the measured time.
 */
export async function closedLoop(job, begin = () => {}) {
	const { clients, seconds, warmup, deltas, paced, ...target } = job;
	const counted = { replies: 0, characters: 0, first: [], latency: [] };
	const faults = new Faults();
	let measuring = false;
	let over = false;
	const listen = {
		expected: paced ? null : replyDeltas(deltas).join(""),
		onText: (characters) => {
			if (measuring) counted.characters += characters;
		},
		onStamp: (latency) => {
			if (measuring) counted.latency.push(latency);
		},
	};
	const missing = ({ characters }) =>
		paced && characters !== deltas * DELTA_CHARACTERS ? `${characters} characters arrived` : "";
	const connections = Array.from({ length: clients }, () => new SseClient(target.port));
	const loops = connections.map(async (client, index) => {
		const messages = [userMessage(`Question of client ${index}`)];
		const request = chatRequest(target, { stream: true, messages }, index);
		while (!over && faults.errors <= MOST_FAULTS) {
			const reply = await client.ask(request, listen);
			const fault = reply.error || missing(reply);
			faults.add(fault);
			if (fault !== "" || !measuring) continue;
			counted.replies++;
			counted.first.push(reply.first);
		}
	});
	await sleep(warmup * 1000);
	tell("measure");
	begin();
	measuring = true;
	const started = microseconds();
	await sleep(seconds * 1000);
	measuring = false;
	const took = (microseconds() - started) / 1e6;
	tell("measured");
	over = true;
	const drained = await Promise.race([Promise.all(loops).then(() => true), sleep(DRAIN_MILLISECONDS, false)]);
	if (!drained) faults.add("a reply did not end");
	for (const client of connections) client.close();
	return {
		seconds: took,
		replies: counted.replies,
		deltas: counted.characters / DELTA_CHARACTERS,
		first: quantile(counted.first, 0.5),
		firstP99: quantile(counted.first, 0.99),
		latency: quantile(counted.latency, 0.99),
		...faults.result,
	};
}
