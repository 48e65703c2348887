// One exchange with the agent through the SDK's public API, with everything kept that a case may look at.

/**
 * @typedef {object} Exchange
 * @property {string} text all text deltas, joined
 * @property {string[]} textDeltas
 * @property {string} thinking
 * @property {any[]} updates passed to onDelta
 * @property {any[]} messages returned by run.stream()
 * @property {any} result returned by run.wait()
 * @property {any} run
 */

/**
 * @param {any} agent
 * @param {string | object} message
 * @param {object} [options] of `agent.send`
 * @returns {Promise<Exchange>}
 */
export async function ask(agent, message, options = {}) {
	const exchange = await begin(agent, message, options);
	await exchange.finished;
	return exchange;
}

/** As `ask`, but returns the exchange while it is still in progress; `finished` resolves at its end. */
export async function begin(agent, message, options = {}) {
	const exchange = { text: "", textDeltas: [], thinking: "", updates: [], messages: [] };
	const onDelta = ({ update }) => {
		exchange.updates.push(update);
		if (update.type === "text-delta") {
			exchange.text += update.text;
			exchange.textDeltas.push(update.text);
		}
		if (update.type === "thinking-delta") exchange.thinking += update.text;
	};
	exchange.run = await agent.send(message, { ...options, onDelta });
	exchange.finished = (async () => {
		for await (const event of exchange.run.stream()) exchange.messages.push(event);
		exchange.result = await exchange.run.wait();
	})();
	return exchange;
}

/** The text of a turn, which must have succeeded. */
export function finishedText(exchange) {
	if (exchange.result.status !== "finished") {
		const said = exchange.result.error ? `: ${JSON.stringify(exchange.result.error)}` : "";
		throw new Error(
			`the run ended as "${exchange.result.status}"${said}, after the text ${JSON.stringify(exchange.text)}`,
		);
	}
	return exchange.text;
}

/** The completed tool calls as the SDK shows them to its caller. */
export function completedCalls(exchange) {
	return exchange.messages
		.filter(({ type, status }) => type === "tool_call" && status !== "running")
		.map(({ name, status, args, result }) => ({ name, status, args, result }));
}
