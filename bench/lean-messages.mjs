// What the lean path writes: requests to Cursor, and text for the client.
import { randomUUID } from "node:crypto";
import { BackwardMessage } from "./wire.mjs";

/** AgentClientMessage { run_request = 1 { action = 2, model_details = 3, conversation_id = 5 } }. */
export function runRequest(text, model) {
	const id = randomUUID();
	const message = new BackwardMessage(text.length * 3 + 256);
	message.string(5, id);
	const details = message.mark();
	message.string(1, model).wrap(3, details);
	const action = message.mark();
	message.string(2, id).string(1, text).wrap(1, action).wrap(1, action).wrap(2, action);
	return message.wrap(1).envelope();
}

/** AgentClientMessage { exec_client_message = 2 { id = 1, mcp_result = 11, exec_id = 15 } }. */
export function toolResult({ id, execId }, text) {
	const message = new BackwardMessage(text.length * 3 + 256);
	message.string(15, execId);
	const result = message.mark();
	message.string(1, text).wrap(1, result).wrap(1, result).wrap(1, result).wrap(11, result);
	return message.number(1, id).wrap(2).envelope();
}

/** A delta as JSON text. Most need no escapes, and checking for that is cheaper than JSON.stringify. */
export function jsonText(bytes, start, end) {
	for (let at = start; at < end; at++) {
		const byte = bytes[at];
		if (byte < 0x20 || byte === 0x22 || byte === 0x5c) return JSON.stringify(bytes.utf8Slice(start, end));
	}
	return `"${bytes.utf8Slice(start, end)}"`;
}
