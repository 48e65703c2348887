// What clients do in the soak. Each act sends requests and throws if a response is wrong. `caller` is one client:
// its HTTP client, its key, the key for calls that stay open, and its random numbers.
import { randomBytes } from "node:crypto";
import { DIALECTS, readResponse } from "./dialects.mjs";
import { callsOf, foundAt, promptOf, replyTo, replyToResults } from "./orders.mjs";

/** A client that leaves does so within this time, while the model speaks slowly for longer than that. */
const LEAVING = { act: "slowly", pieces: 30 };
const LEAVE_WITHIN_MILLISECONDS = 250;
const LONG = { pieces: 200, size: 500 };

const newNonce = () => randomBytes(9).toString("hex");

/** One conversation in a random dialect; each request is streamed or not, at random. */
class Conversation {
	constructor({ client, key, random }) {
		Object.assign(this, { client, key, random });
		this.dialect = DIALECTS[Math.floor(random() * DIALECTS.length)];
		this.turns = [];
	}

	/** Sends the conversation so far and adds the reply to it. */
	async send(turn, options = {}) {
		this.turns.push(turn);
		const { tools, previous, conversation = this.turns, ...rest } = options;
		const stream = this.random() < 0.6;
		const body = this.dialect.body({ conversation, stream, tools, previous });
		const response = await this.client.ask({ path: this.dialect.path, key: this.key, body, ...rest });
		if (response.left) return { left: true };
		const read = readResponse(this.dialect, response);
		this.turns.push({ text: read.text, calls: read.calls });
		return read;
	}

	order(order, options) {
		return this.send({ user: promptOf({ nonce: newNonce(), ...order }) }, options);
	}
}

function expectReply(read, text) {
	if (read.error) throw new Error(`an unexpected error: ${read.status} ${JSON.stringify(read.error)}`);
	if (!read.ended) throw new Error(`the reply has no end: ${read.text.slice(-200)}`);
	if (read.text !== text) throw new Error(`"${read.text.slice(0, 300)}" in place of "${text.slice(0, 300)}"`);
}

function expectCalls(read, order) {
	if (read.error) throw new Error(`an error in place of tool calls: ${JSON.stringify(read.error)}`);
	const got = read.calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) }));
	const [told, meant] = [got, callsOf(order)].map((calls) => JSON.stringify(calls));
	if (!read.ended || told !== meant) throw new Error(`calls ${told} in place of ${meant}`);
}

export async function plain(caller, order = {}, options = {}) {
	const whole = { act: "say", nonce: newNonce(), ...order };
	expectReply(await new Conversation(caller).order(whole, options), replyTo(whole));
}

/** Lets the model call tools and, if `sendsResults`, sends their results in any order. */
async function tools(caller, { calls, sendsResults = true }) {
	const order = { act: "look", nonce: newNonce(), calls };
	const conversation = new Conversation(caller);
	const read = await conversation.order(order, { tools: true });
	expectCalls(read, order);
	if (!sendsResults) return;
	const results = read.calls.map(({ id, arguments: json }) => ({ id, text: foundAt(JSON.parse(json).at) }));
	const shuffled = caller.random() < 0.5 ? results.toReversed() : results;
	const last = await conversation.send({ results: shuffled }, { tools: true });
	const texts = results.map(({ text }) => text);
	// A rebuilt conversation has the results as the client sent them.
	const right = [replyToResults(texts), replyToResults(texts.toReversed())];
	expectReply(last, right.includes(last.text) ? last.text : right[0]);
}

/** A second message in the same conversation; if the API can, by the id of the first response. */
async function sendSecondMessage(caller) {
	const first = { act: "say", nonce: newNonce() };
	const conversation = new Conversation(caller);
	const read = await conversation.order(first);
	expectReply(read, replyTo(first));
	const user = promptOf({ act: "recall", nonce: newNonce() });
	const byId = read.id !== undefined && caller.random() < 0.5;
	const options = byId ? { previous: read.id, conversation: [{ user }] } : {};
	expectReply(await conversation.send({ user }, options), `recall ${first.nonce}`);
}

/** The model fails, before it says anything or after part of its reply. */
async function modelFault(caller) {
	const acts = [
		{ act: "refuse", code: "resource_exhausted" },
		{ act: "refuse", code: "failed_precondition" },
		{ act: "break" },
	];
	const order = { nonce: newNonce(), ...acts[Math.floor(caller.random() * acts.length)] };
	const read = await new Conversation(caller).order(order);
	expectError(read, order.act === "refuse" ? "" : replyTo(order));
}

/** An error, and before it nothing but the beginning of the right reply. */
function expectError(read, text) {
	if (!read.error || read.ended) throw new Error(`no error, but "${read.text.slice(0, 200)}"`);
	const said = read.text || read.streamed || "";
	if (!text.startsWith(said)) throw new Error(`"${said.slice(0, 200)}" before the error`);
}

/** A fault of the wire in this turn: the gateway recovers from it, or reports an error. */
export async function wireFault(caller, arm) {
	const order = { act: "say", nonce: newNonce() };
	await arm();
	const read = await new Conversation(caller).order(order);
	if (read.error) expectError(read, replyTo(order));
	else expectReply(read, replyTo(order));
}

const leaveAfter = (caller) => caller.random() * LEAVE_WITHIN_MILLISECONDS;

async function hangUp(caller) {
	const order = { ...LEAVING, nonce: newNonce() };
	const read = await new Conversation(caller).order(order, { leaveAfter: leaveAfter(caller) });
	if (!read.left) expectReply(read, replyTo(order));
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

async function badRequest(caller) {
	const dialect = DIALECTS[Math.floor(caller.random() * DIALECTS.length)];
	const [status, request] = BAD[Math.floor(caller.random() * BAD.length)];
	const response = await caller.client.ask({ path: dialect.path, key: caller.key, ...request });
	const form = request.path ? DIALECTS[0] : dialect;
	if (response.status !== status || !form.isError(JSON.parse(response.text)))
		throw new Error(`${response.status} in place of ${status}: ${response.text.slice(0, 300)}`);
}

async function countTokens(caller) {
	const content = "some words to count ".repeat(1 + Math.floor(caller.random() * 50));
	const body = { model: "composer-1", messages: [{ role: "user", content }] };
	const { status, text } = await caller.client.ask({ path: "/v1/messages/count_tokens", key: caller.key, body });
	if (status !== 200 || !(JSON.parse(text).input_tokens > 3)) throw new Error(`${status} ${text.slice(0, 300)}`);
}

async function models(caller) {
	const headers = caller.random() < 0.5 ? { "anthropic-version": "2023-06-01" } : {};
	const { status, text } = await caller.client.ask({ method: "GET", path: "/v1/models", key: caller.key, headers });
	const ids = status === 200 ? JSON.parse(text).data.map(({ id }) => id) : [];
	if (!ids.includes("composer-1")) throw new Error(`${status} ${text.slice(0, 300)}`);
}

/** The acts with their shares. Calls that stay open have a key of their own, so that it can be revoked. */
const ACTS = {
	plain: { share: 30, run: (caller) => plain(caller) },
	thinking: { share: 6, run: (caller) => plain(caller, { act: "think" }) },
	long: { share: 4, run: (caller) => plain(caller, LONG) },
	"slow reader": { share: 2, run: (caller) => plain(caller, LONG, { slow: true }) },
	"tool call": { share: 12, run: (caller) => tools(caller, { calls: 1 }) },
	"parallel calls": { share: 6, run: (caller) => tools(caller, { calls: 3 }) },
	"calls left open": {
		share: 4,
		run: (caller) => tools({ ...caller, key: caller.leaverKey }, { calls: 2, sendsResults: false }),
	},
	"second message": { share: 10, run: sendSecondMessage },
	"hang-up": { share: 8, run: hangUp },
	"model fault": { share: 4, run: modelFault },
	"bad request": { share: 6, run: badRequest },
	"count tokens": { share: 4, run: countTokens },
	models: { share: 4, run: models },
};

/** Chooses an act at random, by the shares. */
export function chooseAct(random) {
	const entries = Object.entries(ACTS);
	let left = random() * entries.reduce((sum, [, { share }]) => sum + share, 0);
	for (const entry of entries) {
		left -= entry[1].share;
		if (left < 0) return entry;
	}
	return entries[0];
}
