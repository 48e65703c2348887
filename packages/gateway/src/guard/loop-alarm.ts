import type { ToolCallPart, TurnMessage } from "../turn/request.ts";

/** A call that a model makes again and again. */
export interface Loop {
	tool: string;
	times: number;
}

/** How often the same call may be made in one conversation; 0: any number of times. */
export interface LoopLimits {
	/** From here on the client is warned. */
	warnAt: number;
	/** From here on the turn is refused. */
	stopAt: number;
}

/**
 * How often the newest calls of a conversation were made before with the same arguments; the one that was made most
 * often. Nothing has to be remembered for it: the whole conversation is in the request.
 */
export function loopIn(messages: readonly TurnMessage[], atLeast: number): Loop | undefined {
	const newest = messages.findLast(({ role }) => role === "assistant");
	if (newest?.role !== "assistant") return undefined;
	let worst: Loop | undefined;
	for (const part of newest.content) {
		if (part.type !== "tool-call") continue;
		const times = timesOf(part, messages);
		if (times >= atLeast && times > (worst?.times ?? 0)) worst = { tool: part.name, times };
	}
	return worst;
}

function timesOf(call: ToolCallPart, messages: readonly TurnMessage[]): number {
	let times = 0;
	for (const message of messages) {
		if (message.role !== "assistant") continue;
		for (const part of message.content) if (part.type === "tool-call" && isSame(part, call)) times++;
	}
	return times;
}

const isSame = (one: ToolCallPart, other: ToolCallPart): boolean =>
	one.name === other.name && one.arguments.length === other.arguments.length && one.arguments === other.arguments;
