import { prose, replyDeltas } from "../replies.mjs";
import { chatRequest, SseClient } from "../sse-client.mjs";
import { Faults, quantile, userMessage } from "./figures.mjs";
import { tell } from "./parent.mjs";

/** The same long prompt a few times, one after another. */
export async function prompts({ size, count, deltas, ...target }) {
	const client = new SseClient(target.port);
	const expected = replyDeltas(deltas).join("");
	const request = chatRequest(target, { stream: true, messages: [userMessage(prose(size))] });
	const first = [];
	const faults = new Faults();
	await client.ask(request, { expected });
	tell("measure");
	for (let index = 0; index < count; index++) {
		const reply = await client.ask(request, { expected });
		first.push(reply.first);
		faults.add(reply.error);
	}
	tell("measured");
	client.close();
	return { ...faults.result, first: quantile(first, 0.5) };
}
