import { DELTA_CHARACTERS, prose } from "../replies.mjs";
import { chatRequest, SseClient } from "../sse-client.mjs";
import { Faults, quantile, TOOLS, userMessage } from "./figures.mjs";
import { tell } from "./parent.mjs";

function faultOf({ error, callId, characters }) {
	if (error !== "") return error;
	if (callId === "") return "the reply has no tool call";
	return characters === DELTA_CHARACTERS ? "" : `${characters} of ${DELTA_CHARACTERS} characters arrived`;
}

/** One conversation in which the model calls a tool in every turn. The times are those of the tool results. */
async function conversation(client, { turns, resultSize, ...target }, label) {
	const messages = [userMessage(`Conversation ${label}`)];
	const content = prose(resultSize);
	const result = { intoRun: [], first: [], error: "" };
	for (let turn = 0; turn <= turns; turn++) {
		const reply = await client.ask(chatRequest(target, { stream: true, tools: TOOLS, messages }));
		result.error = faultOf(reply);
		if (result.error !== "") break;
		if (turn > 0) {
			result.intoRun.push(reply.stamp - reply.sent);
			result.first.push(reply.first);
		}
		const call = {
			id: reply.callId,
			type: "function",
			function: { name: "bench_tool", arguments: '{"path":"src/index.ts"}' },
		};
		messages.push({ role: "assistant", content: null, tool_calls: [call] });
		messages.push({ role: "tool", tool_call_id: reply.callId, content });
	}
	return result;
}

/** Conversations one after another. */
export async function conversations({ warmups, count, ...job }) {
	const client = new SseClient(job.port);
	const all = [];
	for (let index = 0; index < warmups; index++) await conversation(client, job, `warm ${index}`);
	tell("measure");
	for (let index = 0; index < count; index++) all.push(await conversation(client, job, `${index}`));
	tell("measured");
	client.close();
	const faults = new Faults();
	for (const one of all) faults.add(one.error);
	const of = (times, share) => quantile(all.flatMap(times), share);
	return {
		intoRun: of((one) => one.intoRun, 0.5),
		intoRunP99: of((one) => one.intoRun, 0.99),
		first: of((one) => one.first, 0.5),
		early: of((one) => one.first.slice(0, 20), 0.5),
		late: of((one) => one.first.slice(-20), 0.5),
		...faults.result,
	};
}
