import type { ConversationStateStructure } from "@cursorwire/protocol/agent";
import { hex } from "./blobs.ts";

/** An entry without content is a role and some punctuation. */
const LONGEST_EMPTY = 128;

/**
 * Whether what the user said before is missing from a state. Cursor hands some states back with its old entries emptied:
 * whoever goes on from such a one talks to a model that has forgotten the questions.
 */
export function hasEmptiedEntries(
	{ rootPromptMessagesJson: roots }: ConversationStateStructure,
	blobs: ReadonlyMap<string, Uint8Array>,
): boolean {
	return roots.some((id) => {
		const blob = blobs.get(hex(id));
		return blob !== undefined && blob.length <= LONGEST_EMPTY && isEmptied(Buffer.from(blob).toString());
	});
}

function isEmptied(json: string): boolean {
	try {
		const { role, content } = JSON.parse(json) as { role?: unknown; content?: unknown };
		return role === "user" && !(Array.isArray(content) ? content : [content]).some(saysSomething);
	} catch {
		// Not for us to judge what it means; Cursor wrote it.
		return false;
	}
}

function saysSomething(part: unknown): boolean {
	if (typeof part === "string") return part !== "";
	const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
	return type === "text" ? text !== "" : type !== undefined;
}
