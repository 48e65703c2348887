// Clients and runs that stand still, for the memory that each of them takes.
import { chatRequest, SseClient } from "../sse-client.mjs";
import { Faults, TOOLS, userMessage } from "./figures.mjs";
import { ask } from "./parent.mjs";

const WORKERS = 16;
const AT_ONCE = 25;

/** Memory, and CPU without any load, while the upstream has `count` more runs than before. */
async function whileHeld(count, faults) {
	const held = await ask("held", { count });
	if (held < count) faults.add(`${held} of ${count} runs are held`);
	return { ...(await ask("grown")), held };
}

/** Replies that end with a tool call. The clients leave, and the runs stay parked. */
export async function park({ count, ...target }) {
	const faults = new Faults();
	await ask("settle");
	let next = 0;
	const worker = async () => {
		const client = new SseClient(target.port);
		while (next < count) {
			const messages = [userMessage(`Parked conversation ${next++}`)];
			const reply = await client.ask(chatRequest(target, { stream: true, tools: TOOLS, messages }));
			faults.add(reply.error || (reply.callId === "" ? "the reply has no tool call" : ""));
		}
		client.close();
	};
	await Promise.all(Array.from({ length: WORKERS }, worker));
	return { ...(await whileHeld(count, faults)), ...faults.result };
}

/** Clients that wait for the first token of their reply. They come a few at a time, as the runs of those before begin. */
export async function wait({ count, ...target }) {
	const faults = new Faults();
	await ask("settle");
	const clients = [];
	let isOver = false;
	let held = 0;
	while (clients.length < count && held === clients.length) {
		for (let index = clients.length; index < Math.min(count, held + AT_ONCE); index++) {
			const client = new SseClient(target.port);
			clients.push(client);
			const messages = [userMessage(`Waiting client ${index}`)];
			client.ask(chatRequest(target, { stream: true, messages }, index)).then(({ error }) => {
				if (!isOver) faults.add(error);
			});
		}
		held = await ask("held", { count: clients.length });
	}
	const figures = await whileHeld(count, faults);
	isOver = true;
	for (const client of clients) client.close();
	return { ...figures, ...faults.result };
}
