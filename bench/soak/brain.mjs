// The brain of the soak: it does what the order in the prompt says.
import { callsOf, orderIn, replyPieces, replyToResults } from "./orders.mjs";

export default async function* brain(turn) {
	const results = newestResults(turn);
	// A run that was given up is rebuilt from the history and continues with the results in it.
	if (results.length > 0) {
		yield { text: replyToResults(results) };
		return;
	}
	const order = orderIn(turn.prompt);
	yield* ACTS[order.act](order, turn);
}

const ACTS = {
	async *say(order) {
		for (const text of replyPieces(order)) yield { text };
	},
	async *think(order) {
		for (const thinking of replyPieces(order)) yield { thinking };
		yield* ACTS.say(order);
	},
	/** Slow enough for a client to leave in the middle. */
	async *slowly(order) {
		for (const text of replyPieces(order)) {
			yield { text };
			yield { delay: 10 };
		}
	},
	async *look(order) {
		const results = yield { calls: callsOf(order) };
		yield { text: replyToResults(results.map(({ text }) => text)) };
	},
	/** Says the nonce of the conversation's first message, which proves that the history has reached the model. */
	async *recall(_order, turn) {
		const first = turn.messages.find(({ role }) => role === "user").content.find(({ type }) => type === "text");
		yield { text: `recall ${orderIn(first.text).nonce}` };
	},
	async *refuse({ code }) {
		yield { error: { code, message: "refused by the soak" } };
	},
	async *break(order) {
		yield* ACTS.say(order);
		yield { error: { code: "internal", message: "broken by the soak" } };
	},
};

/** The tool results after the model's last message, in the order of the calls. */
function newestResults({ messages }) {
	const last = messages.at(-1);
	if (last?.content.at(-1)?.type !== "tool-result") return [];
	const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
	return messages
		.slice(lastReply + 1)
		.flatMap(({ content }) => content)
		.flatMap((part) => (part.type === "tool-result" ? [String(part.result)] : []));
}
