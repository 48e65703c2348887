// The request path of the gateway without sockets, stage by stage: each stage runs for all turns before the next begins,
// so that its cost can be told from that of the others. Bundled, and run in a process of its own by stages.mjs.
import { randomUUID } from "node:crypto";
import { FrontDoor } from "../../packages/gateway/src/access/front-door.ts";
import { KeyRing } from "../../packages/gateway/src/access/key-ring.ts";
import { openUpstreamSide } from "../../packages/gateway/src/app/upstream/upstream.ts";
import { loadSettings } from "../../packages/gateway/src/config/settings.ts";
import { chatDialect } from "../../packages/gateway/src/dialects/chat/dialect.ts";
import { jsonBodyParser } from "../../packages/gateway/src/dialects/json/json-body.ts";
import { openStore } from "../../packages/gateway/src/store/open-store.ts";
import { soon } from "../../packages/gateway/src/time/soon.ts";
import { jsonText, runRequest } from "../lean-messages.mjs";
import { replyDeltas } from "../replies.mjs";
import { median } from "../table.mjs";
import { Envelopes, endOfTurn, textDelta } from "../wire.mjs";

const DELTAS = 20;
const PORT = 4280;
const TURNS = 200;
const ROUNDS = 60;
/** V8 gives up memory of its own in between, and a single count may even be negative. */
const WEIGHINGS = 5;
const QUESTION = { role: "user", content: "Question of client 7" };
const BODY = Buffer.from(JSON.stringify({ model: "auto", stream: true, messages: [QUESTION] }));
const REPLY = Buffer.concat([...replyDeltas(DELTAS).map(textDelta), endOfTurn]);
const HEAD = { status: 200, headers: { "content-type": "application/connect+proto" } };

/** Takes what is written, and leaves the reply to the stage that receives it. */
class MemoryStream {
	closed = new Promise(() => {});
	unsent = 0;
	write() {}
	end() {}
	cancel() {}
	pause() {}
	resume() {}
	drained() {
		return Promise.resolve();
	}
}

async function gatewayStages(keys) {
	const { settings } = loadSettings({ logLevel: "silent" });
	const store = await openStore({ dataDir: settings.dataDir, warn: console.error });
	let opening;
	const runTransport = {
		open(_request, ofStream) {
			opening.handler = ofStream;
			return new MemoryStream();
		},
	};
	const upstream = await openUpstreamSide(settings, { runTransport });
	const account = await upstream.ownAccount();
	const ring = new KeyRing({ store, now: Date.now, random: () => new Uint8Array(32) });
	const door = new FrontDoor({
		rules: { keys: ring, cursorCredential: () => undefined, acceptCredentials: false, noAuth: false },
		allowedOrigins: new Set(),
		checkCredential: async () => {},
	});
	door.listensOn(PORT, []);
	const parse = jsonBodyParser();
	const request = requestWith(keys[0]);
	const context = () => ({ newId: randomUUID, now: Date.now, requestId: "req_1", header: () => undefined, stored: {} });
	const chosen = { name: "auto", effort: undefined, maxMode: undefined, window: undefined, spelling: undefined };
	return {
		parse: (turn) => {
			turn.body = parse(BODY);
		},
		admit: (turn) => {
			door.guard(request);
			return soon(door.admit(request), (caller) => {
				turn.caller = caller;
			});
		},
		decode: (turn) =>
			soon(chatDialect.read(turn.body, context()), (read) => {
				turn.read = read;
			}),
		resolve: () => account.facts.catalog.resolve(chosen),
		plan: (turn) =>
			soon(account.prepareRun(turn.read.turn, { conversationId: randomUUID() }, {}), ({ run }) => {
				turn.run = run;
			}),
		open: (turn) => {
			turn.batches = [];
			opening = turn;
			turn.run.open({ events: (batch) => turn.batches.push(batch), failed: reportFailure });
			return turn.handler ? undefined : untilOpen(turn);
		},
		receive: ({ handler: ofStream }) => {
			ofStream.onHead(HEAD);
			ofStream.onData(REPLY);
			ofStream.onEnd({});
		},
		encode: (turn) => {
			const encoder = turn.read.encoder(0);
			turn.text = turn.batches.map((batch) => encoder.encode(batch)).join("");
		},
		finish: ({ caller }) => store.addToLedger(rowOf(caller)),
		check: ({ text }) => text.includes(replyDeltas(DELTAS).at(-1)),
	};
}

/** A run may give way to others before it opens its stream. */
async function untilOpen(turn) {
	while (turn.handler === undefined) await new Promise(setImmediate);
}

function reportFailure(error) {
	console.error(error);
	process.exit(1);
}

function requestWith(key) {
	const headers = { host: `127.0.0.1:${PORT}`, "content-type": "application/json", authorization: `Bearer ${key}` };
	const rawHeaders = Object.entries({ ...headers, "content-length": String(BODY.length) }).flat();
	return { method: "POST", url: "/v1/chat/completions", headers, rawHeaders };
}

const rowOf = ({ id }) => ({
	at: Date.now(),
	caller: id,
	dialect: "chat",
	model: "auto",
	path: "new",
	inputTokens: 10,
	outputTokens: 100,
	cachedTokens: 0,
	reasoningTokens: 0,
	latencyMs: 1,
	firstTokenMs: 1,
	status: 200,
});

/** The same for the lean path, which has no other stages. */
const leanStages = {
	parse: (turn) => {
		turn.body = JSON.parse(BODY.toString());
	},
	plan: (turn) => {
		turn.first = runRequest(turn.body.messages[0].content, turn.body.model);
	},
	receive: (turn) => {
		turn.deltas = [];
		const envelopes = new Envelopes((bytes, start, end, flags) => {
			if (flags === 0) turn.deltas.push([bytes, start + 6, end]);
		});
		envelopes.push(REPLY);
	},
	encode: (turn) => {
		turn.text = "";
		for (const [bytes, start, end] of turn.deltas) turn.text += `data: {"content":${jsonText(bytes, start, end)}}\n\n`;
	},
	check: ({ text }) => text.includes(replyDeltas(DELTAS).at(-1)),
};

/** Runs a stage for all turns. Awaits only what is a promise, because each await makes one. */
async function runStage(stage, turns) {
	for (const turn of turns) {
		const waited = stage(turn);
		if (waited instanceof Promise) await waited;
	}
}

const cpuMicroseconds = () => {
	const { user, system } = process.cpuUsage();
	return user + system;
};

/** How the cost of a stage is found out: each way in passes of its own. */
const WAYS = {
	microseconds: { begin: cpuMicroseconds, end: (before) => ({ microseconds: cpuMicroseconds() - before }) },
	counts: { begin: () => turnCounter.count(), end: () => turnCounter.counted() },
	bytes: { begin: () => turnCounter.bytes(), end: () => ({ bytes: turnCounter.allocated().bytes }) },
	objects: { begin: () => turnCounter.objects(), end: () => turnCounter.objectsMade() },
};

async function costs({ check, ...stages }) {
	const names = Object.keys(stages);
	const sums = Object.fromEntries(names.map((name) => [name, {}]));
	const pass = async ({ begin, end } = {}) => {
		const turns = Array.from({ length: TURNS }, () => ({}));
		for (const name of names) {
			const before = begin?.();
			await runStage(stages[name], turns);
			for (const [figure, value] of Object.entries(end?.(before) ?? {})) {
				sums[name][figure] = (sums[name][figure] ?? 0) + value / TURNS;
			}
		}
		if (!turns.every(check)) throw new Error("a turn has not the text that the upstream sent");
	};
	for (let round = 0; round < ROUNDS; round++) await pass();
	for (let round = 0; round < ROUNDS; round++) await pass(WAYS.microseconds);
	for (const name of names) sums[name].microseconds /= ROUNDS;
	const weighed = [];
	for (let time = 0; time < WEIGHINGS; time++) {
		for (const name of names) sums[name].bytes = 0;
		await pass(WAYS.bytes);
		weighed.push(names.map((name) => sums[name].bytes));
	}
	for (const [index, name] of names.entries()) sums[name].bytes = median(weighed.map((one) => one[index]));
	await pass(WAYS.objects);
	await pass(WAYS.counts);
	return sums;
}

const keys = JSON.parse(process.argv[2]);
const lean = await costs(leanStages);
const gateway = await costs(await gatewayStages(keys));
process.send({ lean, gateway }, () => process.exit(0));
