// Everything that the server sends on the streams of runs during an action, frame by frame, as the SDK gets it.
import { gunzipSync } from "node:zlib";
import { beneathTheSdk } from "./beneath-the-sdk.mjs";
import { decode, memberOf } from "./decode.mjs";

const RUN = /\/agent\.v1\.AgentService\/Run(SSE)?$/;
const COMPRESSED = 0x01;
const END_STREAM = 0x02;
const SERVER_MESSAGE = "agent.v1.AgentServerMessage";

/** Messages that wrap another oneof. */
const WRAPPERS = {
	interaction_update: "agent.v1.InteractionUpdate",
	exec_server_message: "agent.v1.ExecServerMessage",
	kv_server_message: "agent.v1.KvServerMessage",
	interaction_query: "agent.v1.InteractionQuery",
};

/**
 * @typedef {object} Frame
 * @property {string} kind the kind of the innermost oneof, such as `text_delta`; `end` for the last one
 * @property {any} value
 * @property {number} [id] of a request to the client
 * @property {boolean} compressed
 */

/**
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<{ result: T, streams: Frame[][] }>}
 */
export async function withRunFrames(action) {
	/** @type {Buffer[][]} */
	const bodies = [];
	const onResponse = (path, response) => {
		if (!RUN.test(path)) return;
		const chunks = [];
		bodies.push(chunks);
		const push = response.push;
		response.push = function pushed(chunk, ...rest) {
			// A copy, because the socket's buffer is reused.
			if (chunk) chunks.push(Buffer.from(chunk));
			return push.call(this, chunk, ...rest);
		};
	};
	const result = await beneathTheSdk({ onResponse }, action);
	return { result, streams: bodies.map((chunks) => framesIn(Buffer.concat(chunks))) };
}

/** @param {Buffer} body */
function framesIn(body) {
	const frames = [];
	for (let at = 0; at < body.length; ) {
		const flags = body[at];
		const end = at + 5 + body.readUInt32BE(at + 1);
		if (end > body.length) throw new Error("the stream ended inside of a frame");
		frames.push(frameOf(flags, body.subarray(at + 5, end)));
		at = end;
	}
	return frames;
}

/** @returns {Frame} */
function frameOf(flags, payload) {
	const compressed = (flags & COMPRESSED) !== 0;
	const bytes = compressed ? gunzipSync(payload) : payload;
	if (flags & END_STREAM) return { kind: "end", value: JSON.parse(bytes.toString("utf8")), compressed };
	const [kind, value] = memberOf(SERVER_MESSAGE, decode(SERVER_MESSAGE, bytes));
	const wrapper = WRAPPERS[kind];
	if (wrapper === undefined) return { kind, value, compressed };
	const [innerKind, innerValue] = memberOf(wrapper, value);
	// Protobuf does not write an id of 0.
	return { kind: innerKind, value: innerValue, id: value.id ?? 0, compressed };
}
