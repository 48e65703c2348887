// What clients do in the soak. Each act asks, and throws where the answer is not the right one.
import { randomBytes } from "node:crypto";
import { DIALECTS, readAnswer } from "./dialects.mjs";
import { answerTo, answerToResults, callsOf, foundAt, promptOf } from "./orders.mjs";

/** How long the model of a leaving client may speak, and within which time the client leaves. */
const LEAVING = { act: "slowly", pieces: 30 };
const LEAVE_WITHIN_MILLISECONDS = 250;
const LONG = { pieces: 200, size: 500 };

const newNonce = () => randomBytes(9).toString("hex");

/** One client with a dialect of its own choice; `stream` is tossed for every request. */
class Conversation {
	constructor({ client, key, random }) {
		Object.assign(this, { client, key, random });
		this.dialect = DIALECTS[Math.floor(random() * DIALECTS.length)];
		this.turns = [];
	}

	/** Sends the conversation so far; what the model says becomes part of it. */
	async send(turn, options = {}) {
		this.turns.push(turn);
		const { tools, previous, conversation = this.turns, ...rest } = options;
		const stream = this.random() < 0.6;
		const body = this.dialect.body({ conversation, stream, tools, previous });
		const answer = await this.client.ask({ path: this.dialect.path, key: this.key, body, ...rest });
		if (answer.left) return { left: true };
		const read = readAnswer(this.dialect, answer);
		this.turns.push({ text: read.text, calls: read.calls });
		return read;
	}

	order(order, options) {
		return this.send({ user: promptOf({ nonce: newNonce(), ...order }) }, options);
	}
}

function expectAnswer(read, text) {
	if (read.error) throw new Error(`an error that nobody asked for: ${read.status} ${JSON.stringify(read.error)}`);
	if (!read.ended) throw new Error(`the answer has no end: ${read.text.slice(-200)}`);
	if (read.text !== text) throw new Error(`"${read.text.slice(0, 300)}" in place of "${text.slice(0, 300)}"`);
}

function expectCalls(read, order) {
	if (read.error) throw new Error(`an error in place of tool calls: ${JSON.stringify(read.error)}`);
	const got = read.calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) }));
	const [told, meant] = [got, callsOf(order)].map((calls) => JSON.stringify(calls));
	if (!read.ended || told !== meant) throw new Error(`calls ${told} in place of ${meant}`);
}

export async function plain(bench, order = {}, options = {}) {
	const whole = { act: "say", nonce: newNonce(), ...order };
	expectAnswer(await new Conversation(bench).order(whole, options), answerTo(whole));
}

/** Calls tools and, where `answer` says so, sends their results in any order. */
async function tools(bench, { calls, answer = true }) {
	const order = { act: "look", nonce: newNonce(), calls };
	const conversation = new Conversation(bench);
	const read = await conversation.order(order, { tools: true });
	expectCalls(read, order);
	if (!answer) return;
	const results = read.calls.map(({ id, arguments: json }) => ({ id, text: foundAt(JSON.parse(json).at) }));
	const shuffled = bench.random() < 0.5 ? results.toReversed() : results;
	const last = await conversation.send({ results: shuffled }, { tools: true });
	const texts = results.map(({ text }) => text);
	// A rebuilt conversation has the results as the client sent them.
	const right = [answerToResults(texts), answerToResults(texts.toReversed())];
	expectAnswer(last, right.includes(last.text) ? last.text : right[0]);
}

/** A second message in the same conversation, where the API has it also by the id of the first answer. */
async function goOn(bench) {
	const first = { act: "say", nonce: newNonce() };
	const conversation = new Conversation(bench);
	const read = await conversation.order(first);
	expectAnswer(read, answerTo(first));
	const user = promptOf({ act: "recall", nonce: newNonce() });
	const byId = read.id !== undefined && bench.random() < 0.5;
	const options = byId ? { previous: read.id, conversation: [{ user }] } : {};
	expectAnswer(await conversation.send({ user }, options), `recall ${first.nonce}`);
}

/** The model fails: before anything was said, or after some of it was. */
async function modelFault(bench) {
	const acts = [
		{ act: "refuse", code: "resource_exhausted" },
		{ act: "refuse", code: "failed_precondition" },
		{ act: "break" },
	];
	const order = { nonce: newNonce(), ...acts[Math.floor(bench.random() * acts.length)] };
	const read = await new Conversation(bench).order(order);
	expectError(read, order.act === "refuse" ? "" : answerTo(order));
}

/** An error, and before it nothing but the beginning of the right answer. */
function expectError(read, text) {
	if (!read.error || read.ended) throw new Error(`no error, but "${read.text.slice(0, 200)}"`);
	const said = read.text || read.streamed || "";
	if (!text.startsWith(said)) throw new Error(`"${said.slice(0, 200)}" before the error`);
}

/** A fault of the wire that strikes this turn alone: it is healed, or told as an error. */
export async function wireFault(bench, arm) {
	const order = { act: "say", nonce: newNonce() };
	await arm();
	const read = await new Conversation(bench).order(order);
	if (read.error) expectError(read, answerTo(order));
	else expectAnswer(read, answerTo(order));
}

const leaveAfter = (bench) => bench.random() * LEAVE_WITHIN_MILLISECONDS;

async function hangUp(bench) {
	const order = { ...LEAVING, nonce: newNonce() };
	const read = await new Conversation(bench).order(order, { leaveAfter: leaveAfter(bench) });
	if (!read.left) expectAnswer(read, answerTo(order));
}

const BAD = [
	[400, { body: "{" }],
	[400, { body: { model: "composer-1" } }],
	[400, { body: { model: 1, messages: 1, input: 1, max_tokens: "x" } }],
	[400, { body: `{"model":${"[".repeat(5000)}${"]".repeat(5000)}}` }],
	[401, { body: {}, key: "cw_nobody" }],
	[401, { body: {}, key: undefined }],
	[404, { body: {}, path: "/v1/nothing" }],
	[415, { body: "{}", headers: { "content-type": "text/plain" } }],
];

async function badRequest(bench) {
	const dialect = DIALECTS[Math.floor(bench.random() * DIALECTS.length)];
	const [status, request] = BAD[Math.floor(bench.random() * BAD.length)];
	const answer = await bench.client.ask({ path: dialect.path, key: bench.key, ...request });
	const form = request.path ? DIALECTS[0] : dialect;
	if (answer.status !== status || !form.isError(JSON.parse(answer.text)))
		throw new Error(`${answer.status} in place of ${status}: ${answer.text.slice(0, 300)}`);
}

async function countTokens(bench) {
	const content = "some words to count ".repeat(1 + Math.floor(bench.random() * 50));
	const body = { model: "composer-1", messages: [{ role: "user", content }] };
	const { status, text } = await bench.client.ask({ path: "/v1/messages/count_tokens", key: bench.key, body });
	if (status !== 200 || !(JSON.parse(text).input_tokens > 3)) throw new Error(`${status} ${text.slice(0, 300)}`);
}

async function models(bench) {
	const headers = bench.random() < 0.5 ? { "anthropic-version": "2023-06-01" } : {};
	const { status, text } = await bench.client.ask({ method: "GET", path: "/v1/models", key: bench.key, headers });
	const ids = status === 200 ? JSON.parse(text).data.map(({ id }) => id) : [];
	if (!ids.includes("composer-1")) throw new Error(`${status} ${text.slice(0, 300)}`);
}

/** The acts with their shares. Who leaves calls unanswered has a key of its own, so that it can be taken away. */
const ACTS = {
	plain: { share: 30, run: (bench) => plain(bench) },
	thinking: { share: 6, run: (bench) => plain(bench, { act: "think" }) },
	long: { share: 4, run: (bench) => plain(bench, LONG) },
	"slow reader": { share: 2, run: (bench) => plain(bench, LONG, { slow: true }) },
	"tool call": { share: 12, run: (bench) => tools(bench, { calls: 1 }) },
	"parallel calls": { share: 6, run: (bench) => tools(bench, { calls: 3 }) },
	"calls left open": {
		share: 4,
		run: (bench) => tools({ ...bench, key: bench.leaverKey }, { calls: 2, answer: false }),
	},
	"second message": { share: 10, run: goOn },
	"hang-up": { share: 8, run: hangUp },
	"model fault": { share: 4, run: modelFault },
	"bad request": { share: 6, run: badRequest },
	"count tokens": { share: 4, run: countTokens },
	models: { share: 4, run: models },
};

/** An act by its share. */
export function chooseAct(random) {
	const entries = Object.entries(ACTS);
	let left = random() * entries.reduce((sum, [, { share }]) => sum + share, 0);
	for (const entry of entries) {
		left -= entry[1].share;
		if (left < 0) return entry;
	}
	return entries[0];
}
