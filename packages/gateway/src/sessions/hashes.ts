import { createHash } from "node:crypto";
import type { ToolDefinition, ToolResultPart } from "../turn/request.ts";

const sha256 = (parts: readonly (string | Uint8Array)[]): string => {
	const hash = createHash("sha256");
	for (const part of parts) hash.update(part).update("\0");
	return hash.digest("base64url");
};

/** Two requests offer the same tools, in whichever order. */
export function toolSetHash(tools: readonly ToolDefinition[]): string {
	const each = tools.map((tool) => JSON.stringify([tool.name, tool.description, tool.inputSchema, tool.kind]));
	return sha256(each.sort());
}

/** Two results say the same. */
export function resultHash(result: ToolResultPart): string {
	return sha256([
		String(result.isError),
		...result.content.flatMap((part) => (part.type === "text" ? ["text", part.text] : [part.mediaType, part.data])),
	]);
}

/** Names a stored conversation: whose it is comes on top of that, in the store. */
export function conversationKey(model: string, tools: string, transcript: readonly string[]): string {
	return sha256([model, tools, ...transcript]);
}
