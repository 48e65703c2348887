import type { OutputItem } from "./items.ts";
import { outputText } from "./items.ts";

/** An event of an item, apart from what all of them have: its number, and which item it is about. */
type ItemEvent = { type: string } & Record<string, unknown>;

/** What a kind of item says between `output_item.added` and `output_item.done`. */
export interface ItemEvents {
	/** Undefined: it comes as a whole. */
	delta: string | undefined;
	/** What every delta has besides the text. */
	deltaFields: object;
	opening: readonly ItemEvent[];
	/** For the finished item. */
	closing(item: OutputItem): ItemEvent[];
}

const CONTENT = { content_index: 0 };
const SUMMARY = { summary_index: 0 };

const MESSAGE: ItemEvents = {
	delta: "response.output_text.delta",
	deltaFields: { ...CONTENT, logprobs: [] },
	opening: [{ type: "response.content_part.added", ...CONTENT, part: outputText("") }],
	closing: (item) => {
		const part = item.type === "message" && item.content[0];
		if (!part) return [];
		return [
			{ type: "response.output_text.done", ...CONTENT, text: part.text, logprobs: [] },
			{ type: "response.content_part.done", ...CONTENT, part },
		];
	},
};

const REASONING: ItemEvents = {
	delta: "response.reasoning_summary_text.delta",
	deltaFields: SUMMARY,
	opening: [{ type: "response.reasoning_summary_part.added", ...SUMMARY, part: { type: "summary_text", text: "" } }],
	closing: (item) => {
		const part = item.type === "reasoning" && item.summary[0];
		if (!part) return [];
		return [
			{ type: "response.reasoning_summary_text.done", ...SUMMARY, text: part.text },
			{ type: "response.reasoning_summary_part.done", ...SUMMARY, part },
		];
	},
};

const FUNCTION_CALL: ItemEvents = {
	delta: "response.function_call_arguments.delta",
	deltaFields: {},
	opening: [],
	closing: (item) =>
		item.type === "function_call"
			? [{ type: "response.function_call_arguments.done", name: item.name, arguments: item.arguments }]
			: [],
};

const CUSTOM_TOOL_CALL: ItemEvents = {
	delta: "response.custom_tool_call_input.delta",
	deltaFields: {},
	opening: [],
	closing: (item) =>
		item.type === "custom_tool_call" ? [{ type: "response.custom_tool_call_input.done", input: item.input }] : [],
};

const COMPACTION: ItemEvents = { delta: undefined, deltaFields: {}, opening: [], closing: () => [] };

export const ITEM_EVENTS: Readonly<Record<OutputItem["type"], ItemEvents>> = {
	message: MESSAGE,
	reasoning: REASONING,
	function_call: FUNCTION_CALL,
	custom_tool_call: CUSTOM_TOOL_CALL,
	compaction: COMPACTION,
};
