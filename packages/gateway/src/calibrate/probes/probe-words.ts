import type { ToolDefinition } from "../../turn/request.ts";

// The texts of all probes. The code words are made up, so that a model can only know those that reached it.

/** A word for each place where a system prompt can travel. */
export const PLACE_WORDS = { "cloud-rule": "brimvale", rules: "tolsanda", root: "quenhollow" } as const;

/** The word in the first message of the conversation. */
const MESSAGE_WORD = "parlowick";

/** The word in the typed history beside that message. */
export const HISTORY_WORD = "ostermoor";

export const placeText = (word: string) => `The code word of this place is ${word}.`;

/** A harmless tool for each place where tools can be offered. */
export const PLACE_TOOLS = { "run-request": "probe_marbeck", "request-context": "probe_sunderley" } as const;

export const probeTool = (name: string): ToolDefinition => ({
	name,
	description: "Does nothing. It is there to see whether it can be called.",
	inputSchema: { type: "object", properties: {} },
	kind: "function",
});

export const TOOL_RESULT = "The tool was called.";

const CALL = "Then call every tool you have exactly once, all of them at once.";
const DONE = "After the results, answer with the word done.";

export const LIST_WORDS = `This is an automatic check of what reaches you. The code word of this message is ${MESSAGE_WORD}. First list every code word that you were given, in instructions, in rules or in messages, one a line. ${CALL} ${DONE}`;

export const LIST_AGAIN = `List every code word that was given in this conversation, in instructions, in rules or in messages, one a line. ${CALL} ${DONE}`;

export const CALL_TOOLS = `This is an automatic check of what reaches you. Call every tool you have exactly once, all of them at once. ${DONE}`;

export const SAY_DONE = "This is an automatic check of what reaches you. Answer with the word done.";

/** A text that is long enough to be seen in a count of tokens, and asks for nothing. */
export const FILLER = Array.from(
	{ length: 12 },
	(_, index) => `Line ${index + 1} of this text is here to be counted, and asks for nothing at all.`,
).join("\n");
