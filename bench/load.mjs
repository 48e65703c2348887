// One load of the benchmark, in a separate process. It sends requests, checks every reply, and reports to the parent over
// IPC.
import { connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { DELTA_CHARACTERS, prose, replyDeltas } from "./replies.mjs";
import { chatRequest, SseClient } from "./sse-client.mjs";
import { BackwardMessage, Envelopes, microseconds } from "./wire.mjs";

const DRAIN_MILLISECONDS = 8000;
const TOOLS = [
	{
		type: "function",
		function: {
			name: "bench_tool",
			description: "Reads a file",
			parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
		},
	},
];

/** The value below which `share` of the numbers lie; NaN if there are none. */
function quantile(numbers, share) {
	const sorted = Float64Array.from(numbers).sort();
	return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const userMessage = (content) => ({ role: "user", content });

/** Clients that send the next request right after each reply, for a fixed time. The warm-up is not counted. */
async function closedLoop({ port, keys, model, clients, seconds, warmup, deltas, paced }) {
	const expected = paced ? null : replyDeltas(deltas).join("");
	const counted = { asked: 0, replies: 0, characters: 0, first: [], latency: [], errors: 0, error: "" };
	let measuring = false;
	let over = false;
	const listen = {
		expected,
		onText: (characters) => {
			if (measuring) counted.characters += characters;
		},
		onStamp: (latency) => {
			if (measuring) counted.latency.push(latency);
		},
	};
	const connections = Array.from({ length: clients }, () => new SseClient(port));
	const loops = connections.map(async (client, index) => {
		const request = chatRequest(
			{ port, key: keys[index % keys.length] },
			{ model, stream: true, messages: [userMessage(`Question of client ${index}`)] },
		);
		while (!over) {
			counted.asked++;
			const reply = await client.ask(request, listen);
			if (paced && reply.characters !== deltas * DELTA_CHARACTERS)
				reply.error ||= `${reply.characters} characters arrived`;
			if (reply.error !== "") {
				counted.errors++;
				counted.error ||= reply.error;
				// Limits how often a gateway that refuses at once is asked.
				if (counted.errors > 100) return;
			} else if (measuring) {
				counted.replies++;
				counted.first.push(reply.first);
			}
		}
	});
	await sleep(warmup * 1000);
	process.send({ event: "measure" });
	measuring = true;
	const started = microseconds();
	await sleep(seconds * 1000);
	measuring = false;
	const took = (microseconds() - started) / 1e6;
	process.send({ event: "measured" });
	over = true;
	const drained = await Promise.race([Promise.all(loops).then(() => true), sleep(DRAIN_MILLISECONDS, false)]);
	if (!drained) {
		counted.errors++;
		counted.error ||= "a reply did not end";
	}
	for (const client of connections) client.close();
	return {
		seconds: took,
		asked: counted.asked,
		replies: counted.replies,
		deltas: counted.characters / DELTA_CHARACTERS,
		first: quantile(counted.first, 0.5),
		latency: quantile(counted.latency, 0.99),
		errors: counted.errors,
		error: counted.error,
	};
}

/** Directly to the upstream with node:http2, one request after another: time to first token without a gateway. */
async function direct({ port, seconds, warmup }) {
	const session = connect(`http://127.0.0.1:${port}`);
	const request = new BackwardMessage(256).string(1, "Question").wrap(1).wrap(1).wrap(2).wrap(1).envelope();
	const first = [];
	const started = microseconds();
	while (microseconds() - started < (seconds + warmup) * 1e6) {
		const asked = microseconds();
		let at = 0;
		const stream = session.request({ ":method": "POST", ":path": "/agent.v1.AgentService/Run" });
		const envelopes = new Envelopes(() => {
			at ||= microseconds() - asked;
		});
		stream.on("data", (chunk) => envelopes.push(chunk));
		stream.end(request);
		await new Promise((resolve) => stream.on("end", resolve));
		if (asked - started > warmup * 1e6) first.push(at);
	}
	session.destroy();
	return { first: quantile(first, 0.5), errors: 0, error: "" };
}

/** One conversation in which the model calls a tool in every turn. The times are those of the tool results. */
async function conversation(client, { port, keys, model, turns, resultSize, label }) {
	const messages = [userMessage(`Conversation ${label}`)];
	const content = prose(resultSize);
	const result = { intoRun: [], first: [], error: "" };
	for (let turn = 0; turn <= turns; turn++) {
		const reply = await client.ask(
			chatRequest({ port, key: keys[0] }, { model, stream: true, tools: TOOLS, messages }),
		);
		if (reply.callId === "") reply.error ||= "the reply has no tool call";
		if (reply.characters !== DELTA_CHARACTERS)
			reply.error ||= `${reply.characters} of ${DELTA_CHARACTERS} characters arrived`;
		result.error ||= reply.error;
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
async function conversations(job) {
	const client = new SseClient(job.port);
	const all = [];
	for (let index = 0; index < job.warmups; index++) await conversation(client, { ...job, label: `warm ${index}` });
	process.send({ event: "measure" });
	for (let index = 0; index < job.count; index++) all.push(await conversation(client, { ...job, label: `${index}` }));
	process.send({ event: "measured" });
	client.close();
	const failed = all.filter((one) => one.error !== "");
	return {
		intoRun: quantile(
			all.flatMap((one) => one.intoRun),
			0.5,
		),
		first: quantile(
			all.flatMap((one) => one.first),
			0.5,
		),
		early: quantile(
			all.flatMap((one) => one.first.slice(0, 20)),
			0.5,
		),
		late: quantile(
			all.flatMap((one) => one.first.slice(-20)),
			0.5,
		),
		errors: failed.length,
		error: failed[0]?.error ?? "",
	};
}

/** The same long prompt a few times, one after another. */
async function prompts({ port, keys, model, size, count, deltas }) {
	const client = new SseClient(port);
	const expected = replyDeltas(deltas).join("");
	const request = chatRequest({ port, key: keys[0] }, { model, stream: true, messages: [userMessage(prose(size))] });
	const first = [];
	const result = { errors: 0, error: "" };
	await client.ask(request, { expected });
	process.send({ event: "measure" });
	for (let index = 0; index < count; index++) {
		const reply = await client.ask(request, { expected });
		first.push(reply.first);
		if (reply.error !== "") result.errors++;
		result.error ||= reply.error;
	}
	process.send({ event: "measured" });
	client.close();
	return { ...result, first: quantile(first, 0.5) };
}

/** Replies that end with a tool call. The clients leave, and the runs stay parked. */
async function park({ port, keys, model, count }) {
	const result = { errors: 0, error: "" };
	let next = 0;
	const worker = async () => {
		const client = new SseClient(port);
		while (next < count) {
			const messages = [userMessage(`Parked conversation ${next++}`)];
			const reply = await client.ask(
				chatRequest({ port, key: keys[0] }, { model, stream: true, tools: TOOLS, messages }),
			);
			if (reply.callId === "") reply.error ||= "the reply has no tool call";
			if (reply.error !== "") result.errors++;
			result.error ||= reply.error;
		}
		client.close();
	};
	await Promise.all(Array.from({ length: 16 }, worker));
	return result;
}

const KINDS = { closedLoop, direct, conversations, prompts, park };
const job = JSON.parse(process.argv[2]);
process.on("disconnect", () => process.exit(0));
process.send({ event: "result", result: await KINDS[job.kind](job) }, () => process.exit(0));
