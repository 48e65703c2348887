import type { Sealer } from "../dialect.ts";
import { wellFormed } from "../shared/well-formed.ts";
import type { CallForm, CallForms } from "./tool-names.ts";

// The items of a reply, for whole replies and streams alike.

type ItemStatus = "in_progress" | "completed" | "incomplete";

export interface OutputText {
	type: "output_text";
	text: string;
	annotations: never[];
	logprobs: never[];
}

interface MessageItem {
	id: string;
	type: "message";
	status: ItemStatus;
	role: "assistant";
	content: OutputText[];
}

interface ReasoningItem {
	id: string;
	type: "reasoning";
	summary: { type: "summary_text"; text: string }[];
	encrypted_content?: string;
}

export interface FunctionCallItem {
	id: string;
	type: "function_call";
	status: ItemStatus;
	call_id: string;
	name: string;
	namespace?: string;
	arguments: string;
}

export interface CustomToolCallItem {
	id: string;
	type: "custom_tool_call";
	status: ItemStatus;
	call_id: string;
	name: string;
	namespace?: string;
	input: string;
}

/** A conversation, as a summary that only the gateway can read. */
interface CompactionItem {
	id: string;
	type: "compaction";
	encrypted_content: string;
}

export type OutputItem = MessageItem | ReasoningItem | FunctionCallItem | CustomToolCallItem | CompactionItem;

/** In place of encrypted thinking, which the gateway does not have: clients want a text that they can send back. */
export const OPAQUE_REASONING = "Y3Vyc29yd2lyZQ==";

export interface ItemOptions {
	/** Makes the ids of the response and its items. */
	baseId: string;
	callForms: CallForms;
	encryptedReasoning: boolean;
	/** The reply is a summary, to be sealed by this. */
	sealer?: Pick<Sealer, "seal"> | undefined;
}

/** An item whose text is still to come. */
export type ItemDraft = (text: string, status: ItemStatus) => OutputItem;

export function outputText(text: string): OutputText {
	return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** What the model says: a message, or the summary that was asked for. */
export function textDraft(index: number, { baseId, sealer }: ItemOptions): ItemDraft {
	return sealer ? compactionDraft(itemId("cmp", baseId, index), sealer) : messageDraft(itemId("msg", baseId, index));
}

function compactionDraft(id: string, sealer: Pick<Sealer, "seal">): ItemDraft {
	return (text, status) => ({
		id,
		type: "compaction",
		encrypted_content: status === "completed" ? sealer.seal(wellFormed(text)) : "",
	});
}

function messageDraft(id: string): ItemDraft {
	return (text, status) => ({
		id,
		type: "message",
		status,
		role: "assistant",
		content: status === "in_progress" ? [] : [outputText(wellFormed(text))],
	});
}

/** What it thinks, as a summary, which is what clients show. */
export function reasoningDraft(index: number, { baseId, encryptedReasoning }: ItemOptions): ItemDraft {
	const id = itemId("rs", baseId, index);
	return (text, status) => ({
		id,
		type: "reasoning",
		summary: status === "in_progress" ? [] : [{ type: "summary_text", text: wellFormed(text) }],
		...(encryptedReasoning && { encrypted_content: OPAQUE_REASONING }),
	});
}

/** What it calls, in the form in which the client has offered it. */
export function callDraft(index: number, callId: string, toolName: string, options: ItemOptions): ItemDraft {
	const form: CallForm = options.callForms.get(toolName) ?? { name: toolName, kind: "function" };
	const called = {
		call_id: wellFormed(callId),
		name: wellFormed(form.name),
		...(form.namespace && { namespace: wellFormed(form.namespace) }),
	};
	if (form.kind === "freeform") {
		const id = itemId("ctc", options.baseId, index);
		return (text, status) => ({ id, type: "custom_tool_call", status, ...called, input: wellFormed(text) });
	}
	const id = itemId("fc", options.baseId, index);
	return (text, status) => ({ id, type: "function_call", status, ...called, arguments: wellFormed(text) });
}

function itemId(prefix: string, baseId: string, index: number): string {
	return `${prefix}_${baseId}_${index}`;
}
