// `npm run bench:emulator`: how many open runs the emulator holds, and how many short turns it serves per second.
// The client is node:http2 with hand-written frames, so that it costs very little compared to the emulator.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const OPEN_STREAMS = Number(process.env.STREAMS ?? 1000);
const HOLD_SECONDS = Number(process.env.HOLD ?? 10);
const TURNS = Number(process.env.TURNS ?? 2000);
const CLIENTS = Number(process.env.CLIENTS ?? 32);
const STREAMS_PER_CONNECTION = 250;

const root = fileURLToPath(new URL("..", import.meta.url));
const brain = fileURLToPath(new URL("./emulator/brain.mjs", import.meta.url));

const emulator = spawn(
	process.execPath,
	["packages/emulator/bin/cursorwire-emulator.mjs", "--port", "0", "--json", "--log", "0", "--brain", brain],
	{ cwd: root, stdio: ["ignore", "pipe", "inherit"] },
);
const [line] = await new Promise((resolve) =>
	createInterface({ input: emulator.stdout }).once("line", (...args) => resolve(args)),
);
const { url } = JSON.parse(line);
const exchange = await fetch(`${url}/auth/exchange_user_api_key`, {
	method: "POST",
	headers: { authorization: "Bearer bench", "content-type": "application/json" },
	body: "{}",
});
const { accessToken } = await exchange.json();

/** A protobuf field with a length-delimited value. */
const field = (number, ...parts) => {
	const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
	const length = [];
	let rest = body.length;
	for (; rest > 127; rest >>= 7) length.push((rest & 127) | 128);
	return Buffer.concat([Buffer.from([number * 8 + 2, ...length, rest]), body]);
};
const envelope = (payload) => {
	const header = Buffer.alloc(5);
	header.writeUInt32BE(payload.length, 1);
	return Buffer.concat([header, payload]);
};
const EMPTY = Buffer.alloc(0);
const runRequest = (prompt) =>
	envelope(
		field(
			1,
			field(1, EMPTY),
			// user_message_action with a text and an empty request context, so that the server does not ask for one
			field(2, field(1, field(1, field(1, prompt)), field(2, EMPTY))),
			field(4, EMPTY),
			field(5, "bench"),
			field(9, field(1, "composer-1")),
		),
	);
const HEARTBEAT = envelope(field(7, EMPTY));
const blobStored = (id) => envelope(field(3, id === 0 ? EMPTY : Buffer.from([8, id]), field(3, EMPTY)));
const KV_SERVER_MESSAGE = 0x22;

/** One run. Resolves to whether it ended normally. */
function run(session, prompt, onText = () => {}) {
	const stream = session.request({
		":method": "POST",
		":path": "/agent.v1.AgentService/Run",
		"content-type": "application/connect+proto",
		authorization: `Bearer ${accessToken}`,
	});
	let pending = EMPTY;
	let kv = 0;
	let ended = false;
	stream.write(runRequest(prompt));
	stream.on("data", (chunk) => {
		pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
		while (pending.length >= 5 && pending.length >= 5 + pending.readUInt32BE(1)) {
			const length = pending.readUInt32BE(1);
			if (pending[0] === 2) ended = pending.subarray(5, 5 + length).toString() === "{}";
			else if (pending[5] === KV_SERVER_MESSAGE) stream.write(blobStored(kv++));
			else onText();
			pending = pending.subarray(5 + length);
		}
	});
	const done = new Promise((resolve) => {
		stream.on("end", () => stream.end());
		stream.on("close", () => resolve(ended));
		stream.on("error", () => resolve(false));
	});
	return { stream, done };
}

const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
const session = () => {
	const opened = connect(url);
	opened.on("error", () => {});
	return opened;
};

async function holdStreams() {
	const sessions = Array.from({ length: Math.ceil(OPEN_STREAMS / STREAMS_PER_CONNECTION) }, session);
	const idle = rssOf(emulator.pid);
	let frames = 0;
	let broken = 0;
	const open = Array.from({ length: OPEN_STREAMS }, (_, index) => {
		const { stream, done } = run(sessions[index % sessions.length], "hold", () => frames++);
		let closing = false;
		done.then(() => (broken += closing ? 0 : 1));
		const close = () => {
			closing = true;
			stream.close(8);
		};
		return { stream, close };
	});
	const beat = setInterval(() => {
		for (const { stream } of open) stream.write(HEARTBEAT);
	}, 5000);
	await new Promise((resolve) => setTimeout(resolve, HOLD_SECONDS * 1000));
	clearInterval(beat);
	const { streams, frames: counted } = await (await fetch(`${url}/__emulator/stats`)).json();
	const rss = rssOf(emulator.pid);
	for (const { close } of open) close();
	for (const each of sessions) each.destroy();
	return {
		open: streams.open,
		broken,
		frames,
		heartbeats: counted.heartbeats,
		perStream: ((rss - idle) * 1024) / OPEN_STREAMS,
	};
}

async function shortTurns() {
	const sessions = Array.from({ length: 4 }, session);
	let left = TURNS;
	let failed = 0;
	const started = performance.now();
	await Promise.all(
		Array.from({ length: CLIENTS }, async (_, index) => {
			while (left-- > 0) if (!(await run(sessions[index % sessions.length], "short").done)) failed++;
		}),
	);
	const seconds = (performance.now() - started) / 1000;
	for (const each of sessions) each.destroy();
	return { perSecond: TURNS / seconds, failed };
}

try {
	const held = await holdStreams();
	console.log(
		`open runs: ${held.open} of ${OPEN_STREAMS} held for ${HOLD_SECONDS} s, ${held.broken} broken, ` +
			`${held.frames} frames down, ${held.heartbeats} heartbeats up, ${held.perStream.toFixed(0)} KB a run`,
	);
	await shortTurns();
	const turns = await shortTurns();
	console.log(
		`short turns: ${turns.perSecond.toFixed(0)} a second with ${CLIENTS} clients, ${turns.failed} of ${TURNS} failed`,
	);
	if (held.open !== OPEN_STREAMS || held.broken > 0 || turns.failed > 0) process.exitCode = 1;
} finally {
	emulator.kill("SIGTERM");
}
