// A fake of Cursor's backend that costs as little as possible: AgentService/Run over cleartext HTTP/2, every other
// call gets a 404. For peers that relay to OpenAI, the same replies as Chat Completions over HTTP/1.1 on the same port.
// The parent process sets the behaviour and reads counters over IPC.
import { createServer as createHttp } from "node:http";
import { createServer as createHttp2 } from "node:http2";
import { createServer } from "node:net";
import { chunk, endOfChunks } from "./peers/openai-chunks.mjs";
import { replyDeltas, stampedDelta } from "./replies.mjs";
import { Envelopes, eachField, endOfTurn, microseconds, oneCallListed, textDelta, toolCall } from "./wire.mjs";

const PACE_MILLISECONDS = 20;
const PACE_SLOTS = 10;

const counters = { runs: 0, open: 0, bytesIn: 0, toolResults: 0 };
const LANGUAGES = {
	cursor: { delta: textDelta, end: endOfTurn },
	openai: { delta: chunk, end: endOfChunks },
};
let reply = { mode: "burst", deltas: 20, repeat: 1 };
let calls = 0;

function setReply(wanted) {
	reply = { repeat: 1, ...wanted };
	saidIn("cursor");
}

/** The reply in one of the languages. OpenAI's is made when a peer first needs it. */
function saidIn(language) {
	if (reply[language] === undefined) {
		const { delta, end } = LANGUAGES[language];
		const parts = replyDeltas(reply.deltas).map((text) => delta(text.repeat(reply.repeat)));
		reply[language] = { parts, whole: Buffer.concat([...parts, end]) };
	}
	return reply[language];
}

const stamped = (language) => LANGUAGES[language].delta(stampedDelta(microseconds()));

// One delta per stream and turn of the event loop, so that each becomes a DATA frame of its own.
const framing = new Set();
function frameTurn() {
	for (const job of framing) {
		if (job.stream.destroyed) framing.delete(job);
		else if (!job.stream.writableNeedDrain) {
			job.stream.write(job.parts[job.next++]);
			if (job.next < job.parts.length) continue;
			framing.delete(job);
			job.stream.end(LANGUAGES[job.language].end);
		}
	}
	if (framing.size > 0) setImmediate(frameTurn);
}

// Paced streams are spread over slots of one period, so that they do not all send in the same millisecond.
const slots = Array.from({ length: PACE_SLOTS }, () => new Set());
let slot = 0;
let ticked = performance.now();
setInterval(() => {
	const period = PACE_MILLISECONDS / PACE_SLOTS;
	for (; ticked + period <= performance.now(); ticked += period) {
		slot = (slot + 1) % PACE_SLOTS;
		for (const job of slots[slot]) {
			if (job.stream.destroyed) slots[slot].delete(job);
			else {
				job.stream.write(stamped(job.language));
				if (--job.left > 0) continue;
				slots[slot].delete(job);
				job.stream.end(LANGUAGES[job.language].end);
			}
		}
	}
}, 1);

const SPEAK = {
	burst: (stream, language) => stream.end(saidIn(language).whole),
	frame: (stream, language) => {
		framing.add({ stream, language, parts: saidIn(language).parts, next: 0 });
		if (framing.size === 1) setImmediate(frameTurn);
	},
	paced: (stream, language) =>
		slots[Math.floor(Math.random() * PACE_SLOTS)].add({ stream, language, left: reply.deltas }),
	silent: () => {},
	// A stamp with the arrival time of the request or tool result; then the model calls the tool and waits.
	tool: (stream) => stream.write(Buffer.concat([stamped("cursor"), oneCallListed, toolCall(++calls, "bench_tool")])),
};

const open = new Set();
function countRun(stream) {
	counters.runs++;
	counters.open++;
	open.add(stream);
	stream.on("error", () => {});
	stream.on("close", () => {
		counters.open--;
		open.delete(stream);
	});
}

function onRun(stream) {
	countRun(stream);
	stream.respond({ ":status": 200, "content-type": "application/connect+proto" });
	let started = false;
	const envelopes = new Envelopes((bytes, start, end) => {
		eachField(bytes, start, end, (number) => {
			// AgentClientMessage { run_request = 1, exec_client_message = 2 }; heartbeats and the rest are ignored.
			if (number === 2) counters.toolResults++;
			if (number === 2 || (number === 1 && !started)) {
				started = true;
				SPEAK[reply.mode](stream, "cursor");
			}
		});
	});
	stream.on("data", (chunk) => {
		counters.bytesIn += chunk.length;
		envelopes.push(chunk);
	});
}

const http2 = createHttp2({
	maxSessionMemory: 4096,
	settings: { maxConcurrentStreams: 100_000, initialWindowSize: 1 << 20 },
});
http2.on("session", (session) => {
	session.setLocalWindowSize(1 << 24);
	session.on("error", () => {});
});
http2.on("stream", (stream, headers) => {
	if (headers[":path"] === "/agent.v1.AgentService/Run") return onRun(stream);
	stream.on("error", () => {});
	stream.respond({ ":status": 404 }, { endStream: true });
});
const http1 = createHttp((request, response) => {
	const isChat = request.url === "/v1/chat/completions";
	request.on("data", (bytes) => {
		counters.bytesIn += bytes.length;
	});
	if (isChat) countRun(response);
	request.on("end", () => {
		if (!isChat) return response.writeHead(404).end();
		response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
		response.flushHeaders();
		SPEAK[reply.mode](response, "openai");
	});
});
http1.keepAliveTimeout = 120_000;

const server = createServer((socket) => {
	socket.setNoDelay(true);
	socket.on("error", () => {});
	// A connection that starts with HTTP/2's preface gets HTTP/2. The bytes are put back for the server that takes over.
	socket.once("readable", () => {
		const first = socket.read();
		if (first === null) return;
		socket.unshift(first);
		(first.toString("latin1", 0, 3) === "PRI" ? http2 : http1).emit("connection", socket);
	});
});

process.on("message", (message) => {
	if (message.set) setReply(message.set);
	if (message.endRuns) for (const stream of open) stream.destroy();
	process.send({ counters });
});
process.on("disconnect", () => process.exit(0));
setReply({ mode: "burst", deltas: 20 });
server.listen(0, "127.0.0.1", 4096, () => process.send({ port: server.address().port }));
