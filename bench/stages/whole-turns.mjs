// Short turns through a relay, each in processes of its own: what a turn makes and allocates, and the CPU time it takes.
import { fileURLToPath } from "node:url";
import { measure } from "../measure.mjs";
import { message, stop } from "../processes.mjs";
import { replyDeltas } from "../replies.mjs";
import { chatRequest, SseClient } from "../sse-client.mjs";
import { median } from "../table.mjs";
import { allocationTable } from "./allocation-places.mjs";

export const SHORT_REPLY = { mode: "burst", deltas: 20 };
const CLIENTS = 8;
const COUNTED_TURNS = 400;
/** The bytes of so many turns are counted so many times, because V8 does something of its own in between. */
const WEIGHED_TURNS = 1_000;
const WEIGHINGS = 5;
/** No turn may be collected while its bytes are counted, so the young generation takes all of them. */
const ROOMY = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];

export const COUNTER = [...ROOMY, "--import", fileURLToPath(new URL("turn-counter.mjs", import.meta.url))];
/** A turn runs through so much code that it takes some ten thousand of them until all of it is compiled. */
const WARM_UP_TURNS = 20_000;
const CPU_JOB = { kind: "closedLoop", clients: 32, deltas: SHORT_REPLY.deltas, seconds: 4, warmup: 10 };

/** Has so many turns on a few connections. Throws at a reply that is not what the upstream sent. */
async function haveTurns(relay, count) {
	const expected = replyDeltas(SHORT_REPLY.deltas).join("");
	let left = count;
	const talk = async (client, index) => {
		const body = { stream: true, messages: [{ role: "user", content: `Question of client ${index}` }] };
		const request = chatRequest(relay, body, index);
		while (left-- > 0) {
			const { error } = await client.ask(request, { expected });
			if (error !== "") throw new Error(error);
		}
	};
	const clients = Array.from({ length: CLIENTS }, () => new SseClient(relay.port));
	try {
		await Promise.all(clients.map(talk));
	} finally {
		for (const client of clients) client.close();
	}
}

async function order(child, text) {
	const reply = message(child);
	child.send(text);
	return reply;
}

/** What one turn makes. The relay was started with `COUNTER`. Returns the turns it had, for the ledger. */
export async function countTurn(relay) {
	await haveTurns(relay, WARM_UP_TURNS);
	// Before anything is counted, because the hooks that count make V8 give up compiled code.
	const weighed = [];
	for (let time = 0; time < WEIGHINGS; time++) weighed.push(await bytesOfTurns(relay));
	await order(relay.child, "objects");
	await haveTurns(relay, COUNTED_TURNS);
	const { objects } = await order(relay.child, "objectsMade");
	await order(relay.child, "count");
	await haveTurns(relay, COUNTED_TURNS);
	const counted = await order(relay.child, "counted");
	const perTurn = Object.entries({ objects, ...counted }).map(([name, value]) => [name, value / COUNTED_TURNS]);
	return {
		...Object.fromEntries(perTurn),
		kilobytes: median(weighed) / 1024,
		turns: WARM_UP_TURNS + WEIGHINGS * WEIGHED_TURNS + 2 * COUNTED_TURNS,
	};
}

async function bytesOfTurns(relay) {
	await order(relay.child, "bytes");
	await haveTurns(relay, WEIGHED_TURNS);
	const { bytes, collections } = await order(relay.child, "allocated");
	if (collections > 0) throw new Error("garbage was collected while allocations were counted");
	return bytes / WEIGHED_TURNS;
}

/** What each function allocates in a turn, as lines of text. The relay was started with `COUNTER` and `PLAIN_CODE`. */
export async function allocationsOfTurn(relay) {
	await haveTurns(relay, WARM_UP_TURNS);
	await order(relay.child, "objects");
	await haveTurns(relay, COUNTED_TURNS);
	return allocationTable(await order(relay.child, "places"), COUNTED_TURNS);
}

/** CPU microseconds of a turn, with 32 clients. The relay was started as usual. */
export async function timeTurn(relay, upstream) {
	const { cpu, replies, errors, error, asked } = await measure(CPU_JOB, relay, upstream);
	if (errors > 0) throw new Error(error);
	return { microseconds: (cpu / replies) * 1e6, turns: asked };
}

export const end = ({ child }) => stop(child);
