import { createHash } from "node:crypto";
import type { ImagePart, TextPart, ToolResultPart, TurnRequest } from "../turn/request.ts";

const sha256 = (parts: readonly (string | Uint8Array)[]): string => {
	const hash = createHash("sha256");
	for (const part of parts) hash.update(part).update("\0");
	return hash.digest("base64url");
};

/**
 * Two requests offer the same tools, in whichever order, and demand the same of the answer. A run keeps what it was told
 * about that, so one that must call a tool is not the one to go on with when it need not any more.
 */
export function toolSetHash({ tools, toolChoice, output }: TurnRequest): string {
	const each = tools.map((tool) => JSON.stringify([tool.name, tool.description, tool.inputSchema, tool.kind]));
	return sha256([JSON.stringify([toolChoice, output]), ...each.sort()]);
}

/** Two requests are of the same agent, as far as can be seen without their messages. */
export function frameHash(request: TurnRequest): string {
	return sha256([request.model, toolSetHash(request), ...request.system]);
}

/** Two results say the same. */
export function resultHash(result: ToolResultPart): string {
	return sha256([String(result.isError), partsHash(result.content)]);
}

/** Two lists of parts say the same. */
export function partsHash(parts: readonly (TextPart | ImagePart)[]): string {
	return sha256(parts.flatMap((part) => (part.type === "text" ? ["text", part.text] : [part.mediaType, part.data])));
}

/** Names a stored conversation: whose it is comes on top of that, in the store. */
export function conversationKey(model: string, tools: string, transcript: readonly string[]): string {
	return sha256([model, tools, ...transcript]);
}
