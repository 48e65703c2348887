// The model of the soak: it does what the order in the prompt says.
import { answerPieces, answerToResults, callsOf, orderIn } from "./orders.mjs";

export default async function* brain(turn) {
	const results = newestResults(turn);
	// A run that was given up is rebuilt from the history, and goes on from the results in it.
	if (results.length > 0) {
		yield { text: answerToResults(results) };
		return;
	}
	const order = orderIn(turn.prompt);
	yield* ACTS[order.act](order, turn);
}

const ACTS = {
	async *say(order) {
		for (const text of answerPieces(order)) yield { text };
	},
	async *think(order) {
		for (const thinking of answerPieces(order)) yield { thinking };
		yield* ACTS.say(order);
	},
	/** Slow enough for a client to leave in the middle. */
	async *slowly(order) {
		for (const text of answerPieces(order)) {
			yield { text };
			yield { delay: 10 };
		}
	},
	async *look(order) {
		const results = yield { calls: callsOf(order) };
		yield { text: answerToResults(results.map(({ text }) => text)) };
	},
	/** The nonce of the first message of the conversation: what came before has to have reached the model. */
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

/** Texts of the tool results that nothing of the model follows, by their calls' order. */
function newestResults({ messages }) {
	const last = messages.at(-1);
	if (last?.content.at(-1)?.type !== "tool-result") return [];
	const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
	return messages
		.slice(lastAnswer + 1)
		.flatMap(({ content }) => content)
		.flatMap((part) => (part.type === "tool-result" ? [String(part.result)] : []));
}
