// A client of Chat Completions on a raw socket: cheap enough to load a gateway from one core, and it checks every reply.
import { connect } from "node:net";
import { DELTA_CHARACTERS, readStamp } from "./replies.mjs";
import { microseconds } from "./wire.mjs";

const CONTENT = '"content":"';
const CALL_ID = /"tool_calls":\[\{[^}]*?"id":"([^"]+)"/;

/** How many requests this process has sent: the gateway's ledger must have a row for each of them. */
export const sent = { requests: 0 };

/** The bytes of a chat request. Clients with different numbers use the participant's keys in turn. */
export function chatRequest({ port, keys, model, headers = {} }, body, client = 0) {
	const json = JSON.stringify({ model, ...body });
	const all = {
		host: `127.0.0.1:${port}`,
		"content-type": "application/json",
		authorization: `Bearer ${keys[client % keys.length]}`,
		...headers,
		"content-length": Buffer.byteLength(json),
	};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${lines.join("")}\r\n${json}`);
}

/** One keep-alive connection, for one request at a time. */
export class SseClient {
	#socket;
	#raw = "";
	#events = "";
	#left = 0;
	#state = "head";
	#reply = null;

	constructor(port) {
		this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
		this.#socket.setEncoding("latin1");
		this.#socket.on("data", (text) => this.#data(text));
		this.#socket.on("error", (error) => this.#finish(error.message));
		this.#socket.on("close", () => this.#finish("the connection was closed"));
	}

	/**
	 * Sends a request. `expected` is the text that the reply must have, or null for stamped deltas; `onText(characters)`
	 * and `onStamp(microseconds)` are called as they arrive.
	 */
	ask(request, { expected = null, onText, onStamp } = {}) {
		return new Promise((resolve) => {
			this.#raw = "";
			this.#events = "";
			this.#state = "head";
			const reply = {
				sent: microseconds(),
				first: 0,
				took: 0,
				characters: 0,
				stamp: 0,
				callId: "",
				done: false,
				error: "",
			};
			this.#reply = { reply, resolve, expected, onText, onStamp };
			this.#socket.write(request);
			sent.requests++;
		});
	}

	/** How much text of the reply under way has arrived. */
	get characters() {
		return this.#reply?.reply.characters ?? 0;
	}

	close() {
		this.#socket.destroy();
	}

	#finish(error = "") {
		if (this.#reply === null) return;
		const { reply, resolve, expected } = this.#reply;
		this.#reply = null;
		reply.took = microseconds() - reply.sent;
		reply.error ||= error;
		if (!reply.done) reply.error ||= "the reply has no [DONE]";
		if (expected !== null && reply.characters !== expected.length) {
			reply.error ||= `${reply.characters} of ${expected.length} characters arrived`;
		}
		resolve(reply);
	}

	#data(text) {
		if (this.#reply === null) return;
		this.#raw = this.#raw === "" ? text : this.#raw + text;
		while (this.#step()) {}
	}

	/** Head, then chunks (size line, bytes, line end) until the empty one. */
	#step() {
		if (this.#state === "head") {
			const end = this.#raw.indexOf("\r\n\r\n");
			if (end < 0) return false;
			const head = this.#raw.slice(0, end).toLowerCase();
			if (!head.startsWith("http/1.1 200") || !head.includes("transfer-encoding: chunked")) {
				this.#finish(this.#raw.slice(0, 400));
				return false;
			}
			this.#raw = this.#raw.slice(end + 4);
			this.#state = "size";
		}
		if (this.#state === "size") {
			const end = this.#raw.indexOf("\r\n");
			if (end < 0) return false;
			this.#left = Number.parseInt(this.#raw.slice(0, end), 16);
			if (this.#left === 0) {
				if (this.#raw.length < end + 4) return false;
				this.#finish();
				return false;
			}
			this.#raw = this.#raw.slice(end + 2);
			this.#state = "chunk";
		}
		if (this.#raw.length < this.#left + 2) return false;
		this.#body(this.#raw.slice(0, this.#left));
		this.#raw = this.#raw.slice(this.#left + 2);
		this.#state = "size";
		return this.#raw !== "";
	}

	#body(chunk) {
		let text = this.#events === "" ? chunk : this.#events + chunk;
		const whole = text.lastIndexOf("\n\n") + 2;
		this.#events = "";
		if (whole < text.length) {
			this.#events = text.slice(whole);
			text = text.slice(0, whole);
		}
		const { reply } = this.#reply;
		for (let at = text.indexOf(CONTENT); at >= 0; at = text.indexOf(CONTENT, at)) {
			at += CONTENT.length;
			const end = text.indexOf('"', at);
			if (end > at) this.#content(text.slice(at, end));
			at = end;
		}
		if (text.endsWith("data: [DONE]\n\n")) reply.done = true;
		if (text.includes('"tool_calls":[')) reply.callId = CALL_ID.exec(text)?.[1] ?? reply.callId;
		if (text.includes('"error":')) reply.error ||= text.slice(text.indexOf('"error":'), text.indexOf('"error":') + 300);
	}

	#content(content) {
		const { reply, expected, onText, onStamp } = this.#reply;
		if (reply.first === 0) reply.first = microseconds() - reply.sent;
		if (expected !== null) {
			if (!expected.startsWith(content, reply.characters))
				reply.error ||= `wrong text at character ${reply.characters}`;
		} else {
			for (let at = 0; at < content.length; at += DELTA_CHARACTERS) {
				reply.stamp = readStamp(content, at);
				onStamp?.(microseconds() - reply.stamp);
			}
		}
		reply.characters += content.length;
		onText?.(content.length);
	}
}
