// One exchange with the agent through the SDK's public surface, with all of it kept that a case may want to look at.

/**
 * @typedef {object} Exchange
 * @property {string} text all text deltas, joined
 * @property {string[]} textDeltas
 * @property {string} thinking
 * @property {any[]} updates what onDelta got
 * @property {any[]} messages what run.stream() gave
 * @property {any} result what run.wait() gave
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

/** As `ask`, but gives the exchange while it is still going on; `finished` is the rest of it. */
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

/** The text of a turn that must have gone well. */
export function finishedText(exchange) {
	if (exchange.result.status !== "finished") {
		const said = exchange.result.error ? `: ${JSON.stringify(exchange.result.error)}` : "";
		throw new Error(
			`the run ended as "${exchange.result.status}"${said}, after the text ${JSON.stringify(exchange.text)}`,
		);
	}
	return exchange.text;
}

/** The tool calls as the SDK shows them to its caller when they are done. */
export function completedCalls(exchange) {
	return exchange.messages
		.filter(({ type, status }) => type === "tool_call" && status !== "running")
		.map(({ name, status, args, result }) => ({ name, status, args, result }));
}
