// The limit path: a gateway that does nothing but relay. node:http in front, pooled node:http2 behind,
// text sliced out of the frame by hand, one prebuilt SSE template, one write per turn of the event loop. No checks and no
// features.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { connect, constants } from "node:http2";
import { jsonText, runRequest, toolResult } from "./lean-messages.mjs";
import { Envelopes, eachField } from "./wire.mjs";

const CONNECTIONS = 4;
const WRITE_AT = 16 * 1024;
const upstream = process.env.BENCH_UPSTREAM;

const sessions = Array.from({ length: CONNECTIONS }, () => {
	const session = connect(upstream, {
		peerMaxConcurrentStreams: 100_000,
		maxSessionMemory: 1024,
		settings: { enablePush: false, initialWindowSize: 1 << 20 },
	});
	session.on("error", () => {});
	session.once("connect", () => session.setLocalWindowSize(1 << 24));
	return session;
});
let turn = 0;

const parked = new Map();
const waiting = [];

function writeWaiting() {
	for (const relay of waiting.splice(0)) relay.write();
}

class Relay {
	#stream;
	#response = null;
	#start = "";
	#text = "";
	#queued = false;
	#call = { id: 0, execId: "" };

	constructor(body) {
		this.model = body.model;
		this.#stream = sessions[turn++ % CONNECTIONS].request({
			":method": "POST",
			":path": "/agent.v1.AgentService/Run",
			"content-type": "application/connect+proto",
			"connect-protocol-version": "1",
			authorization: "Bearer bench",
		});
		const envelopes = new Envelopes((bytes, start, end, flags) => {
			if (flags === 0) this.#message(bytes, start, end);
		});
		this.#stream.on("data", (chunk) => {
			envelopes.push(chunk);
			this.#queue();
		});
		this.#stream.on("error", () => this.#end("error"));
		const prompt = body.messages.map((message) => message.content).join("\n\n");
		this.#stream.write(runRequest(prompt, this.model));
	}

	attach(response) {
		this.#response = response;
		const created = Math.floor(Date.now() / 1000);
		this.#start = `data: {"id":"chatcmpl-${randomUUID()}","object":"chat.completion.chunk","created":${created},"model":"${this.model}","choices":[{"index":0,"delta":{`;
		response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
		response.on("drain", () => this.#stream.resume());
		response.on("close", () => {
			if (this.#response !== response) return;
			this.#response = null;
			this.#stream.close(constants.NGHTTP2_CANCEL);
		});
	}

	result(text) {
		this.#stream.write(toolResult(this.#call, text));
	}

	#message(bytes, start, end) {
		// interaction_update = 1 { text_delta = 1 { text = 1 } } with lengths of one byte, as in nearly every frame.
		if (bytes[start] === 0x0a && bytes[start + 2] === 0x0a && bytes[start + 4] === 0x0a && bytes[start + 1] < 128) {
			return this.#delta(bytes, start + 6, end);
		}
		eachField(bytes, start, end, (kind, from, to) => {
			if (kind === 2) return this.#park(bytes, from, to);
			if (kind !== 1) return;
			eachField(bytes, from, to, (update, a, z) => {
				if (update === 1) eachField(bytes, a, z, (_, first, last) => this.#delta(bytes, first, last));
				if (update === 14) this.#end("stop");
			});
		});
	}

	#delta(bytes, start, end) {
		this.#text += `${this.#start}"content":${jsonText(bytes, start, end)}},"finish_reason":null}]}\n\n`;
	}

	#park(bytes, start, end) {
		const call = { id: 0, execId: "", callId: "", name: "" };
		eachField(bytes, start, end, (number, from, to) => {
			if (number === 1) call.id = from;
			if (number === 15) call.execId = bytes.latin1Slice(from, to);
			if (number !== 11) return;
			eachField(bytes, from, to, (part, a, z) => {
				if (part === 3) call.callId = bytes.latin1Slice(a, z);
				if (part === 5) call.name = bytes.latin1Slice(a, z);
			});
		});
		this.#call = call;
		parked.set(call.callId, this);
		this.#text += `${this.#start}"tool_calls":[{"index":0,"id":"${call.callId}","type":"function","function":{"name":"${call.name}","arguments":"{}"}}]},"finish_reason":null}]}\n\n`;
		this.#finish("tool_calls");
	}

	#queue() {
		if (this.#text.length >= WRITE_AT) return this.write();
		if (this.#queued || this.#text === "") return;
		this.#queued = true;
		if (waiting.push(this) === 1) setImmediate(writeWaiting);
	}

	write() {
		this.#queued = false;
		const text = this.#text;
		if (text === "" || this.#response === null) return;
		this.#text = "";
		if (!this.#response.write(text)) this.#stream.pause();
	}

	#finish(reason) {
		const response = this.#response;
		this.#response = null;
		const last = `${this.#start}},"finish_reason":"${reason}"}]}\n\ndata: [DONE]\n\n`;
		response?.end(this.#text + last);
		this.#text = "";
	}

	#end(reason) {
		if (this.#response === null) return;
		this.#finish(reason);
		this.#stream.end();
	}
}

const server = createServer({ noDelay: true }, (request, response) => {
	const chunks = [];
	request.on("data", (chunk) => chunks.push(chunk));
	request.on("end", () => {
		const body = JSON.parse(Buffer.concat(chunks).toString());
		const last = body.messages.at(-1);
		const relay = parked.get(last.tool_call_id) ?? new Relay(body);
		relay.attach(response);
		if (parked.delete(last.tool_call_id)) relay.result(last.content);
	});
});
server.keepAliveTimeout = 120_000;
process.on("disconnect", () => process.exit(0));
// Started as a peer, it is told its port and has no parent to talk to.
const port = Number(process.env.BENCH_PORT ?? 0);
server.listen(port, "127.0.0.1", 4096, () => process.send?.({ port: server.address().port }));
