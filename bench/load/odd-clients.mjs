// Clients that leave or stop reading in the middle of a long reply, while others have short turns.
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { chatRequest, SseClient, sent } from "../sse-client.mjs";
import { closedLoop } from "./closed-loop.mjs";
import { userMessage } from "./figures.mjs";
import { ask } from "./parent.mjs";

const FIRST_TEXT_SECONDS = 10;
const SETTLING_MS = 500;

const requestOf = (target, name, index) =>
	chatRequest(target, { stream: true, messages: [userMessage(`${name} ${index}`)] }, index);

/** Resolves as soon as each of the clients has read some text of its reply. */
async function haveText(clients) {
	const limit = performance.now() + FIRST_TEXT_SECONDS * 1000;
	while (performance.now() < limit) {
		if (clients.every((client) => client.characters > 0)) return "";
		await sleep(20);
	}
	return `only ${clients.filter((client) => client.characters > 0).length} of ${clients.length} clients got text`;
}

/** They hang up at the start of the measured time. The upstream's open runs are counted at the end of it. */
export async function leave({ leaving, othersReply, ...others }) {
	const leavers = Array.from({ length: leaving }, () => new SseClient(others.port));
	await ask("openRuns");
	for (const [index, client] of leavers.entries()) client.ask(requestOf(others, "Leaving client", index));
	const error = await haveText(leavers);
	await ask("set", { reply: othersReply });
	const result = await closedLoop(others, () => {
		for (const client of leavers) client.close();
	});
	// The streams of the others' last turns may still be closing.
	await sleep(SETTLING_MS);
	const { more } = await ask("openRuns");
	return { ...result, left: more, ...(error !== "" && { errors: 1, error }) };
}

/** They ask for a long reply and never read. Others begin after the memory was watched for some seconds. */
export async function stall({ stalling, watchSeconds, othersReply, ...others }) {
	await ask("watch");
	const sockets = Array.from({ length: stalling }, (_, index) => {
		// Without a reader, Node takes what fits into one buffer, and then nothing more.
		const socket = connect({ port: others.port, host: "127.0.0.1" });
		socket.on("error", () => {});
		socket.write(requestOf(others, "Stalled client", index));
		sent.requests++;
		return socket;
	});
	await sleep(watchSeconds * 1000);
	const peak = await ask("watched");
	await ask("set", { reply: othersReply });
	const result = await closedLoop(others);
	const heads = sockets.map((socket) => socket.read()?.toString("latin1", 0, 300) ?? "nothing");
	for (const socket of sockets) socket.destroy();
	const wrong = heads.find((head) => !head.startsWith("HTTP/1.1 200"));
	return { ...result, ...peak, ...(wrong && { errors: 1, error: `a stalled client got: ${wrong}` }) };
}
