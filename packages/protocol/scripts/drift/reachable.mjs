// Which types can be reached from others.

/**
 * @param {Record<string, { source: string, fields: { type: string }[] }>} messages
 * @param {(message: { source: string }, name: string) => boolean} isRoot
 * @returns {Set<string>} the roots, and all messages and enums that can be reached from their fields
 */
export function typesReachable(messages, isRoot) {
	const reached = new Set();
	const open = Object.keys(messages).filter((name) => isRoot(messages[name], name));
	for (let name = open.pop(); name !== undefined; name = open.pop()) {
		if (reached.has(name)) continue;
		reached.add(name);
		for (const { type } of messages[name]?.fields ?? []) open.push(type);
	}
	return reached;
}

const ENDS_OF_A_RUN = new Set(["agent.v1.AgentClientMessage", "agent.v1.AgentServerMessage"]);

/** All types that can be sent on the stream of a run. */
export function runStreamTypes(messages) {
	return typesReachable(messages, (_message, name) => ENDS_OF_A_RUN.has(name));
}
